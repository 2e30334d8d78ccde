"""Beliefs: what they add to the score, how they are written, and what is said of them."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles_knowledge import NAMES, all_dags
from random_learning import dependent_data

import mahc
from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import FormatError, KnowledgeError, SettingError
from mahc.knowledge.beliefs import Belief, parse_belief, sum_log_odds
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.networks import load_network, sample
from mahc.results.learned import Learned
from mahc.scores import make_score

SCORED = ("hc", "tabu", "mahc", "boss", "exact", "boss-pag")


def random_beliefs(rng: random.Random, names: tuple[str, ...]) -> list[str]:
    found = []
    for _ in range(rng.randint(1, 5)):
        a, b = rng.sample(names, 2)
        found.append(f"{a} {rng.choice(['->', '-'])} {b} = {rng.choice([0.001, 0.1, 0.4, 0.9, 0.999, 0.999999])}")
    return found


def totals_of_all(data: Dataset, beliefs: list[str], base: float = 2.0, score: str = "bic") -> NDArray[np.float64]:
    """The score of every DAG with what the beliefs add, straight from the definition."""
    n = len(data.names)
    adjacency, _ = all_dags(n)
    scorer = RowScorer(EngineRows(data.select(NAMES[:n]), threads=1), make_score(score))
    totals = np.zeros(len(adjacency))
    for v in range(n):
        sets = [chosen for chosen in itertools.product([False, True], repeat=n) if not chosen[v]]
        scores = scorer.score_families(Families.of((v, np.flatnonzero(chosen).tolist()) for chosen in sets))
        table = dict(zip(sets, scores.tolist(), strict=True))
        totals += [table[tuple(column)] for column in adjacency[:, :, v].tolist()]
    for text in beliefs:
        belief = parse_belief(text)
        u, v = NAMES.index(belief.first), NAMES.index(belief.second)
        has = adjacency[:, u, v] | (adjacency[:, v, u] if belief.mark == "-" else np.zeros(len(adjacency), bool))
        totals += has * math.log(belief.probability / (1 - belief.probability)) / math.log(base)
    return totals


def test_exact_finds_the_best_of_all_graphs() -> None:
    changed = 0
    for seed in range(25):
        rng = random.Random(seed)
        names = NAMES[: rng.choice([3, 4])]
        data = dependent_data(rng, names, rng.choice([20, 100]))
        beliefs = random_beliefs(rng, names)
        learned = mahc.learn(data, "exact", knowledge=Knowledge(beliefs=beliefs), objective="bic", threads=1)
        odds = sum_log_odds(map(parse_belief, beliefs))
        own = learned.score + sum(odds.get(arc, 0.0) for arc in learned.arcs) / math.log(2)  # type: ignore[operator]
        assert own == pytest.approx(float(totals_of_all(data, beliefs).max()), abs=1e-8)
        changed += learned.arcs != mahc.learn(data, "exact", objective="bic", threads=1).arcs
    assert changed > 5


@pytest.mark.parametrize("algorithm", SCORED)
def test_one_half_changes_nothing(algorithm: str) -> None:
    data = sample(load_network("asia"), 500, 3)
    known = Knowledge(beliefs=["smoke -> lung = 0.5", "tub - dysp = 0.9", "tub - dysp = 0.1"])
    plain, believing = mahc.learn(data, algorithm), mahc.learn(data, algorithm, knowledge=known)
    assert (believing.arcs, believing.score) == (plain.arcs, plain.score)
    assert [step[:5] for step in believing.to_dict()["path"]] == [step[:5] for step in plain.to_dict()["path"]]


@pytest.mark.parametrize("algorithm", SCORED[:-1])
def test_strong_beliefs_approach_constraints(algorithm: str) -> None:
    data = sample(load_network("asia"), 300, 3)
    sure = mahc.learn(
        data, algorithm, knowledge={"beliefs": ["asia -> xray = 0.999999999999", "smoke - lung = 1e-300"]}
    )
    assert ("asia", "xray") in sure.arcs
    assert frozenset(("smoke", "lung")) not in set(map(frozenset, sure.arcs))


def test_the_order_of_columns_does_not_matter() -> None:
    data = sample(load_network("asia"), 300, 3)
    known = Knowledge(beliefs=["asia -> xray = 0.99", "smoke - lung = 0.01", "bronc -> dysp = 0.2"])
    expected = mahc.learn(data, "boss", knowledge=known)
    turned = mahc.learn(data.select(data.names[::-1]), "boss", knowledge=known)
    assert set(turned.arcs) == set(expected.arcs)
    assert turned.score == expected.score


def test_a_wide_table_uses_beliefs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the scores of all pairs are not kept, an arc that only its belief makes worth having is found."""
    from mahc.learning.memory import MemoryLimit

    data = sample(load_network("asia"), 300, 3)
    known = {"beliefs": ["asia -> xray = 0.9999", "smoke - lung = 0.001"]}
    expected = mahc.learn(data, "boss", knowledge=known)
    monkeypatch.setattr(MemoryLimit, "keeps_details", lambda self, variables: False)
    assert mahc.learn(data, "boss", knowledge=known).arcs == expected.arcs
    assert mahc.learn(data, "mahc", knowledge=known, relative_price=0.2).score is not None


