"""The four counts of a comparison, and the measures computed from them, with their registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mahc.errors import SettingError
from mahc.plurals import count
from mahc.registry import Registry

MEASURES: Registry[Measure] = Registry("measure", package="mahc.measures")


@dataclass(frozen=True)
class Counts:
    """Numbers of pairs of variables by how the learned edge matches the true one, as the paper counts them.

    Parameters
    ----------
    variables : int
        Number of variables.
    matched : int
        Pairs with the same edge in both graphs.
    partial : int
        Pairs with an edge in both graphs, with different marks.
    extra : int
        Pairs with an edge in the learned graph only.
    missing : int
        Pairs with an edge in the true graph only.

    Examples
    --------
    >>> asia = Counts(variables=8, matched=0, partial=5, extra=1, missing=3)  # HC on 100 rows, Table B1
    >>> [round(asia.measure(name), 4) for name in ("bsf", "shd", "f1", "recall", "precision")]
    [0.2625, 6.5, 0.3571, 0.3125, 0.4167]
    """

    variables: int
    matched: int
    partial: int
    extra: int
    missing: int

    def __post_init__(self) -> None:
        edges = self.matched + self.partial + self.missing + self.extra
        fewest = min(self.matched, self.partial, self.extra, self.missing)
        if fewest < 0 or edges > self.variables * (self.variables - 1) // 2:
            raise SettingError(f"no two graphs over {count(self.variables, 'variable')} compare as {self}")

    @property
    def present(self) -> int:
        """The number of edges in the true graph: E_P."""
        return self.matched + self.partial + self.missing

    @property
    def absent(self) -> int:
        """The number of pairs that are not adjacent in the true graph: E_A."""
        return self.variables * (self.variables - 1) // 2 - self.present

    @property
    def learned(self) -> int:
        """The number of edges in the learned graph."""
        return self.matched + self.partial + self.extra

    @property
    def true_positives(self) -> float:
        """A match counts 1, a partial match 1/2."""
        return self.matched + self.partial / 2

    def measure(self, name: str) -> float:
        """The value of a registered measure."""
        return MEASURES[name](self)


Measure = Callable[[Counts], float]


@MEASURES.register("precision")
def precision(counts: Counts) -> float:
    """True positives over learned edges; 0 if there are none."""
    return _ratio(counts.true_positives, counts.learned)


@MEASURES.register("recall")
def recall(counts: Counts) -> float:
    """True positives over true edges; 0 if there are none."""
    return _ratio(counts.true_positives, counts.present)


@MEASURES.register("f1")
def f1(counts: Counts) -> float:
    """Harmonic mean of precision and recall; 0 if both are 0."""
    both = precision(counts) + recall(counts)
    return _ratio(2 * precision(counts) * recall(counts), both)


@MEASURES.register("shd")
def shd(counts: Counts) -> float:
    """Structural Hamming distance: 1/2 for a wrong mark, 1 for a missing or extra edge."""
    return counts.missing + counts.extra + counts.partial / 2


@MEASURES.register("bsf")
def bsf(counts: Counts) -> float:
    """Balanced scoring function: 1 for the true graph, 0 for the empty or complete graph, -1 for the complement."""
    false_negatives = counts.missing + counts.partial / 2
    true_negatives = counts.absent - counts.extra
    return 0.5 * (
        _ratio(counts.true_positives, counts.present)
        + _ratio(true_negatives, counts.absent)
        - _ratio(counts.extra, counts.absent)
        - _ratio(false_negatives, counts.present)
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
