"""The options of a time and a memory limit, for commands that do not take all options of a run."""

from __future__ import annotations

from typing import Annotated

from mahc.algorithms.score_based.hc import HillClimbing
from mahc.cli.options.groups import LIMITS, option
from mahc.learning.settings import RunSettings
from mahc.settings import declarations

MEMORY = declarations(HillClimbing)["memory_mebibytes"]
TIME_LIMIT = declarations(RunSettings)["time_limit"]
TimeLimitOption = Annotated[
    str | None, option("--time-limit", "S", "Stop after this many seconds with what is there.", LIMITS)
]
MemoryOption = Annotated[str | None, option("--memory", "SIZE", MEMORY.help, LIMITS)]


def parse_memory(text: str | None) -> int | None:
    """A size such as 4GB in MiB.

    >>> parse_memory("4GB"), parse_memory("64"), parse_memory(None)
    (3814, 64, None)
    """
    if text is None:
        return None
    found = MEMORY.check.parse(text)
    MEMORY.check.require(MEMORY.name, found, optional=True)
    return found if isinstance(found, int) else None


def parse_time_limit(text: str | None) -> float | None:
    """The seconds; a word that is no number, or a number that is no time, is refused."""
    return RunSettings(time_limit=None if text is None else TIME_LIMIT.check.parse(text)).time_limit  # type: ignore[arg-type]
