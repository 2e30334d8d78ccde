"""The processes of a cell: their limits, their memory in total, and how they are ended."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
# Libraries that start a thread for each processor read these variables.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl
SECOND_LOOK = 0.005  # seconds between two measurements


@dataclass(frozen=True)
class Limits:
    """Seconds of learning, mebibytes of memory for all processes of a cell, and threads.

    Memory is data, heap and anonymous or shared mappings. Each process is limited in what it reserves; all processes
    of a cell together are limited in what they use, with shared memory counted once. Program files do not count.

    >>> Limits(seconds=60).threads
    1
    """

    seconds: float = 3600.0
    memory_mebibytes: int = 4096
    threads: int = 1

    def environment(self) -> dict[str, str]:
        """Environment variables that hold a process to the number of threads."""
        return {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self.threads))}

    def confine(self) -> None:
        """Limit the memory of this process and of those that it starts, on Linux and macOS; elsewhere do nothing."""
        try:
            import resource
        except ImportError:
            return
        # Outside Linux RLIMIT_DATA counts the heap alone; the address space is the closest limit there.
        kind = resource.RLIMIT_DATA if Path("/proc/self/statm").exists() else resource.RLIMIT_AS
        most = self.memory_mebibytes * MEBIBYTE
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        with suppress(ValueError, OSError):  # where the system refuses, CellProcess still checks the memory
            resource.setrlimit(kind, (most, most))


def can_measure_memory() -> bool:
    """Whether this system shows the memory of processes; only Linux does, in /proc."""
    return Path("/proc/self/statm").exists()


def physical_mebibytes() -> int | None:
    """The memory of this machine, None if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * PAGE // MEBIBYTE
    except (AttributeError, ValueError, OSError):
        return None


def tree_of(process: int) -> list[int]:
    """A process and its descendants, as far as the system shows them."""
    found = [process]
    for parent in found:
        for thread in _threads(parent):
            with suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def _threads(process: int) -> list[Path]:
    with suppress(OSError):  # it may end meanwhile
        return list(Path(f"/proc/{process}/task").iterdir())
    return []


def private_memory(process: int, enough: float = 0.0) -> float:
    """The mebibytes of a process and its descendants without program files; 0 where the system does not show them.

    Memory that forked processes share is counted for each of them while the sum is at most `enough`; only above that
    is it counted once, which takes longer.
    """
    tree = tree_of(process)
    counted_for_each = sum(_kibibytes(each, "status", ("RssAnon:", "RssShmem:")) for each in tree) / 1024
    if counted_for_each <= enough or len(tree) == 1:
        return counted_for_each
    used = _counted_once(tree) or counted_for_each  # an old kernel, or a process of another user
    if used > enough:  # a process that starts or ends can show too much for a moment
        time.sleep(SECOND_LOOK)
        used = min(used, _counted_once(tree_of(process)) or used)
    return used


def _counted_once(tree: list[int]) -> float:
    separate = [each for each in tree if not _shows_parent_memory(each)]
    return sum(_kibibytes(each, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:")) for each in separate) / 1024


def _shows_parent_memory(process: int) -> bool:
    # Between vfork and exec a child shows its parent's memory, which then counts twice in full. It has the same stack
    # as the parent, and a thread of the parent sleeps uninterruptibly until exec.
    _, parent, stack = _state(Path(f"/proc/{process}/stat"))
    if not stack or stack != _state(Path(f"/proc/{parent}/stat"))[2]:
        return False
    return any(_state(thread / "stat")[0] == "D" for thread in _threads(parent))


def _state(file: Path) -> tuple[str, int, int]:
    # State, parent, start of the stack. The program's name comes before them and may contain anything, brackets too.
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
    """Make orphans among this process's descendants its children (Linux), so that all of them can be ended."""
    with suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_tree(process: int) -> None:
    """End a process that leads a group, the group, and descendants that left the group."""
    _kill(*reversed(tree_of(process)))
    kill_group(process)


def kill_descendants(process: int) -> None:
    """End all descendants of a process."""
    _kill(*tree_of(process)[1:])


def _kill(*processes: int) -> None:
    for each in processes:
        with suppress(OSError):
            os.kill(each, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def kill_group(leader: int) -> None:
    """End what is left of the group that a process leads or led."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
