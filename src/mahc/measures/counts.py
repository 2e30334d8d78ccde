"""The four counts that a comparison comes down to, and the measures made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mahc.errors import SettingError
from mahc.registry import Registry


@dataclass(frozen=True)
class Counts:
    """Pairs of variables by how the learnt edge matches the true one, in the conventions of the paper.

    `matched` edges agree in both marks, `partial` ones are edges in both graphs with other marks, `missing`
    ones are in the true graph only, `extra` ones in the learnt graph only.

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
            raise SettingError(f"no two graphs over {self.variables} variables compare as {self}")

    @property
    def present(self) -> int:
        """Edges of the true graph: E_P."""
        return self.matched + self.partial + self.missing

    @property
    def absent(self) -> int:
        """Pairs that the true graph does not join: E_A."""
        return self.variables * (self.variables - 1) // 2 - self.present

    @property
    def learnt(self) -> int:
        """Edges of the learnt graph."""
        return self.matched + self.partial + self.extra

    @property
    def true_positives(self) -> float:
        """A complete match counts one, a partial match a half."""
        return self.matched + self.partial / 2

    def measure(self, name: str) -> float:
        """One of the registered measures."""
        return MEASURES[name](self)


Measure = Callable[[Counts], float]
MEASURES: Registry[Measure] = Registry("measure")


@MEASURES.register("precision")
def precision(counts: Counts) -> float:
    """True positives among the learnt edges; 0 where nothing was learnt."""
    return _share(counts.true_positives, counts.learnt)


@MEASURES.register("recall")
def recall(counts: Counts) -> float:
    """True positives among the true edges; 0 where there are none."""
    return _share(counts.true_positives, counts.present)


@MEASURES.register("f1")
def f1(counts: Counts) -> float:
    """Harmonic mean of precision and recall; 0 where both are 0."""
    both = precision(counts) + recall(counts)
    return _share(2 * precision(counts) * recall(counts), both)


@MEASURES.register("shd")
def shd(counts: Counts) -> float:
    """Structural Hamming distance: a wrong mark costs a half, a missing or extra edge one."""
    return counts.missing + counts.extra + counts.partial / 2


@MEASURES.register("bsf")
def bsf(counts: Counts) -> float:
    """Balanced: 1 the truth, 0 like no edges or all, -1 its inverse; a wrong mark is no extra edge."""
    false_negatives = counts.missing + counts.partial / 2
    true_negatives = counts.absent - counts.extra
    return 0.5 * (
        _share(counts.true_positives, counts.present)
        + _share(true_negatives, counts.absent)
        - _share(counts.extra, counts.absent)
        - _share(false_negatives, counts.present)
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
