"""What a score is, and the table of those there are."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mahc.registry import Registry
from mahc.setting_checks import Number
from mahc.settings import check_settings, declarations, make_from, setting


@dataclass(frozen=True)
class Terms:
    """What the engine needs to know: the kind of sum it takes over the counts, and its one parameter."""

    kind: str
    parameter: float = 0.0


class LogBase(Number):
    """A base of logarithms, which the command line may give as e."""

    def parse(self, text: str) -> object:
        """A number, or e."""
        return math.e if text.strip().lower() == "e" else super().parse(text)


@dataclass(frozen=True)
class Score(ABC):
    """A decomposable score; its fields are its settings. The base class of all scores.

    Larger is better. The number of states of a variable is the number that occur in the data unless more were
    declared.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> from mahc.scores import SCORES
    >>> SCORES.names()
    ['aic', 'bdeu', 'bic', 'fnml', 'loglik', 'qnml']
    """

    base: float = setting(
        2.0,
        help="Base of the score's logarithms.",
        check=LogBase(above=1, hint="2 for bits, e for nats"),
        metavar="B",
    )

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_settings(self)

    @abstractmethod
    def terms(self, size: int) -> Terms:
        """What to sum, for data of `size` rows (or total weight)."""

    def describe(self) -> str:
        """Name, log base and settings, for printing beside a number."""
        base = "e" if self.base == math.e else f"{self.base:g}"
        others = [f"{name} {_show(getattr(self, name))}" for name in declarations(self) if name != "base"]
        return ", ".join([self.name, f"log base {base}", *others])


SCORES: Registry[type[Score]] = Registry("score", package="mahc.scores")


def make_score(name: str, **settings: object) -> Score:
    """Make a score by its name.

    Parameters
    ----------
    name : str
        One of "aic", "bdeu", "bic", "fnml", "loglik", "qnml".
    **settings
        The settings of the score; one that is None keeps its default.

    Returns
    -------
    Score
        The score.

    Raises
    ------
    MahcError
        If there is no such score, it does not have a setting, or a value is not allowed.

    Examples
    --------
    >>> make_score("bdeu", equivalent_sample_size=10).describe()
    'bdeu, log base 2, equivalent_sample_size 10'
    """
    return make_from(SCORES[name], f"score '{name}'", settings)


def _show(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
