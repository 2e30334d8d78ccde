"""Structural intervention distances: gadjid against counting wrong effects pair by pair."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import oracles_graphs as oracle
import pytest

import mahc
from mahc.cli.main import run
from mahc.errors import MahcError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.measures import compare, intervention_distances


def parents(graph: MixedGraph, name: str) -> set[str]:
    return {edge.left for edge in graph.edges if edge.mark == "-->" and edge.right == name}


def ancestors(graph: MixedGraph, name: str) -> set[str]:
    found = parents(graph, name)
    for _ in graph.names:
        found |= {above for below in found for above in parents(graph, below)}
    return found


def says(graph: MixedGraph, cause: str, target: str, way: str) -> set[str] | str:
    """What a graph says of an effect: that there is none, that it is not identified, or what to adjust for."""
    known = graph.adjustment_sets(cause, target)
    if target in parents(graph, cause) if way == "parent" else known.effect == "no":
        return "no effect"
    if not known.sets and way != "parent":
        return "not identified"
    if way == "parent":
        doubt = known.effect != "no" and not known.sets
        return "not identified" if doubt else parents(graph, cause)
    return set(known.optimal or ()) if way == "optimal" else ancestors(graph, cause)


def count_wrong(learned: MixedGraph, true: MixedGraph, way: str) -> int:
    wrong = 0
    for cause, target in permutations(true.names, 2):
        said, truth = says(learned, cause, target, way), true.adjustment_sets(cause, target)
        if said == "no effect":
            wrong += truth.effect != "no"
        elif said == "not identified":
            wrong += truth.effect == "no" or bool(truth.sets)
        else:
            wrong += not truth.is_valid(said)
    return wrong


def random_pair(rng: np.random.Generator) -> list[DAG]:
    n = int(rng.integers(3, 6))
    names = [f"v{i}" for i in range(n)]
    return [DAG.from_parents(names, oracle.random_dag(n, rng.uniform(0.2, 0.7), rng)) for _ in range(2)]


@pytest.mark.parametrize("seed", range(6))
def test_the_distances_are_counts_of_wrong_effects(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(2):
        for learned in (graphs := random_pair(rng))[0].to_mixed(), dag_to_cpdag(graphs[0]):
            for true in (graphs[1].to_mixed(), dag_to_cpdag(graphs[1])):
                found = intervention_distances(learned, true)
                for way in ("parent", "ancestor", "optimal"):
                    assert getattr(found, way) == count_wrong(learned, true, way), (learned, true, way)


def test_names_decide_and_not_the_order_of_columns() -> None:
    rng = np.random.default_rng(1)
    learned, true = random_pair(rng)
    found = intervention_distances(learned, true)
    assert intervention_distances(learned.reorder(rng.permutation(learned.names).tolist()), true) == found
    assert compare(learned, true, "dag").distances() == found


def test_other_graphs_are_refused() -> None:
    pag = MixedGraph(["a", "b"], [("a", "o->", "b")])
    known = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("a", "---", "c")])
    for learned, text in ((pag, "o->"), (known, "nor a CPDAG")):
        with pytest.raises(MahcError, match=text):
            intervention_distances(learned, DAG(learned.names))
    with pytest.raises(MahcError, match="different variables"):
        intervention_distances(pag, DAG(["a", "c"]))


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    mahc.learn("asia", "hc").save(tmp_path / "result.json")
    outputs = []
    for more in (["--distances"], ["--distances", "--json"], ["--json"]):
        with pytest.raises(SystemExit):
            run(["compare", str(tmp_path), "asia", *more])
        outputs.append(capsys.readouterr().out)
    distances = json.loads(outputs[1])["distances"]
    assert distances["pairs"] == 56
    assert f"parents (SID)            {distances['parent']:>6}" in outputs[0]
    assert "distances" not in json.loads(outputs[2])
