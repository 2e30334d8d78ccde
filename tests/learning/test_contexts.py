"""Contexts: variables that nothing causes, whose dependence on each other is given, and what differs between them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.algorithms import make_algorithm
from mahc.algorithms.constraint_based.algorithms import FCI, leave_out_contexts
from mahc.algorithms.constraint_based.fci import fci
from mahc.algorithms.constraint_based.pc_stable import pc_stable
from mahc.algorithms.constraint_based.testing import ContextOracle
from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.independence import SeparationOracle
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import ALGORITHMS
from mahc.results.learned import Learned
from mahc.results.outcomes.dag import find_pattern
from mahc.results.summary import facts


def places(rows: int = 2000, seed: int = 1) -> dict[str, np.ndarray[tuple[int], np.dtype[np.str_]]]:
    """Hospitals and years depend on each other; the hospital changes dose, the year changes nothing; dose -> pain."""
    draw = np.random.default_rng(seed)
    year = draw.integers(0, 2, rows)
    hospital = (draw.random(rows) + 0.6 * year > 0.8).astype(int) + (draw.random(rows) > 0.7)
    age = draw.integers(0, 2, rows)
    dose = draw.random(rows) < np.array([0.15, 0.5, 0.85])[hospital] * (0.6 + 0.4 * age)
    pain = draw.random(rows) < np.where(dose, 0.2, 0.7)
    return {
        name: np.char.add(name[0], values.astype(int).astype(str))
        for name, values in {"year": year, "hospital": hospital, "age": age, "dose": dose, "pain": pain}.items()
    }


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS.names() if name != "saiyanh"])  # that joins all
def test_every_algorithm_keeps_contexts_exogenous(algorithm: str) -> None:
    learned = mahc.learn(places(), algorithm, context=["hospital", "year"])
    joined = {frozenset(pair) for pair in learned.outcome.adjacent}
    assert frozenset(("hospital", "year")) not in joined
    assert frozenset(("hospital", "dose")) in joined
    assert not [arc for arc in learned.arcs if arc[1] in ("hospital", "year")]
    assert learned.knowledge.contexts == ("hospital", "year")
    assert "dose" in learned.changes["hospital"]
    assert learned.changes["year"] == ()
    assert ("dose", "pain") in {tuple(edge) for edge in learned.arcs}  # the hospital directs it
    assert dict(facts(learned))["Contexts"].startswith("what differs by hospital: dose")


def test_a_result_says_what_contexts_are(tmp_path: Path) -> None:
    known = {"contexts": ["year", "hospital"], "forbidden_arcs": [("pain", "age")]}
    learned = mahc.learn(places(), "tabu", knowledge=known)
    assert "hospital is a context, which nothing causes" in learned.explain("dose", "hospital").sentence
    assert "whose dependence is taken as given" in learned.explain("year", "hospital").sentence
    learned.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text())["changes"] == {"hospital": ["dose"], "year": []}
    saved = Learned.load(tmp_path / "result.json")
    assert saved == learned
    assert saved.changes == learned.changes
    assert mahc.replay(saved, places()) == learned
    assert mahc.bootstrap(places(), "hc", context=["hospital"], resamples=5).run.knowledge.contexts == ("hospital",)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"contexts": ["ward"]}, "unknown variable 'ward'"),
        ({"contexts": "year"}, "contexts is 'year': give a list of names"),
        ({"contexts": ["year", "hospital", "age", "dose", "pain"]}, "every variable is a context"),
        ({"contexts": ["year"], "required_arcs": [("dose", "year")]}, "required arc dose -> year"),
        ({"contexts": ["year", "hospital"], "required_edges": [("hospital", "year")]}, "required edge hospital - year"),
    ],
)
def test_contexts_that_cannot_be_are_refused(known: dict[str, object], message: str) -> None:
    with pytest.raises(MahcError, match=message):
        mahc.learn(places(200), "hc", knowledge=known)


def test_arcs_out_of_contexts_direct_what_follows() -> None:
    dag = DAG(["c", "x", "y", "z"], [("c", "x"), ("x", "y"), ("z", "y")])
    chain = DAG(["c", "x", "y"], [("c", "x"), ("x", "y")])
    assert [edge.mark for edge in find_pattern(chain, Knowledge()).edges] == ["---", "---"]
    assert [edge.mark for edge in find_pattern(chain, Knowledge(contexts=["c"])).edges] == ["-->", "-->"]
    assert "---" not in [edge.mark for edge in find_pattern(dag, Knowledge(contexts=["c"])).edges]


TRUTH = DAG(
    ["c", "d", "u", "v", "w", "x", "y", "hidden", "h2"],
    [
        ("hidden", "c"),
        ("hidden", "d"),
        ("c", "x"),
        ("d", "y"),
        ("x", "y"),
        ("u", "x"),
        ("y", "v"),
        ("h2", "v"),
        ("h2", "w"),
    ],
)


def test_tests_of_contexts_with_true_independences() -> None:
    oracle = SeparationOracle(TRUTH, latent=["hidden", "h2"])
    constraints = Knowledge(contexts=["c", "d"]).check(oracle.names, 8)
    found = fci(oracle, constraints.joining_contexts())
    assert {(e.left, e.mark, e.right) for e in leave_out_contexts(found.graph, constraints).edges} == {
        ("c", "-->", "x"),
        ("d", "-->", "y"),
        ("u", "o->", "x"),
        ("x", "-->", "y"),
        ("y", "-->", "v"),
        ("w", "o->", "v"),
    }
    pair = SeparationOracle(DAG(["c", "x"], [("c", "x")]))
    alone = Knowledge(contexts=["c"]).check(pair.names, 8)
    marks = [fci(pair, alone, unconfounded=known).graph.edges[0].mark for known in (True, False)]
    assert marks == ["-->", "o->"]
    tested = fci(oracle, constraints.testing_contexts())
    assert ("x", "-->", "y") in {(e.left, e.mark, e.right) for e in tested.graph.edges}
    plain = SeparationOracle(TRUTH, latent=["hidden", "h2", "w"])
    known = Knowledge(contexts=["c", "d"]).check(plain.names, 8)
    graph = leave_out_contexts(pc_stable(plain, known.joining_contexts()).graph, known)
    assert {(e.left, e.mark, e.right) for e in graph.edges} == {
        ("c", "-->", "x"),
        ("d", "-->", "y"),
        ("u", "-->", "x"),
        ("x", "-->", "y"),
        ("y", "-->", "v"),
    }
    assert FCI().jci == "123"
    with pytest.raises(MahcError, match="jci"):
        make_algorithm("fci", jci="2")


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "boss", "mahc", "exact"])
def test_contexts_that_determine_each_other(algorithm: str) -> None:
    columns = places()
    town = np.where(np.isin(columns["hospital"], ["h0", "h1"]), "north", "south")
    same = np.char.add("code ", columns["hospital"])
    learned = mahc.learn({**columns, "town": town, "code": same}, algorithm, context=["hospital", "town", "code"])
    joined = {frozenset(pair) for pair in learned.outcome.adjacent}
    assert frozenset(("hospital", "dose")) in joined or frozenset(("code", "dose")) in joined
    assert not joined & {frozenset(("hospital", "town")), frozenset(("hospital", "code")), frozenset(("town", "code"))}


def test_what_contexts_determine_is_not_separated() -> None:
    from mahc.engine import EngineRows, Families

    class Independent:
        variables = 3

        def log_p_values(self, questions: Families) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            return np.zeros(len(questions.children))

    data = mahc.read({"c": ["1", "2", "3", "1"], "d": ["a", "a", "b", "a"], "x": ["n", "y", "n", "y"]})
    oracle = ContextOracle(Independent(), EngineRows(data), [0, 1])
    asked = Families.of([(1, [0, 2]), (2, [0, 1]), (0, [1, 2]), (0, [2])])
    answers = oracle.log_p_values(asked)
    assert answers is not None
    assert answers.tolist() == [-np.inf, -np.inf, 0.0, 0.0]  # c determines d, not the other way round
