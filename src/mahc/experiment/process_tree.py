"""The processes of a cell: what they hold together, and their end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl
SECOND_LOOK = 0.005  # seconds after the first


def tree_of(process: int) -> list[int]:
    """A process and all that descend from it, as far as the system shows them."""
    found = [process]
    for parent in found:
        for thread in _threads(parent):
            with suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def _threads(process: int) -> list[Path]:
    with suppress(OSError):  # it may end while we look
        return list(Path(f"/proc/{process}/task").iterdir())
    return []


def private_memory(process: int, enough: float = 0.0) -> float:
    """The mebibytes that a process and its descendants hold, less program files; 0 where the system does not show it.

    What forked processes share is counted for each of them as long as the sum is no more than `enough`; only beyond
    is it worth the time to find out what they hold together.
    """
    tree = tree_of(process)
    each_its_own = sum(_kibibytes(each, "status", ("RssAnon:", "RssShmem:")) for each in tree) / 1024
    if each_its_own <= enough or len(tree) == 1:
        return each_its_own
    held = _held_together(tree) or each_its_own  # an old kernel, or a process that may not be looked into
    if held > enough:  # what is only seen in passing, while a process begins or ends, is not held
        time.sleep(SECOND_LOOK)
        held = min(held, _held_together(tree_of(process)) or held)
    return held


def _held_together(tree: list[int]) -> float:
    own = [each for each in tree if not _borrows(each)]
    return sum(_kibibytes(each, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:")) for each in own) / 1024


def _borrows(process: int) -> bool:
    # Begun by vfork and not yet with a program of its own, a child shows its parent's memory, and no share is halved:
    # same stack as the parent, of which a thread sleeps undisturbed until the program begins.
    _, parent, stack = _state(Path(f"/proc/{process}/stat"))
    if not stack or stack != _state(Path(f"/proc/{parent}/stat"))[2]:
        return False
    return any(_state(thread / "stat")[0] == "D" for thread in _threads(parent))


def _state(file: Path) -> tuple[str, int, int]:
    # Letter of the state, parent, where the stack starts; the name before them may hold anything, brackets too.
    with suppress(OSError, ValueError, IndexError):
        words = file.read_text(errors="replace").rpartition(")")[2].split()
        return words[0], int(words[1]), int(words[25])
    return "", 0, 0


def _kibibytes(process: int, file: str, keys: tuple[str, ...]) -> int:
    with suppress(OSError, ValueError, IndexError):
        lines = Path(f"/proc/{process}/{file}").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(keys))
    return 0


def adopt_orphans() -> None:
    """Have what this process's descendants leave behind become its own children (Linux), so that none gets away."""
    with suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_tree(process: int) -> None:
    """End a process that leads a group, its group, and those of its descendants that left it."""
    _kill(*reversed(tree_of(process)))
    kill_group(process)


def kill_descendants(process: int) -> None:
    """End all that descend from a process."""
    _kill(*tree_of(process)[1:])


def _kill(*processes: int) -> None:
    for each in processes:
        with suppress(OSError):
            os.kill(each, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def kill_group(leader: int) -> None:
    """End what is left of the group that a process leads, or led."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
