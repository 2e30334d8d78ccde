"""The order of the variables by which ties are broken; it comes from the data, not from the file.

The variable with the larger marginal entropy comes first. Among equals the sorted counts of the states decide, then
how the variable's states are distributed over the rows relative to all other variables (refined until no more
variables can be distinguished), then what follows for the others if a state of one of the equals is singled out. Only
variables that a symmetry of the data exchanges, such as copies, are ordered by name. Nothing here depends on the order
of columns or rows, on the labels of states, or on the order of states. Plain climbs use this order only where looking
ahead finds two additions equal too (engine/cpp/search/lookahead.hpp).
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
MOST_TRIALS = 200  # passes over the data to distinguish variables by singling out one


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
    if len(rank) == len(classes):
        return sorted(variables, key=lambda v: classes[v])
    signatures = find_signatures(source, classes)
    keys_of = _separate(source, names, list(zip(classes, signatures, strict=True)))
    return sorted(variables, key=lambda v: (keys_of[v], names[v]))


def _separate(source: CountSource, names: Sequence[str], keys: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Longer keys, so that variables with equal ones are images of each other under a symmetry of the data.

    One state of a variable of the smallest tied group is singled out, and what follows for all variables is computed;
    of these states the one is taken for which that gives the least numbers. Where several do, the data are symmetric
    and the names decide, which then changes nothing but the names. States that even the names do not tell apart are all
    kept as alternatives, so that their labels decide nothing. Groups that the budget does not reach are left to
    the names as well.
    """
    sizes = [len(counts) for counts in source.marginals]
    first = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    by_name = sorted(range(len(names)), key=lambda v: names[v])
    alternatives: list[tuple[int, ...]] = [()]  # the states that are singled out
    left = MOST_TRIALS
    while True:
        groups: dict[tuple[int, ...], list[int]] = {}
        for v, key in enumerate(keys):
            groups.setdefault(key, []).append(v)
        tied = min(((len(group), key) for key, group in groups.items() if len(group) > 1), default=None)
        group = [] if tied is None else groups[tied[1]]
        left -= len(alternatives) * sum(sizes[v] for v in group)
        if not group or left < 0:
            return keys
        numbers = {key: place for place, key in enumerate(sorted(groups))}
        colours = [numbers[key] for key in keys]
        trials = []
        for marked in alternatives:
            for v in group:
                for state in range(first[v], first[v + 1]):
                    refined = find_signatures(source, colours, patience=3, marked=[*marked, state])
                    outcome = [(c, int(u != v), r) for u, (c, r) in enumerate(zip(colours, refined, strict=True))]
                    trials.append((sorted(outcome), [outcome[u] for u in by_name], outcome, (*marked, state)))
        best = min(trials, key=lambda trial: trial[:2])
        alternatives = [trial[3] for trial in trials if trial[:2] == best[:2]]
        keys = [(*key, *more[1:]) for key, more in zip(keys, best[2], strict=True)]


def find_signatures(
    source: CountSource, classes: Sequence[int], patience: int = 1, marked: Sequence[int] = ()
) -> list[int]:
    """One number per variable, from its class and its joint distribution with the others.

    A state's hash comes from its variable's class and its count; a row's hash from those of its states; then a
    state's hash takes in the sum of its rows, and so on, until `patience` rounds distinguish no more variables. Sums
    do not depend on any order. Numbers are equal only for variables that no round distinguishes. The `marked` states
    have hashes of their own.
    """
    found = np.array(classes, np.uint64)
    of_state = np.repeat(np.arange(len(classes)), [len(counts) for counts in source.marginals])
    counts = np.concatenate([np.asarray(counts).astype(np.uint64) for counts in source.marginals])
    hashes = mix_bits(mix_bits(found)[of_state] + counts)
    for place, state in enumerate(marked, 1):
        hashes[state] = mix_bits(hashes[state : state + 1] + np.uint64(place))[0]
    told_apart, in_vain = len(set(classes)), 0
    for _ in range(MOST_ROUNDS):
        unclear = _shared(found)
        sums = source.sum_row_hashes(hashes, unclear)
        changed = unclear[of_state]
        hashes[changed] = mix_bits(hashes ^ mix_bits(sums))[changed]
        summary = mix_bits(found)
        np.add.at(summary, of_state, mix_bits(hashes))
        found[unclear] = summary[unclear]
        now = len(set(found.tolist()))
        in_vain = in_vain + 1 if now == told_apart else 0
        if in_vain == patience or now == len(found):
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
