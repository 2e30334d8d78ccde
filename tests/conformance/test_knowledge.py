"""Every algorithm obeys knowledge, and refuses knowledge that no graph satisfies."""

from __future__ import annotations

import itertools
import random
from typing import Any

import networkx as nx
import pytest
from oracles_knowledge import NAMES
from random_learning import dependent_data, random_knowledge

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.errors import KnowledgeError, MahcError
from mahc.knowledge.knowledge import Knowledge
from mahc.networks import load_network, sample

pytestmark = pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))

KNOWN = Knowledge(
    required_arcs=[("xray", "asia")],
    required_edges=[("smoke", "tub")],
    forbidden_arcs=[("either", "dysp")],
    forbidden_edges=[("smoke", "bronc")],
    tiers=[["xray"], ["lung", "either"]],
    max_parents={"dysp": 1},
)


def what_it_takes(algorithm: str, known: Knowledge) -> Knowledge:
    """The knowledge without what this algorithm says it has no use for, and refuses."""
    idle = ALGORITHMS[algorithm].idle
    return Knowledge.from_dict({name: value for name, value in known.to_dict().items() if name not in idle})


def disobeyed(known: Knowledge, graph: mahc.DAG | mahc.MixedGraph) -> list[str]:
    """What the graph has or lacks against what was said."""
    if isinstance(graph, mahc.DAG):
        arcs, joined = set(graph.arcs), {frozenset(arc) for arc in graph.arcs}
    else:
        arcs = {(edge.left, edge.right) for edge in graph.edges if edge.mark == "-->"}
        joined = {frozenset((edge.left, edge.right)) for edge in graph.edges}
    found = [f"lacks {arc}" for arc in known.required_arcs if arc not in arcs]
    found += [f"lacks {edge}" for edge in known.required_edges if frozenset(edge) not in joined]
    found += [f"has {arc}" for arc in known.forbidden_arcs if arc in arcs]
    found += [f"has {edge}" for edge in known.forbidden_edges if frozenset(edge) in joined]
    found += [
        f"{name} has too many" for name, most in known.max_parents.items() if sum(b == name for _, b in arcs) > most
    ]
    for (early, before), (late, after) in itertools.permutations(known.tier_of.items(), 2):
        if before < after and early in descendants(arcs, late):
            found.append(f"{late} leads to {early}")
        if known.strict_tiers and before == after and frozenset((early, late)) in joined:
            found.append(f"{early} and {late} are joined within a tier")
    return found


def descendants(arcs: set[tuple[str, str]], name: str) -> set[str]:
    reached: set[str] = set()
    fresh = {name}
    while fresh:
        fresh = {b for a, b in arcs if a in fresh} - reached
        reached |= fresh
    return reached


def check_obedience(known: Knowledge, learned: mahc.Learned) -> None:
    assert disobeyed(known, learned.graph) == []
    if learned.without_dag is None:
        assert disobeyed(known, learned.dag) == []


def test_everything_known_is_obeyed(algorithm: str) -> None:
    data = sample(load_network("asia"), 2_000, seed=2)
    known = what_it_takes(algorithm, KNOWN)
    check_obedience(known, mahc.learn(data, algorithm, knowledge=known))


def test_whatever_is_known_is_obeyed_or_refused(algorithm: str) -> None:
    """Random knowledge about random data; what cannot be fulfilled is refused."""
    followed = 0
    for seed in range(60):
        rng = random.Random(seed)
        names = NAMES[: rng.randint(3, 5)]
        data, known = dependent_data(rng, names, 60), what_it_takes(algorithm, random_knowledge(rng, names))
        try:
            learned = mahc.learn(data, algorithm, knowledge=known, threads=1)
        except KnowledgeError:
            continue
        followed += 1
        check_obedience(known, learned)
    assert followed > 20


def test_what_would_change_nothing_is_refused(algorithm: str) -> None:
    data = sample(load_network("asia"), 50, seed=2)
    said: dict[str, Any] = {"targets": {"asia": 2.0}, "all_relevant": True, "max_parents": {"asia": 1}}
    said["beliefs"] = ["asia -> tub = 0.7"]
    for name in ALGORITHMS[algorithm].idle:
        given = {"start": [("asia", "tub")]} if name == "start" else {"knowledge": {name: said[name]}}
        with pytest.raises(MahcError, match=name):
            mahc.learn(data, algorithm, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "known",
    [
        {"required_arcs": [("asia", "tub")], "forbidden_arcs": [("asia", "tub")]},
        {"required_arcs": [("asia", "tub"), ("tub", "asia")]},
        {"required_arcs": [("asia", "tub")], "tiers": [["tub"], ["asia"]]},
        {"required_arcs": [("asia", "tub"), ("tub", "smoke"), ("smoke", "asia")]},
        {"required_arcs": [("asia", "no such variable")]},
    ],
    ids=["required and forbidden", "both ways", "against the tiers", "a cycle", "unknown name"],
)
def test_contradictions_and_unknown_names_are_refused(algorithm: str, known: dict[str, Any]) -> None:
    data = sample(load_network("asia"), 100, seed=2)
    with pytest.raises(MahcError) as refusal:
        mahc.learn(data, algorithm, knowledge=Knowledge(**known))
    assert "asia" in str(refusal.value) or "no such variable" in str(refusal.value)


def test_all_relevant_variables_are_joined(algorithm: str) -> None:
    if "all_relevant" in ALGORITHMS[algorithm].idle:
        pytest.skip("refused, as another test says")
    data = sample(load_network("asia"), 300, seed=2)
    learned = mahc.learn(data, algorithm, knowledge=Knowledge(all_relevant=True))
    graph = nx.Graph(learned.arcs)
    graph.add_nodes_from(learned.variables)
    assert nx.is_connected(graph)
