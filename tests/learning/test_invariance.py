"""One answer: the order of columns, rows and states, labels, hash seed, threads and weights do not show in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shuffling import shuffled

import mahc
from mahc.data import Dataset
from mahc.networks import load_network, sample

ALGORITHMS = ("mahc", "hc", "tabu")
NETWORKS = ("alarm", "child", "insurance")
SHUFFLES = 23  # times three networks times three algorithms: 207


@cache
def drawn(network: str, rows: int = 1_000) -> Dataset:
    return sample(load_network(network), rows, seed=7)


def bits(learned: mahc.Learned) -> dict[str, object]:
    """All that must not change, compared with ==: equal to the bit."""
    return {
        "arcs": learned.arcs,
        "local scores": dict(zip(learned.variables, learned.local_scores, strict=True)),
        "averaged score": learned.averaged_score,
        "steps": [(s.move, s.tail, s.head, s.score, s.averaged_score) for s in learned.steps],
        "pruning": learned.pruning,
        "strengths": learned.strengths(),
    }


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("network", NETWORKS)
def test_no_order_and_no_label_shows_in_the_result(network: str, algorithm: str) -> None:
    data = drawn(network)
    expected = bits(mahc.learn(data, algorithm))
    rng = np.random.default_rng([NETWORKS.index(network), ALGORITHMS.index(algorithm)])
    for _ in range(SHUFFLES):
        assert bits(mahc.learn(shuffled(data, rng), algorithm)) == expected


@pytest.mark.parametrize("score", ["aic", "bdeu", "fnml", "qnml"])
def test_no_order_shows_under_any_score(score: str) -> None:
    data = drawn("child", 500)
    expected = bits(mahc.learn(data, objective=score))
    rng = np.random.default_rng(11)
    for _ in range(3):
        assert bits(mahc.learn(shuffled(data, rng), objective=score)) == expected


def test_knowledge_is_followed_alike_in_any_order() -> None:
    data = drawn("child")
    known = mahc.Knowledge(
        required_edges=[("Age", "Grunting"), ("Sick", "XrayReport")],
        forbidden_arcs=[("Disease", "LungParench")],
        tiers=[["BirthAsphyxia"], ["Disease", "Age"]],
        all_relevant=True,
    )
    first = mahc.learn(data, knowledge=known)
    rng = np.random.default_rng(3)
    for _ in range(5):
        again = mahc.learn(shuffled(data, rng), knowledge=known)
        assert bits(again) == bits(first)
        assert sorted(again.constraint_costs, key=str) == sorted(first.constraint_costs, key=str)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_repeated_rows_may_be_written_as_weights(algorithm: str) -> None:
    long = drawn("child", 3_000).select(drawn("child").names[:9])
    unique, counts = np.unique(np.stack(long.codes), axis=1, return_counts=True)
    short = Dataset.coded(long.names, long.labels, list(unique.astype(np.uint8)), counts)
    assert short.rows < long.rows
    assert bits(mahc.learn(short, algorithm)) == bits(mahc.learn(long, algorithm))


PROGRAM = """
import json, sys
import mahc
from mahc.networks import load_network, sample
data = sample(load_network("alarm"), 4_000, seed=7)
for threads in (1, 2, 3):
    for algorithm in ("mahc", "hc", "tabu"):
        found = mahc.learn(data, algorithm, threads=threads)
        print(json.dumps([algorithm, found.arcs, [x.hex() for x in found.local_scores], repr(found.averaged_score)]))
"""


def test_hash_seed_process_and_threads_do_not_show() -> None:
    printed = []
    for seed in "01":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", PROGRAM]
        printed.append(subprocess.run(words, env=environment, capture_output=True, check=True, text=True).stdout)
    assert printed[0] == printed[1]
    lines = [json.loads(line) for line in printed[0].splitlines()]
    assert len(lines) == 9
    assert lines[:3] == lines[3:6] == lines[6:]


@st.composite
def symmetric_tables(draw: st.DrawFn) -> list[list[int]]:
    """Few binary columns over few rows, some of them copies or complements: ties everywhere."""
    rows = draw(st.integers(2, 8))
    column = st.lists(st.integers(0, 1), min_size=rows, max_size=rows).filter(lambda c: len(set(c)) == 2)
    columns = draw(st.lists(column, min_size=1, max_size=4))
    for _ in range(draw(st.integers(1 if len(columns) == 1 else 0, 5 - len(columns)))):
        copied = draw(st.sampled_from(columns))
        columns.append([1 - x for x in copied] if draw(st.booleans()) else list(copied))
    return columns


@given(symmetric_tables(), st.sampled_from(ALGORITHMS), st.sampled_from(["bic", "aic", "bdeu"]), st.data())
def test_ties_in_tiny_symmetric_data_are_broken_alike(
    columns: list[list[int]], algorithm: str, score: str, data: st.DataObject
) -> None:
    names = [f"v{i}" for i in range(len(columns))]
    order = data.draw(st.permutations(range(len(columns))))
    rows = data.draw(st.permutations(range(len(columns[0]))))
    flips = data.draw(st.lists(st.booleans(), min_size=len(columns), max_size=len(columns)))
    straight = {name: [str(x) for x in column] for name, column in zip(names, columns, strict=True)}
    turned = {names[v]: ["ba"[columns[v][i] ^ flips[v]] for i in rows] for v in order}
    first = mahc.learn(straight, algorithm, objective=score, threads=1)
    again = mahc.learn(turned, algorithm, objective=score, threads=1)
    assert bits(again) == bits(first)


def test_file_order_follows_the_file() -> None:
    copies = {"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}
    backwards = dict(reversed(copies.items()))
    assert mahc.learn(copies, "hc").arcs == mahc.learn(backwards, "hc").arcs == (("a", "b"),)
    assert mahc.learn(copies, "hc", ties="file-order").arcs == (("a", "b"),)
    assert mahc.learn(backwards, "hc", ties="file-order").arcs == (("b", "a"),)
