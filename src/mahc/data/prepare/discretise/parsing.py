"""Discretisation rules from text, and from lists of cut points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mahc.data.prepare.discretise.given_cuts import GivenCuts
from mahc.data.prepare.discretise.rule import RULES, Rule
from mahc.errors import Choice, InvalidSettingError, Message, choices


def parse_rule(rule: str | Sequence[float]) -> Rule:
    """A rule from `equal-width:5`, `quantile:4`, `18,65` or a sequence of cut points.

    >>> parse_rule("quantile:4"), parse_rule([18, 65])
    (Quantile(bins=4), GivenCuts(cuts=(18.0, 65.0)))
    """
    if not isinstance(rule, str):
        return _given(rule)
    name, colon, bins = rule.partition(":")
    if not colon:
        try:
            return _given([float(part) for part in rule.split(",")])
        except ValueError:
            raise InvalidSettingError("discretise", rule, _forms()) from None
    factory = RULES[name]
    if not bins.isascii() or not bins.isdigit() or not 2 <= int(bins[:9]) <= 1000:
        raise InvalidSettingError("discretise", rule, "give a whole number of intervals from 2 to 1000")
    return factory(int(bins))


def _given(cuts: Sequence[float]) -> GivenCuts:
    try:
        points = tuple(float(cut) for cut in cuts)
    except (TypeError, ValueError):
        raise InvalidSettingError("discretise", cuts, _forms()) from None
    rising = all(low < high for low, high in pairwise(points))
    if not points or not rising or not np.isfinite(points).all():
        raise InvalidSettingError("discretise", list(points), "give finite cut points in rising order")
    return GivenCuts(points)


def _forms() -> Message:
    names = choices(f"{name}:5" for name in RULES.names())
    return Message("give ", names, " or cut points such as ", Choice((18, 65)))
