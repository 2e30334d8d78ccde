"""Why a search ended, and how that is said to a person."""

from __future__ import annotations

from enum import StrEnum


class StopReason(StrEnum):
    """Why a search ended; equal to its name in JSON.

    >>> StopReason("time_limit").words, StopReason.CONVERGED == "converged"
    ('the time limit was reached', True)
    """

    CONVERGED = "converged"
    TIME_LIMIT = "time_limit"
    INTERRUPTED = "interrupted"
    STEP_LIMIT = "step_limit"
    MEMORY_LIMIT = "memory_limit"

    @property
    def early(self) -> bool:
        """Whether the search ended before it was finished."""
        return self is not StopReason.CONVERGED

    @property
    def by_clock_or_user(self) -> bool:
        """Whether the clock, the user or the memory chose the moment, so that the same run would end elsewhere."""
        return self in (StopReason.TIME_LIMIT, StopReason.INTERRUPTED, StopReason.MEMORY_LIMIT)

    @property
    def words(self) -> str:
        """The reason as a clause, to be used in a sentence."""
        return _WORDS[self]

    def describe(self, finished: str) -> str:
        """How a search ended: `finished` where it ran to its end, else why it stopped and what its graph is worth.

        >>> StopReason.STEP_LIMIT.describe("no neighbour is better")
        'the step limit was reached: this is the graph so far'
        """
        if not self.early:
            return finished
        which = "the best graph so far" if self.by_clock_or_user else "the graph so far"
        return f"{self.words}: this is {which}"

    def __repr__(self) -> str:
        return repr(self.value)


_WORDS = {
    StopReason.CONVERGED: "the search was finished",
    StopReason.TIME_LIMIT: "the time limit was reached",
    StopReason.INTERRUPTED: "the search was interrupted",
    StopReason.STEP_LIMIT: "the step limit was reached",
    StopReason.MEMORY_LIMIT: "the memory limit was reached",
}
