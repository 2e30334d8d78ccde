"""What an algorithm is, and the table of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mahc.data import Dataset
from mahc.data.columns import Kind
from mahc.data.settings import MISSING_METHODS
from mahc.engine import CountSource
from mahc.learning.found import Found
from mahc.learning.problem import Problem
from mahc.registry import Registry
from mahc.scores import Score
from mahc.settings import check_settings, declarations, make_from


@dataclass(frozen=True)
class Algorithm(ABC):
    """The base class of all algorithms.

    The fields of a subclass, each made by `mahc.settings.setting`, are its settings.

    Examples
    --------
    >>> from mahc.algorithms import make_algorithm
    >>> make_algorithm("hc").settings()["search_in_degree"]
    8
    """

    name: ClassVar[str]
    default_score: ClassVar[str] = "bic"
    estimator: ClassVar[str] = ""  # the name of its estimator class; made from `name` where empty
    ending: ClassVar[str] = "no neighbour is better"  # what `converged` means, in words
    proves: ClassVar[bool] = False  # whether it brings a bound on every graph's score, `FoundDag.gap`
    missing_methods: ClassVar[tuple[str, ...]] = MISSING_METHODS  # how it can learn from incomplete data
    counts_states: ClassVar[bool] = False  # whether it needs counts besides scores, for tests of independence
    searches_by_score: ClassVar[bool] = True  # whether another score could give another graph
    needs_states: ClassVar[bool] = False  # whether numbers must be cut, whatever the score
    idle: ClassVar[tuple[str, ...]] = ()  # fields of knowledge, and "start", that would change nothing

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def in_degree(self) -> int:
        """The most parents that this algorithm gives a variable."""
        return int(getattr(self, "search_in_degree", 1 << 20))

    def kinds(self, score: Score) -> frozenset[Kind]:
        """The kinds of columns that the data may have: those of the score; numbers can be cut for a score of states."""
        return frozenset(Kind) if Kind.DISCRETE in score.columns else score.columns

    def refuse_columns(self, data: Dataset | CountSource) -> None:
        """Refuse columns that its own tests do not take, whatever the score."""
        return

    @property
    def memory_fix(self) -> str:
        """What to do where the memory does not suffice, in words."""
        return "give fewer variables, use mahc"

    def memory_needed(self, variables: int) -> float:
        """Minimum memory of a search in bytes, checked before it begins."""
        return 0.0

    def searching_once(self) -> Algorithm:
        """The same without a second search, to compare ways to treat the data with."""
        return self

    def quick(self) -> Algorithm | None:
        """A quicker form to choose the variant of a score with, where there is one."""
        return None

    @abstractmethod
    def search(self, problem: Problem) -> Found:
        """Learn a graph."""

    def settings(self) -> dict[str, object]:
        """The settings by name."""
        return {name: getattr(self, name) for name in declarations(self)}


ALGORITHMS: Registry[type[Algorithm]] = Registry("algorithm", package="mahc.algorithms")


def make_algorithm(name: str, **settings: object) -> Algorithm:
    """Make an algorithm by its name.

    Parameters
    ----------
    name : str
        One of the names in `ALGORITHMS`, for instance "mahc" or "boss".
    **settings
        The settings of the algorithm; one that is None keeps its default.

    Returns
    -------
    Algorithm
        The algorithm; `mahc.learn` takes it in place of a name.

    Raises
    ------
    MahcError
        If there is no such algorithm, it does not have a setting, or a value is not allowed.

    Examples
    --------
    >>> make_algorithm("mahc", search_in_degree=5, pruning=None).settings()["search_in_degree"]
    5
    """
    return make_from(ALGORITHMS[name], f"algorithm '{name}'", settings)
