"""What an algorithm is, and the table of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

from mahc.errors import SettingError
from mahc.learning.found import Found
from mahc.learning.problem import Problem
from mahc.registry import Registry


@dataclass(frozen=True)
class Algorithm(ABC):
    """A structure learner; its fields are its settings."""

    name: ClassVar[str]
    ending: ClassVar[str] = "no neighbour is better"  # what `converged` means, in words
    proves: ClassVar[bool] = False  # whether it brings a bound on every graph's score, `Found.gap`
    idle: ClassVar[tuple[str, ...]] = ()  # fields of knowledge, and "start", that would change nothing

    @property
    def in_degree(self) -> int:
        """The most parents that this algorithm gives a variable."""
        return int(getattr(self, "search_in_degree", 1 << 20))

    @abstractmethod
    def search(self, problem: Problem) -> Found:
        """Learn a graph."""

    def settings(self) -> dict[str, object]:
        """The settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


ALGORITHMS: Registry[type[Algorithm]] = Registry("algorithm", package="mahc.algorithms")


def make_algorithm(name: str, **settings: object) -> Algorithm:
    """The algorithm called `name`; a setting that is None keeps its default, one it does not have is refused.

    >>> make_algorithm("mahc", search_in_degree=5, pruning=None).settings()["search_in_degree"]
    5
    """
    kind = ALGORITHMS[name]
    known = {f.name for f in fields(kind)}
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key not in known:
            raise SettingError(
                f"algorithm '{name}' has no setting '{key}' (it has {', '.join(sorted(known))}): leave it out"
            )
    return kind(**given)


def check_in_degree(setting: str, value: int, most: int = 1_000_000) -> None:
    """An in-degree limit is a whole number from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise SettingError(f"{setting} is {value!r}: give a whole number from 1 to {most:,}")


def check_limits(step_limit: int | None, memory_mebibytes: int | None) -> None:
    """Step and memory limits are whole numbers, or absent."""
    for setting, value, least in (("step_limit", step_limit, 0), ("memory_mebibytes", memory_mebibytes, 1)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SettingError(f"{setting} is {value!r}: give {least} or more, or leave it out")
