"""What a cell may use: seconds, memory, threads; and the memory of a tree of processes."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl
# Libraries that would start a thread for each processor look here.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


@dataclass(frozen=True)
class Limits:
    """Seconds of learning, mebibytes that the processes of a cell hold, and threads.

    Memory is data, heap and anonymous or shared mappings: for each process what it reserved of its own, for all of a
    cell together what is in use, counted once where they share it. Program files do not count.

    >>> Limits(seconds=60).threads
    1
    """

    seconds: float = 3600.0
    memory_mebibytes: int = 4096
    threads: int = 1

    def environment(self) -> dict[str, str]:
        """The variables of a process that keeps to the threads."""
        return {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self.threads))}

    def confine(self) -> None:
        """Hold this process, and those that it will start, to the memory; Linux and macOS, elsewhere nothing."""
        try:
            import resource
        except ImportError:
            return
        # Where RLIMIT_DATA counts the heap alone (not Linux), the address space is the nearest thing there is.
        kind = resource.RLIMIT_DATA if Path("/proc/self/statm").exists() else resource.RLIMIT_AS
        most = self.memory_mebibytes * MEBIBYTE
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        with suppress(ValueError, OSError):  # a system that refuses: the watch over the processes is left
            resource.setrlimit(kind, (most, most))


def can_watch_memory() -> bool:
    """Whether this system shows the memory of processes; only Linux does, by /proc."""
    return Path("/proc/self/statm").exists()


def physical_mebibytes() -> int | None:
    """The memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * PAGE // MEBIBYTE
    except (AttributeError, ValueError, OSError):
        return None


def tree_of(process: int) -> list[int]:
    """A process and all that descend from it, as far as the system shows them."""
    found = [process]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def private_memory(process: int, enough: float = 0.0) -> float:
    """The mebibytes that a process and its descendants hold, less program files; 0 where the system does not show it.

    What forked processes share is counted for each of them as long as the sum is no more than `enough`; only beyond
    is it worth the time to find out what they hold together.
    """
    tree = tree_of(process)
    each_its_own = sum(_kibibytes(each, "status", ("RssAnon:", "RssShmem:")) for each in tree) / 1024
    if each_its_own <= enough or len(tree) == 1:
        return each_its_own
    together = sum(_kibibytes(each, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:")) for each in tree) / 1024
    return together or each_its_own  # an old kernel, or a process that may not be looked into


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
