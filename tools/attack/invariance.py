"""The same answer, whatever the names, the orders and the labels: small data, many of them symmetric.

A comparison is one run of an algorithm on a copy of the data with other names of variables, another order of columns
and rows, other labels of states, and another number of threads. The score, or where there is none the number of edges
of each kind, must be the same to the last bit.
"""

from __future__ import annotations

import itertools
import logging
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fuzz import Outcome

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.confidence import validate

NAMES = ("b", "K", "zeta", "a b", "Ä", "_1", "m")
LABELS = ("no", "yes", "0", "10", "9", "Z")
COPIES = 9  # of each data set

Rows = list[tuple[int, ...]]


def attack_invariance(seed: int, comparisons: int, seconds: float) -> Outcome:
    """Compare so many copies, or as many as the time allows."""
    logging.disable(logging.WARNING)
    end, outcome, case = time.monotonic() + seconds, Outcome(), 0
    while outcome.cases < comparisons and time.monotonic() < end:
        chance = random.Random(f"{seed} {case}")
        rows = make_rows(chance)
        for algorithm in sorted(ALGORITHMS):
            expected = _answer(_copy(rows, random.Random(0)), algorithm, 1)
            for _ in range(COPIES):
                found = _answer(_copy(rows, chance), algorithm, chance.choice([1, 2]))
                outcome.cases += 1
                if found != expected:
                    outcome.faults.append(f"invariance, seed {seed}, case {case}, {algorithm}: {found} for {expected}")
                    break
        case += 1
    return outcome


def attack_resamples(seed: int, comparisons: int, seconds: float) -> Outcome:
    """Other labels and orders give the same frequencies of edges, and the same bits of held-out rows.

    Rows of even sum are left out: no refinement tells their states apart, and labels may decide there.
    """
    logging.disable(logging.WARNING)
    end, outcome = time.monotonic() + seconds, Outcome()
    while outcome.cases < comparisons and time.monotonic() < end:
        chance = random.Random(f"resamples {seed} {outcome.cases}")
        rows = make_rows(chance, ("turned", "repeated"))
        names = chance.sample(NAMES, len(rows[0]))
        first, second = (_resample(_copy(rows, chance, names)) for _ in range(2))
        outcome.cases += 1
        if not _alike(first, second):
            outcome.faults.append(f"resamples, seed {seed}, case {outcome.cases}: {first} and {second}")
    return outcome


def _resample(columns: dict[str, list[str]]) -> object:
    try:
        found = mahc.bootstrap(columns, "hc", resamples=8, threads=1)
        held = validate(columns, ["hc"], folds=2, threads=1)
    except mahc.MahcError as refusal:
        return type(refusal).__name__
    pairs = itertools.permutations(sorted(columns), 2)
    return {pair: found.edge(*pair) for pair in pairs}, held.held[0].fold_bits


def _alike(first: Any, second: Any) -> bool:
    """The same edges; the bits may differ in their last digits, because states are summed in their order."""
    if isinstance(first, str) or isinstance(second, str):
        return bool(first == second)
    close = [math.isclose(a, b, rel_tol=1e-9) for a, b in zip(first[1], second[1], strict=True)]
    return first[0] == second[0] and all(close)


def make_rows(chance: random.Random, kinds: Sequence[str] = ("turned", "repeated", "even")) -> Rows:
    """Small data: turned round their columns, repeated, or of even sum, with or without a few rows that disturb it."""
    columns, states = chance.randint(3, 5), chance.randint(2, 3)
    some = [tuple(chance.randrange(states) for _ in range(columns)) for _ in range(chance.randint(2, 8))]
    kind = chance.choice(kinds)
    if kind == "turned":
        some = [row[k:] + row[:k] for row in some for k in range(columns)]
    elif kind == "repeated":
        some *= chance.randint(2, 6)
    else:
        every = itertools.product(range(states), repeat=columns)
        some = [row for row in every if sum(row) % states == 0] * 2 + some[: chance.randint(0, 2)]
    kept = [v for v in range(columns) if len({row[v] for row in some}) > 1]
    return [tuple(row[v] for v in kept) for row in some] if len(kept) > 2 else make_rows(chance, kinds)


def _copy(rows: Rows, chance: random.Random, names: Sequence[str] = ()) -> dict[str, list[str]]:
    columns = len(rows[0])
    names = names or chance.sample(NAMES, columns)
    labels = [chance.sample(LABELS, 3) for _ in range(columns)]
    rows = chance.sample(rows, len(rows))
    order = chance.sample(range(columns), columns)
    return {names[v]: [labels[v][row[v]] for row in rows] for v in order}


def _answer(columns: dict[str, list[str]], algorithm: str, threads: int) -> object:
    try:
        learned = mahc.learn(columns, algorithm, threads=threads)
    except mahc.MahcError as refusal:
        return type(refusal).__name__
    edges = learned.edges
    kinds = len(learned.arcs) if edges is None else sorted(Counter(edge.mark.strip("o<>") for edge in edges).items())
    return learned.score, kinds
