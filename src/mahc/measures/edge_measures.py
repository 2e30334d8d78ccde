"""The measures of the paper: precision, recall, F1, SHD and BSF."""

from __future__ import annotations

from mahc.measures.counts import MEASURES, Counts


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
