"""The memory limit of a run: how much the process may grow while it learns.

What cannot fit is refused before the work begins; caches take what is left; and a run that grows beyond the limit all
the same ends with the best graph so far, as it does at the time limit.
"""

from __future__ import annotations

import os
import time

from mahc.errors import SettingError
from mahc.machine import USUAL_SHARE, total_bytes

MEBIBYTE = 1 << 20
MOST_CACHE = 1024 * MEBIBYTE
PAIR_BYTES = 90  # of the details of one ordered pair in a result, copies made on the way included
MOST_DETAILED = 3000  # variables: beyond, the details of every pair take longer than they are worth
SECONDS_BETWEEN_CHECKS = 0.02
LEAST_WATCHED = 32 * MEBIBYTE  # code that is loaded late and the interpreter's own memory are not the search's


class MemoryLimit:
    """What a process may grow by from now on; `mebibytes` is the user's limit, None the usual one.

    >>> MemoryLimit(64).cache_bytes // MEBIBYTE
    16
    >>> MemoryLimit(64).require(1e9, "hc with 5,000 variables", "give fewer variables")
    Traceback (most recent call last):
        ...
    mahc.errors.SettingError: hc with 5,000 variables needs about 954 MiB, more than the 64 MiB allowed: give fewer \
variables, or raise the memory limit
    """

    def __init__(self, mebibytes: int | None = None) -> None:
        self.bytes = int(USUAL_SHARE * total_bytes()) if mebibytes is None else mebibytes * MEBIBYTE
        self._before = resident_bytes()
        self._checked = 0.0
        self._exceeded = False

    @property
    def mebibytes(self) -> int:
        """The limit in MiB."""
        return self.bytes // MEBIBYTE

    @property
    def cache_bytes(self) -> int:
        """The share of caches of counts."""
        return max(MEBIBYTE, min(MOST_CACHE, self.bytes // 4))

    @property
    def score_cache_bytes(self) -> int:
        """The share of the cache of local scores."""
        return max(MEBIBYTE, self.cache_bytes // 4)

    @property
    def batch_families(self) -> int:
        """How many families may be scored at once: a batch takes about 150 bytes each."""
        return max(1000, self.bytes // 16 // 150)

    def fits(self, needed: float) -> bool:
        """Whether so many bytes fit into the limit."""
        return needed <= self.bytes

    def keeps_details(self, variables: int) -> bool:
        """Whether a result of so many variables has the details of every pair: they may take half of the limit."""
        return variables <= MOST_DETAILED and PAIR_BYTES * variables**2 <= self.bytes // 2

    def require(self, needed: float, what: str, fix: str) -> None:
        """Refuse what needs more bytes than the limit allows."""
        if not self.fits(needed):
            raise SettingError(
                f"{what} needs about {needed / MEBIBYTE:,.0f} MiB, more than the {self.mebibytes:,} MiB allowed: "
                f"{fix}, or raise the memory limit"
            )

    def growth(self) -> int:
        """How many bytes the process has grown by; 0 where the system does not say."""
        return max(0, resident_bytes() - self._before)

    def exceeded(self) -> bool:
        """Whether the process has grown by more than the limit, now or at an earlier call."""
        now = time.perf_counter()
        if not self._exceeded and now - self._checked >= SECONDS_BETWEEN_CHECKS:
            self._checked = now
            self._exceeded = self.growth() > max(self.bytes, LEAST_WATCHED)
        return self._exceeded


def resident_bytes() -> int:
    """The memory that this process has now; 0 where the system has no /proc (the estimates still hold there)."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0
