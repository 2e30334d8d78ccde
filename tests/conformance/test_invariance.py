"""Every algorithm gives one answer: no order of columns, rows or states, no label, hash seed or thread shows in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shuffling import shuffled

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data import Dataset
from mahc.graphs import Mark
from mahc.networks import load_network, sample

NAMES = sorted(ALGORITHMS)
SHUFFLES = 4


@cache
def drawn(network: str, rows: int) -> Dataset:
    return sample(load_network(network), rows, seed=11)


def bits(learned: mahc.Learned) -> dict[str, object]:
    """All that must not change, compared with ==: equal to the bit."""
    scores = learned.local_scores
    return {
        "arcs": learned.arcs,
        "edges": ends(learned.pattern),
        "extension": learned.extension,
        "local scores": None if scores is None else dict(zip(learned.variables, scores, strict=True)),
        "averaged score": learned.averaged_score,
        "steps": [(s.move, s.tail, s.head, s.score, s.averaged_score) for s in learned.steps],
        "strengths": learned.strengths(),
        "stop reason": learned.stop_reason,
    }


def ends(graph: mahc.MixedGraph) -> set[tuple[str, Mark, str]]:
    """Both ends of every edge with the mark there, whichever is named first."""
    pairs = [pair for edge in graph.edges for pair in ((edge.left, edge.right), (edge.right, edge.left))]
    return {(a, graph.mark(a, b), b) for a, b in pairs}


@pytest.mark.parametrize("algorithm", NAMES)
@pytest.mark.parametrize(("network", "rows"), [("asia", 500), ("child", 400)])
def test_no_order_and_no_label_shows(algorithm: str, network: str, rows: int) -> None:
    data = drawn(network, rows)
    expected = bits(mahc.learn(data, algorithm))
    rng = np.random.default_rng(NAMES.index(algorithm))
    for _ in range(SHUFFLES):
        assert bits(mahc.learn(shuffled(data, rng), algorithm)) == expected


@st.composite
def symmetric_tables(draw: st.DrawFn) -> list[list[int]]:
    """Few binary columns over few rows, copies among them: ties everywhere."""
    rows = draw(st.integers(2, 8))
    column = st.lists(st.integers(0, 1), min_size=rows, max_size=rows).filter(lambda c: len(set(c)) == 2)
    columns = draw(st.lists(column, min_size=2, max_size=4))
    return [*columns, list(draw(st.sampled_from(columns)))]


@pytest.mark.parametrize("algorithm", NAMES)
@given(columns=symmetric_tables(), data=st.data())
@settings(max_examples=25)
def test_ties_are_broken_alike(algorithm: str, columns: list[list[int]], data: st.DataObject) -> None:
    names = [f"v{i}" for i in range(len(columns))]
    order = data.draw(st.permutations(range(len(columns))))
    rows = data.draw(st.permutations(range(len(columns[0]))))
    straight = {name: [str(x) for x in column] for name, column in zip(names, columns, strict=True)}
    turned = {names[v]: ["ba"[columns[v][i]] for i in rows] for v in order}
    expected = bits(mahc.learn(straight, algorithm, threads=1))
    assert bits(mahc.learn(turned, algorithm, threads=1)) == expected


@pytest.mark.parametrize("algorithm", NAMES)
def test_repeated_rows_may_be_written_as_weights(algorithm: str) -> None:
    long = drawn("asia", 2_000)
    unique, counts = np.unique(np.stack(long.codes), axis=1, return_counts=True)
    short = Dataset.coded(long.names, long.labels, tuple(unique.astype(np.uint8)), counts)
    assert bits(mahc.learn(short, algorithm)) == bits(mahc.learn(long, algorithm))


PROGRAM = """
import json
import mahc
from mahc.networks import load_network, sample
from mahc.algorithms import ALGORITHMS
data = sample(load_network("sachs"), 1_000, seed=7)
for threads in (1, 2, 3):
    for algorithm in sorted(ALGORITHMS):
        found = mahc.learn(data, algorithm, threads=threads)
        scores = [x.hex() for x in found.local_scores or ()]
        print(json.dumps([algorithm, found.arcs, found.extension, scores, repr(found.pattern.edges)]))
"""


def test_hash_seed_process_and_threads_do_not_show() -> None:
    printed = []
    for seed in "01":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", PROGRAM]
        printed.append(subprocess.run(words, env=environment, capture_output=True, check=True, text=True).stdout)
    assert printed[0] == printed[1]
    lines = [json.loads(line) for line in printed[0].splitlines()]
    count = len(NAMES)
    assert [line[0] for line in lines] == NAMES * 3
    assert lines[:count] == lines[count : 2 * count] == lines[2 * count :]
