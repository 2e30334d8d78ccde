"""The order of the variables by which ties are broken; it comes from the data, not from the file.

Rule: the variable with the larger marginal entropy stands first; among equals the sorted counts of the states
decide, then how the variable's states sit on the rows among all other variables (refined until nothing more can
be told apart); only columns that all of this cannot tell apart, such as copies, stand in the order of their
names. Nothing here depends on the order of columns or rows, on the labels of states, or on the order of states.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.errors import UnknownNameError

Words = NDArray[np.uint64]
TIE_RULES = ("data", "file-order")


def order_variables(data: Dataset, ties: str = "data") -> list[int]:
    """The variables in the order by which ties are broken: `data` (see above) or `file-order`.

    >>> from mahc.data import read
    >>> order_variables(read({"flat": ["a", "b", "a", "b"], "skew": ["x", "x", "x", "y"]}))
    [0, 1]
    """
    if ties not in TIE_RULES:
        raise UnknownNameError("tie rule", ties, TIE_RULES)
    variables = range(len(data.names))
    if ties == "file-order":
        return list(variables)
    counts = [_count(data, v) for v in variables]
    profiles = [tuple(sorted((int(n) for n in c), reverse=True)) for c in counts]
    keys = [(-round(_entropy(profile), 12), profile) for profile in profiles]
    classes = _number(keys)
    if len(set(classes)) < len(classes):
        refined = _refine(data, counts, classes)
        classes = _number(list(zip(classes, refined, strict=True)))
    return sorted(variables, key=lambda v: (classes[v], data.names[v]))


def _count(data: Dataset, v: int) -> NDArray[np.int64]:
    if data.weights is None:
        return np.bincount(data.columns[v], minlength=len(data.states[v])).astype(np.int64)
    counts = np.zeros(len(data.states[v]), np.int64)
    np.add.at(counts, data.columns[v], data.weights)
    return counts


def _entropy(profile: Sequence[int]) -> float:
    total = sum(profile)
    return -math.fsum(n / total * math.log2(n / total) for n in profile if n)


def _number(keys: Sequence[object]) -> list[int]:
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}  # type: ignore[type-var]
    return [ranks[key] for key in keys]


def _refine(data: Dataset, counts: Sequence[NDArray[np.int64]], classes: Sequence[int]) -> list[int]:
    """A number per variable that tells tied ones apart by the company their states keep.

    Each state starts as a hash of its variable's class and its count; a row is the sum of the hashes of its
    states, a state the sum of its rows, in turn, so that after a few rounds a state's hash speaks of the whole
    table. Sums do not see any order. A constant column says nothing about the rows and is left out of them.
    """
    states = [_mix(_mix(np.full(len(c), k, np.uint64)) + c.astype(np.uint64)) for c, k in zip(counts, classes, strict=True)]
    weights = None if data.weights is None else data.weights.astype(np.uint64)
    parted: list[int] = []
    for _ in range(4):
        rows = np.zeros(data.rows, np.uint64)
        for v, column in enumerate(data.columns):
            if len(counts[v]) > 1:
                rows += _mix(states[v])[column]
        rows = _mix(rows)
        if weights is not None:
            rows *= weights
        states = [
            _mix(states[v] ^ _mix(_sum_by_state(rows, column, len(counts[v])))) for v, column in enumerate(data.columns)
        ]
        summary = [int(_mix(s).sum(dtype=np.uint64)) for s in states]
        found = len(set(zip(classes, summary, strict=True)))
        parted = summary
        if found == len(classes):
            break
    return parted


def _sum_by_state(rows: Words, column: NDArray[np.unsignedinteger], states: int) -> Words:
    # Sums of 64-bit words per state, wrapping around; halves fit exactly into the doubles of bincount.
    total = np.zeros(states, np.uint64)
    for shift in (0, 16, 32, 48):
        part = ((rows >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64)
        sums = np.bincount(column, weights=part, minlength=states).astype(np.uint64)
        total += sums << np.uint64(shift)
    return total


def _mix(words: Words) -> Words:
    z = words + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
