"""What a cell may use: seconds, memory, threads."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
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