def test_explanations_and_summary_name_the_beliefs() -> None:
    data = sample(load_network("asia"), 500, 3)
    known = Knowledge(beliefs=["asia -> xray = 0.9999", "bronc -> dysp = 0.3"])
    learned = mahc.learn(data, "hc", knowledge=known)
    assert ("asia", "xray") in learned.arcs
    reason = learned.explain("asia", "xray")
    assert "beliefs add 13.2876 bits, without which the arc would lose" in reason.sentence
    assert reason.numbers["belief"] == pytest.approx(math.log2(0.9999 / 0.0001))
    assert "beliefs take 1.2224 bits" in learned.explain("bronc", "dysp").sentence
    assert learned.outcome.describe_beliefs(learned.run) == (  # type: ignore[union-attr]
        "2 beliefs; in the graph because of them: asia -> xray"
    )
    against = mahc.learn(data, "hc", knowledge={"beliefs": ["lung - either = 1e-250"]})
    told = [against.explain(*arc).sentence for arc in (("lung", "either"), ("either", "lung"))]
    assert any("without which the arc would gain" in sentence for sentence in told)
    assert "not in the graph because of them" in against.outcome.describe_beliefs(against.run)  # type: ignore


def test_beliefs_are_kept_with_the_result(tmp_path: Path) -> None:
    known = Knowledge(beliefs=["smoke -> lung = 0.8", "smoke -> lung = 0.8", "b - a = 0.25"])
    assert Knowledge.from_dict(known.to_dict()) == known
    assert len(known.beliefs) == 3
    learned = mahc.learn(sample(load_network("asia"), 200, 1), "boss", knowledge={"beliefs": ["smoke -> lung = 0.8"]})
    learned.save(tmp_path / "result.json")
    assert Learned.load(tmp_path / "result.json") == learned


def test_beliefs_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "known.toml").write_text('beliefs = ["smoke -> lung = 0.8", ["a", "-", "b", 0.25]]')
    (tmp_path / "arcs.csv").write_text("from,to,probability\nsmoke,lung,0.8\n")
    (tmp_path / "edges.csv").write_text("Var1,Var2,Probability\nb,a,0.25\n")
    expected = Knowledge(beliefs=["smoke -> lung = 0.8", "a - b = 0.25"])
    assert read_knowledge(tmp_path / "known.toml") == expected
    assert read_knowledge(tmp_path / "arcs.csv").merged(read_knowledge(tmp_path / "edges.csv")) == expected
    (tmp_path / "bad.csv").write_text("from,to,probability\nsmoke,lung,often\n")
    with pytest.raises(FormatError, match="'often' is not a probability"):
        read_knowledge(tmp_path / "bad.csv")


@pytest.mark.parametrize(
    ("text", "belief"),
    [
        ("a -> b = 0.5", Belief("a", "->", "b", 0.5)),
        ("  T cell ->  B-cell =.25 ", Belief("T cell", "->", "B-cell", 0.25)),
        ("lung <- smoke = 8e-1", Belief("smoke", "->", "lung", 0.8)),
        ('"x -> y" - "a = b" = 0.1', Belief("a = b", "-", "x -> y", 0.1)),
        ("b - a = 0.1", Belief("a", "-", "b", 0.1)),
    ],
)
def test_beliefs_are_written_as_texts(text: str, belief: Belief) -> None:
    assert parse_belief(text) == belief


@pytest.mark.parametrize("text", ["a > b = 0.5", "a -> b", "a -> a = 0.5", "a -> b = 1", "a -> b = nan", "-> b = 0.2"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(KnowledgeError, match="belief"):
        parse_belief(text)


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "mmhc", "saiyanh"])
def test_algorithms_that_test_refuse_them(algorithm: str) -> None:
    with pytest.raises(SettingError, match="cannot use 'beliefs'"):
        mahc.learn({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, algorithm, knowledge={"beliefs": ["a -> b = 0.6"]})


def test_the_posterior_uses_beliefs_untempered() -> None:
    """Against all DAGs: the power applies to the score and the arc price, not to the odds of the beliefs."""
    data, beta = dependent_data(random.Random(4), NAMES[:4], 60), 0.5
    beliefs = [f"{NAMES[0]} -> {NAMES[1]} = 0.9", f"{NAMES[2]} - {NAMES[3]} = 0.2"]
    drawn = mahc.posterior(
        data, "bdeu", beta=beta, samples=60_000, thinning=3, knowledge={"beliefs": beliefs}, threads=1
    )
    adjacency, _ = all_dags(4)
    plain = totals_of_all(data, [], score="bdeu") - 0.5 * math.log2(4) * adjacency.sum(axis=(1, 2))
    logs = beta * plain * math.log(2) + (totals_of_all(data, beliefs) - totals_of_all(data, [])) * math.log(2)
    weights = np.exp(logs - logs.max())
    exact = np.einsum("g,guv->uv", weights / weights.sum(), adjacency)
    for u, v in itertools.permutations(range(4), 2):
        assert drawn.probability(NAMES[u], NAMES[v], of="arc") == pytest.approx(exact[u, v], abs=0.012)
