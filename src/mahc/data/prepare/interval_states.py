"""States that are named like intervals: the cut points they tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from mahc.data.prepare.discretise.interval_labels import interval_labels
from mahc.data.settings import MISSING_STATE

_NUMBER = r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
_INTERVAL = re.compile(rf"<= {_NUMBER}|\({_NUMBER}, {_NUMBER}\]|> {_NUMBER}")


def cut_points_of(states: Sequence[str]) -> tuple[float, ...] | None:
    """The cut points between states that are named like intervals; None if a state is not.

    Some intervals may be absent, because a variable has the states that occur. A state for missing values is ignored.

    >>> cut_points_of(["<= 18", "(18, 65]", "> 65"])
    (18.0, 65.0)
    >>> cut_points_of(["young", "> 65"]) is None
    True
    """
    ends: set[float] = set()
    for state in states:
        if state == MISSING_STATE:
            continue
        match = _INTERVAL.fullmatch(state)
        if match is None:
            return None
        ends.update(float(end) for end in match.groups() if end is not None)
    cuts = tuple(sorted(ends))
    return cuts if cuts and set(interval_labels(np.array(cuts))) | {MISSING_STATE} >= set(states) else None
