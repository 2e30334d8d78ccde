"""Names of intervals."""

from __future__ import annotations

from itertools import pairwise

from mahc.data.prepare.discretise.rule import Reals


def interval_labels(cuts: Reals) -> list[str]:
    """The names of the intervals, with as few digits as distinguish the cut points.

    >>> import numpy as np
    >>> interval_labels(np.array([18.0, 65.0]))
    ['<= 18', '(18, 65]', '> 65']
    """
    if not len(cuts):
        return ["any"]
    texts_by_digits = ([_format_number(cut, digits) for cut in cuts.tolist()] for digits in (6, 9, 12, 17))
    shown = next(texts for texts in texts_by_digits if len(set(texts)) == len(cuts))
    inner = [f"({low}, {high}]" for low, high in pairwise(shown)]
    return [f"<= {shown[0]}", *inner, f"> {shown[-1]}"]


def _format_number(cut: float, digits: int) -> str:
    """The number with this many digits, or more if it has more before the decimal point.

    >>> _format_number(0.1 + 0.2, 6), _format_number(1250000.0, 6)
    ('0.3', '1250000')
    """
    before_point = len(str(int(abs(cut)))) if abs(cut) < 1e15 else 0
    return f"{cut:.{max(digits, before_point)}g}"
