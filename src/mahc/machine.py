"""The memory of this machine, or of the container that this process runs in."""

from __future__ import annotations

import os
from pathlib import Path

USUAL_SHARE = 0.75  # of the memory, where the user gives no limit
UNKNOWN_MEMORY = 16 << 30  # where the system does not say how much there is
_GROUP = Path("/sys/fs/cgroup")


def total_bytes() -> int:
    """The memory of the machine, or the limit of the container where that is lower."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        physical = UNKNOWN_MEMORY
    limit = _group_number("memory.max")
    return physical if limit is None else min(physical, limit)


def available_bytes() -> int | None:
    """The memory that this process can still get; None where the system does not say."""
    limit, used = _group_number("memory.max"), _group_number("memory.current")
    left = None if limit is None or used is None else max(0, limit - used)
    found = [size for size in (_system_bytes(), left) if size is not None]
    return min(found) if found else None


def _system_bytes() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _group_number(name: str) -> int | None:
    """A number of the control group that this process is in; None where there is none, or no limit."""
    try:
        return int((_GROUP / name).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
