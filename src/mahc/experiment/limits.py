"""The limits of a cell: seconds, memory, threads."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
# Libraries that start a thread for each processor read these variables.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


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
