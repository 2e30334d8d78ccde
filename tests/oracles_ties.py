"""The order of `mahc.learning.tie_order` in plain Python: keys are growing tuples, trials are sorted lists."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mahc.engine import EngineRows
from mahc.engine.counts import mix_bits
from mahc.learning.tie_order import MOST_ROUNDS, MOST_TRIALS

Key = tuple[int, ...]


def order_slowly(source: EngineRows) -> list[int]:
    """The variables in the order by which ties are broken."""
    profiles = [tuple(sorted(counts.tolist(), reverse=True)) for counts in source.marginals]
    keys = [(-round(_entropy(profile), 12), profile) for profile in profiles]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    classes = [places[key] for key in keys]
    names = source.names
    found: list[Key] = [(place,) for place in classes]
    if len(places) < len(classes):
        found = _separate(source, list(zip(classes, _refine(source, classes), strict=True)))
    return sorted(range(len(names)), key=lambda v: (found[v], names[v]))


def _separate(source: EngineRows, keys: list[Key]) -> list[Key]:
    names, sizes = source.names, [len(counts) for counts in source.marginals]
    first = [sum(sizes[:v]) for v in range(len(sizes) + 1)]
    by_name = sorted(range(len(names)), key=lambda v: names[v])
    alternatives: list[Key] = [()]
    left = MOST_TRIALS
    too_large: set[int] = set()  # variables of classes with too many states for the budget
    while True:
        groups: dict[Key, list[int]] = {}
        for v, key in enumerate(keys):
            groups.setdefault(key, []).append(v)
        tied = [
            (len(group), key)
            for key, group in groups.items()
            if len(group) > 1 and too_large.isdisjoint(group) and not _are_copies(source, group)
        ]
        if not tied:
            return keys
        _, smallest = min(tied)
        group = groups[smallest]
        trial_count = len(alternatives) * sum(sizes[v] for v in group)
        if trial_count > left:
            too_large.update(group)
            continue
        left -= trial_count
        numbers = {key: place for place, key in enumerate(sorted(groups))}
        colours = [numbers[key] for key in keys]
        trials = []
        for marked in alternatives:
            for v in group:
                for state in range(first[v], first[v + 1]):
                    refined = _refine(source, colours, 3, [*marked, state])
                    outcome = [(c, int(u != v), r) for u, (c, r) in enumerate(zip(colours, refined, strict=True))]
                    trials.append((sorted(outcome), [outcome[u] for u in by_name], outcome, (*marked, state)))
        best = min(trials, key=lambda trial: trial[:2])
        alternatives = [trial[3] for trial in trials if trial[:2] == best[:2]]
        keys = [(*key, *more[1:]) for key, more in zip(keys, best[2], strict=True)]


def _are_copies(source: EngineRows, group: Sequence[int]) -> bool:
    """Whether all these columns divide the rows in the same way."""
    divisions = set()
    for v in group:
        codes = source.data.codes[v].tolist()
        number = {code: place for place, code in enumerate(dict.fromkeys(codes))}
        divisions.add(tuple(number[code] for code in codes))
    return len(divisions) == 1


def _refine(source: EngineRows, classes: Sequence[int], patience: int = 1, marked: Sequence[int] = ()) -> list[int]:
    found = np.array(classes, np.uint64)
    of_state = np.repeat(np.arange(len(classes)), [len(counts) for counts in source.marginals])
    counts = np.concatenate([np.asarray(counts).astype(np.uint64) for counts in source.marginals])
    hashes = mix_bits(mix_bits(found)[of_state] + counts)
    for place, state in enumerate(marked, 1):
        hashes[state] = mix_bits(hashes[state : state + 1] + np.uint64(place))[0]
    told_apart, in_vain = len(set(classes)), 0
    for _ in range(MOST_ROUNDS):
        numbers = found.tolist()
        unclear = np.array([numbers.count(number) > 1 for number in numbers])
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


def _entropy(profile: Sequence[int]) -> float:
    total = sum(profile)
    return -math.fsum(n / total * math.log2(n / total) for n in profile if n)
