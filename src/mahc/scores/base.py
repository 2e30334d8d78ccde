"""What a score is, and the table of those there are."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.data.columns import Kind
from mahc.data.settings import MISSING_METHODS
from mahc.registry import Registry
from mahc.setting_checks import Number
from mahc.settings import check_settings, declarations, make_from, setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mahc.data import Dataset
    from mahc.engine import CountSource, FamilyScorer
    from mahc.engine._native import Formula
    from mahc.engine.control import RunControl


class LogBase(Number):
    """A base of logarithms, which the command line may give as e."""

    def parse(self, text: str) -> object:
        """A number, or e."""
        return math.e if text.strip().lower() == "e" else super().parse(text)


@dataclass(frozen=True)
class Score(ABC):
    """A decomposable score; its fields are its settings. The base class of all scores.

    Larger is better. A score says which kinds of columns it takes, holds the rows as its statistics need them, and
    makes the scorer that a search calls.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> from mahc.scores import SCORES
    >>> SCORES.names()
    ['aic', 'bdeu', 'bge', 'bic', 'fnml', 'gaussian-bic', 'loglik', 'mixed', 'qnml', 'smooth']
    """

    base: float = setting(
        2.0,
        help="Base of the score's logarithms.",
        check=LogBase(above=1, hint="2 for bits, e for nats"),
        metavar="B",
    )

    name: ClassVar[str]
    columns: ClassVar[frozenset[Kind]] = frozenset([Kind.DISCRETE])
    # Whether a parent that is worth nothing alone seldom belongs into a graph, so that a search may leave it out.
    single_gains_suffice: ClassVar[bool] = True
    missing_methods: ClassVar[tuple[str, ...]] = ()  # how a graph is learned with it where values are missing
    fractional: ClassVar[bool] = False  # whether the weights of rows may have fractions
    marginal_likelihood: ClassVar[bool] = False  # whether exp(score) is the probability of the data given the graph

    def __post_init__(self) -> None:
        check_settings(self)

    @abstractmethod
    def hold(
        self,
        data: Dataset,
        *,
        threads: int | None = None,
        cache_mebibytes: int = 256,
        weights: NDArray[np.integer] | None = None,
    ) -> Any:
        """The rows with the statistics that this score needs; `weights` replace those of the data (a resample)."""

    def hold_pieces(self, source: Any, threads: int | None = None) -> Any:
        """What `scorer` needs of rows in pieces that do not fit into memory: by default their counts, when asked."""
        return source

    @abstractmethod
    def scorer(
        self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: RunControl | None = None
    ) -> FamilyScorer:
        """Local scores of rows: of those that `hold` gave, or of a source of the same statistics over pieces."""

    def memory_needed(self, data: Dataset | CountSource) -> float:
        """Bytes that the statistics take for all pairs of variables, checked before they are made."""
        return 0.0

    def variants(self) -> Sequence[Score]:
        """The scores that are tried in turn until two in a row are worse: this one, unless it leaves a choice."""
        return (self,)

    def explained(self, rows: Any, arcs: Sequence[tuple[int, int]]) -> float:
        """How well a graph explains the data, in a measure that all variants share; 0 where scores can be compared."""
        return 0.0

    def describe(self) -> str:
        """Name, log base and settings, for printing next to a number."""
        base = "e" if self.base == math.e else f"{self.base:g}"
        others = [f"{name} {_show(getattr(self, name))}" for name in declarations(self) if name != "base"]
        return ", ".join([self.name, f"log base {base}", *others])


@dataclass(frozen=True)
class CountScore(Score):
    """A score of discrete data that the core computes from the counts of a family.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> from mahc.scores import BDeu
    >>> isinstance(BDeu(), CountScore)
    True
    """

    missing_methods: ClassVar[tuple[str, ...]] = MISSING_METHODS

    @abstractmethod
    def formula(self, size: int, copies: int = 1, unit: int = 1) -> Formula:
        """How the core turns counts into bits, for `size` rows (or total weight), each stored `copies` times.

        Counts are in units, of which `unit` are a row: more than one where weights have fractions, which only scores
        that are `fractional` are given.
        """

    def hold(
        self,
        data: Dataset,
        *,
        threads: int | None = None,
        cache_mebibytes: int = 256,
        weights: NDArray[np.integer] | None = None,
    ) -> Any:
        """The rows as the core counts them."""
        from mahc.engine.wide_rows import hold_rows

        return hold_rows(data, threads, cache_mebibytes, weights)

    def scorer(
        self, rows: Any, penalty_divisors: Sequence[float] | None = None, control: RunControl | None = None
    ) -> FamilyScorer:
        """Local scores from counts, made in this process or elsewhere."""
        from mahc.engine.pass_scoring import count_scorer

        return count_scorer(rows, self, penalty_divisors, control)


@dataclass(frozen=True)
class PenalisedScore(CountScore):
    """Log-likelihood less a price per free parameter.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.

    Examples
    --------
    >>> from mahc.scores import BIC
    >>> BIC().price(1024)
    5.0
    """

    fractional: ClassVar[bool] = True

    @abstractmethod
    def price(self, size: int) -> float:
        """The price of one parameter in bits, for data of `size` rows."""

    def formula(self, size: int, copies: int = 1, unit: int = 1) -> Formula:
        """The price, also for parts of the rows, which families of incomplete data have."""
        from mahc.engine._native import Penalised

        top = max(2, math.ceil(math.log2(size)) + 1)
        return Penalised(self.price(size) * copies, [self.price(2**k) for k in range(top)], float(unit))


SCORES: Registry[type[Score]] = Registry("score", package="mahc.scores")


def make_score(name: str, **settings: object) -> Score:
    """Make a score by its name.

    Parameters
    ----------
    name : str
        One of "aic", "bdeu", "bge", "bic", "fnml", "gaussian-bic", "loglik", "mixed", "qnml", "smooth".
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
