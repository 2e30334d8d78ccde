"""Other names of the variables: the same score, in all namings of small data that tie."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

import mahc
from mahc.algorithms import ALGORITHMS

pytestmark = pytest.mark.long

# Data of which the order by names changed the score: found by tools/attack/invariance.py.
PARITY = [(a, b, c, (a + b + c) % 2) for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 2 + [(0, 0, 0, 1)]
TURNED = [row[k:] + row[:k] for row in ((0, 0, 1, 1), (0, 1, 1, 2), (2, 0, 0, 1)) for k in range(4)]
COPIES = [(0, 1, 0, 1), (2, 2, 0, 1), (0, 0, 1, 0)] * 3
NAMES = "abcd"


def answer(rows: list[tuple[int, ...]], names: tuple[str, ...], algorithm: str) -> tuple[object, ...]:
    columns = {name: [str(row[v]) for row in rows] for v, name in enumerate(names)}
    learned = mahc.learn(columns, algorithm, threads=1)
    degrees = Counter(name for pair in learned.outcome.adjacent for name in tuple(pair)[:1] + tuple(pair)[-1:])
    return learned.score, len(learned.outcome.adjacent), sorted(degrees.values())


@pytest.mark.parametrize("rows", [PARITY, TURNED, COPIES], ids=["parity", "turned", "copies"])
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_all_namings_have_one_score(algorithm: str, rows: list[tuple[int, ...]]) -> None:
    namings = list(permutations(NAMES))
    expected = answer(rows, namings[0], algorithm)
    for names in namings[1:]:
        assert answer(rows, names, algorithm) == expected, names
