"""The order of the variables by which ties are broken; it comes from the data, not from the file.

Rule: the variable with the larger marginal entropy stands first; among equals the sorted counts of the states
decide, then how the variable's states sit on the rows among all other variables (refined until nothing more can
be told apart); only columns that all of this cannot tell apart, such as copies, stand in the order of their
names. Nothing here depends on the order of columns or rows, on the labels of states, or on the order of states.
Plain climbs ask this order only where the prospects of two additions are equal too (engine/cpp/search/prospects.hpp).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mahc.engine import EngineRows
from mahc.errors import UnknownNameError

TIE_RULES = ("data", "file-order")


def order_variables(rows: EngineRows, ties: str = "data") -> list[int]:
    """The variables in the order by which ties are broken: `data` (see above) or `file-order`.

    >>> from mahc.data import read
    >>> order_variables(EngineRows(read({"skew": ["x", "x", "x", "y"], "flat": ["a", "b", "a", "b"]})))
    [1, 0]
    """
    if ties not in TIE_RULES:
        raise UnknownNameError("tie rule", ties, TIE_RULES)
    names = rows.names
    variables = range(len(names))
    if ties == "file-order":
        return list(variables)
    profiles = [tuple(sorted(rows.native.marginal(v), reverse=True)) for v in variables]
    keys = [(-round(_entropy(profile), 12), profile) for profile in profiles]
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    classes = [rank[key] for key in keys]
    parted = classes
    if len(rank) < len(classes):
        parted = rows.native.part_variables(classes)
    return sorted(variables, key=lambda v: (classes[v], parted[v], names[v]))


def _entropy(profile: Sequence[int]) -> float:
    total = sum(profile)
    return -math.fsum(n / total * math.log2(n / total) for n in profile if n)
