"""A search may start from a graph of the user's; what cannot be started from is refused by name."""

from __future__ import annotations

import re
from typing import Any

import pytest

import mahc
from mahc.errors import GraphError, KnowledgeError, MahcError, UnknownNameError
from mahc.networks import sample_path

ASIA = sample_path("asia")


@pytest.mark.parametrize("algorithm", ["mahc", "hc", "tabu"])
def test_no_step_leaves_the_start_graph_as_it_is(algorithm: str) -> None:
    start = [("asia", "xray"), ("bronc", "tub")]
    learned = mahc.learn(ASIA, algorithm, start=start, step_limit=0)
    assert learned.arcs == learned.run.start == tuple(start)
    assert (learned.stop_reason, learned.steps) == ("step_limit", ())


@pytest.mark.parametrize("algorithm", ["mahc", "hc", "tabu"])
def test_the_result_is_a_top_that_a_climb_does_not_leave(algorithm: str) -> None:
    first = mahc.learn(ASIA, algorithm)
    again = mahc.learn(ASIA, algorithm, start=first.dag)
    assert again.arcs == first.arcs
    assert again.score == first.score
    assert again.stop_reason == "converged"


def test_a_bad_arc_of_the_start_graph_is_given_up() -> None:
    learned = mahc.learn(ASIA, "hc", start=[("asia", "smoke")])
    assert ("asia", "smoke") not in learned.arcs
    assert ("delete", "asia", "smoke") in [(s.move, s.tail, s.head) for s in learned.steps]


def test_pruning_leaves_the_start_graph_as_it_is() -> None:
    learned = mahc.learn(ASIA, start=[("xray", "either")], step_limit=0)
    assert learned.pruning is not None
    assert ("xray", "either") not in learned.pruning.allowed_arcs
    assert learned.arcs == (("xray", "either"),)
    assert learned.explain("xray", "either").kind == "present"


def test_a_pruned_arc_of_the_start_graph_goes_and_does_not_come_back() -> None:
    learned = mahc.learn(ASIA, start=[("xray", "either")])
    assert ("reverse", "xray", "either") in [(step.move, step.tail, step.head) for step in learned.steps]
    explained = learned.explain("xray", "either")
    assert explained.kind == "pruned"
    assert "the arc either -> xray is there instead" in explained.sentence
    assert learned.arcs == mahc.learn(ASIA).arcs


def test_the_averaged_score_leaves_out_the_graphs_that_pruning_forbids() -> None:
    """Once xray -> either has been reversed, the graph with it is no neighbour: a climb that begins there agrees."""
    steps = [step.move for step in mahc.learn(ASIA, start=[("xray", "either")]).steps]
    turn = steps.index("reverse")
    before = mahc.learn(ASIA, start=[("xray", "either")], step_limit=turn)
    after = mahc.learn(ASIA, start=[("xray", "either")], step_limit=turn + 1)
    begun_there = mahc.learn(ASIA, start=after.dag, step_limit=0)
    gain = before.explain("either", "xray").numbers["averaged_reversal_gain"]
    assert after.averaged_score == pytest.approx(begun_there.averaged_score)
    assert after.averaged_score == pytest.approx(before.averaged_score + gain)


def test_what_is_required_is_added_to_the_start_graph() -> None:
    known = mahc.Knowledge(required_arcs=[("smoke", "lung")], required_edges=[("asia", "tub")])
    learned = mahc.learn(ASIA, "hc", knowledge=known, start=[("tub", "asia")], step_limit=0)
    assert learned.arcs == (("smoke", "lung"), ("tub", "asia"))
    assert learned.run.start == (("tub", "asia"),)


REFUSED: list[tuple[list[tuple[str, str]], dict[str, Any], str, type[MahcError]]] = [
    ([("smok", "lung")], {}, "did you mean 'smoke'", UnknownNameError),
    ([("smoke", "smoke")], {}, "start joins 'smoke' with itself", KnowledgeError),
    ([("smoke", "lung"), ("lung", "smoke")], {}, "smoke", GraphError),
    (
        [("smoke", "lung")],
        {"forbidden_arcs": [("smoke", "lung")]},
        "the start graph has smoke -> lung, against the knowledge (forbidden arc smoke -> lung): remove one of them",
        KnowledgeError,
    ),
    (
        [("lung", "smoke")],
        {"required_arcs": [("smoke", "lung")]},
        "the start graph has lung -> smoke, against the knowledge (required arc smoke -> lung)",
        KnowledgeError,
    ),
    (
        [("xray", "asia"), ("tub", "asia")],
        {"max_parents": {"asia": 1}},
        "gives asia 2 parents, more than the 1 allowed",
        KnowledgeError,
    ),
    (
        [("xray", "asia")],
        {"required_arcs": [("tub", "asia")], "max_parents": {"asia": 1}},
        "with what is required gives asia 2 parents, more than the 1 allowed",
        KnowledgeError,
    ),
    (
        [("asia", "tub"), ("lung", "smoke"), ("smoke", "bronc")],
        {"required_arcs": [("bronc", "lung")]},
        "the start graph has lung -> smoke, smoke -> bronc, which leaves no legal way",
        KnowledgeError,
    ),
    (
        [("asia", "tub"), ("xray", "lung"), ("lung", "smoke")],
        {"tiers": [["smoke"], ["xray"]]},
        "the start graph has lung -> smoke, xray -> lung, which leaves no legal way",
        KnowledgeError,
    ),
]


@pytest.mark.parametrize(("start", "known", "says", "kind"), REFUSED)
def test_a_start_graph_that_cannot_be_is_refused_by_name(
    start: list[tuple[str, str]], known: dict[str, Any], says: str, kind: type[MahcError]
) -> None:
    with pytest.raises(kind, match=re.escape(says)) as refused:
        mahc.learn(ASIA, "hc", knowledge=known, start=start)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("start", ["ab", [("a",)], [("a", "b", "c")], [3], 5, [["smoke", 4]]])
def test_a_start_graph_that_is_no_list_of_pairs_is_refused(start: Any) -> None:
    with pytest.raises(MahcError):
        mahc.learn(ASIA, "hc", start=start)
