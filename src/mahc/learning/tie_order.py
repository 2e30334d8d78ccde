"""The order of the variables by which ties are broken; it comes from the data, not from the file.

The variable with the larger marginal entropy comes first. Among equals the sorted counts of the states decide, then
how the variable's states are distributed over the rows relative to all other variables (refined until no more
variables can be distinguished). Only columns that are still equal, such as copies, are ordered by name. Nothing here
depends on the order of columns or rows, on the labels of states, or on the order of states. Plain climbs use this
order only where looking ahead finds two additions equal too (engine/cpp/search/lookahead.hpp).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountSource
from mahc.engine.counts import mix_bits
from mahc.errors import UnknownNameError

TIE_RULES = ("data", "file-order")
MOST_ROUNDS = 6


def order_variables(source: CountSource, ties: str = "data") -> list[int]:
    """The variables in the order by which ties are broken: `data` (see above) or `file-order`.

    >>> from mahc.data import read
    >>> from mahc.engine import EngineRows
    >>> order_variables(EngineRows(read({"skew": ["x", "x", "x", "y"], "flat": ["a", "b", "a", "b"]})))
    [1, 0]
    """
    if ties not in TIE_RULES:
        raise UnknownNameError("tie rule", ties, TIE_RULES)
    names = source.names
    variables = range(len(names))
    if ties == "file-order":
        return list(variables)
    profiles = [tuple(sorted(counts.tolist(), reverse=True)) for counts in source.marginals]
    keys = [(-round(_entropy(profile), 12), profile) for profile in profiles]
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    classes = [rank[key] for key in keys]
    signatures = classes if len(rank) == len(classes) else find_signatures(source, classes)
    return sorted(variables, key=lambda v: (classes[v], signatures[v], names[v]))


def find_signatures(source: CountSource, classes: Sequence[int]) -> list[int]:
    """One number per variable, from its class and its joint distribution with the others.

    A state's hash comes from its variable's class and its count; a row's hash from those of its states; then a
    state's hash takes in the sum of its rows, and so on, until a round distinguishes no more variables. Sums do not
    depend on any order. Numbers are equal only for variables that no round distinguishes.
    """
    found = np.array(classes, np.uint64)
    of_state = np.repeat(np.arange(len(classes)), [len(counts) for counts in source.marginals])
    counts = np.concatenate([np.asarray(counts).astype(np.uint64) for counts in source.marginals])
    hashes = mix_bits(mix_bits(found)[of_state] + counts)
    told_apart = len(set(classes))
    for _ in range(MOST_ROUNDS):
        unclear = _shared(found)
        sums = source.sum_row_hashes(hashes, unclear)
        changed = unclear[of_state]
        hashes[changed] = mix_bits(hashes ^ mix_bits(sums))[changed]
        summary = mix_bits(found)
        np.add.at(summary, of_state, mix_bits(hashes))
        found[unclear] = summary[unclear]
        now = len(set(found.tolist()))
        if now in (told_apart, len(found)):
            break
        told_apart = now
    return [int(number) for number in found]


def _shared(numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which of the numbers occur more than once."""
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    shared: NDArray[np.bool_] = counts[which] > 1
    return shared


def _entropy(profile: Sequence[int]) -> float:
    total = sum(profile)
    return -math.fsum(n / total * math.log2(n / total) for n in profile if n)
