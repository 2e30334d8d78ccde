"""What a score is, and the table of those there are."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

from mahc.errors import SettingError
from mahc.registry import Registry


@dataclass(frozen=True)
class Terms:
    """What the engine needs to know: the kind of sum it takes over the counts, and its one parameter."""

    kind: str
    parameter: float = 0.0


@dataclass(frozen=True)
class Score(ABC):
    """A decomposable score; its fields are its settings.

    Convention: scores are logarithms to `base` (2 unless said otherwise: bits), larger is better, and the
    number of states of a variable is the number that occur in the data unless more were declared.
    """

    base: float = 2.0

    name: ClassVar[str]

    def __post_init__(self) -> None:
        if not (math.isfinite(self.base) and self.base > 1):
            raise SettingError(f"score base is {self.base}: give a number above 1 (2 for bits, e for nats)")

    @abstractmethod
    def terms(self, size: int) -> Terms:
        """What to sum, for data of `size` rows (or total weight)."""

    def describe(self) -> str:
        """Name, log base and settings, for printing beside a number."""
        base = "e" if self.base == math.e else f"{self.base:g}"
        others = [f"{f.name} {getattr(self, f.name):g}" for f in fields(self) if f.name != "base"]
        return ", ".join([self.name, f"log base {base}", *others])


SCORES: Registry[type[Score]] = Registry("score", package="mahc.scores")


def make_score(name: str, *, base: float = 2.0, equivalent_sample_size: float | None = None) -> Score:
    """The score called `name`, with its settings.

    >>> make_score("bdeu", equivalent_sample_size=10).describe()
    'bdeu, log base 2, equivalent_sample_size 10'
    """
    kind = SCORES[name]
    if equivalent_sample_size is None:
        return kind(base=base)
    if "equivalent_sample_size" not in {f.name for f in fields(kind)}:
        raise SettingError(f"score '{name}' has no equivalent_sample_size: leave it out, or use bdeu")
    return kind(base=base, equivalent_sample_size=equivalent_sample_size)  # type: ignore[call-arg]
