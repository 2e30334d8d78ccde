"""Questions whose answers would tell most."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cli.main import run
from mahc.confidence.effect_intervals import mean_effects
from mahc.confidence.questions import answer_information, find_questions
from mahc.errors import MahcError
from mahc.networks import load_network, sample
from mahc.results.question import ANSWERS


def entropy(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


@given(st.integers(2, 5), st.integers(2, 8), st.integers(0, 10**6))
def test_the_worth_is_the_expected_fall_of_the_entropies(pairs: int, graphs: int, seed: int) -> None:
    """Entropies before, less the mean of those after each answer, pair by pair, less what chance shows."""
    random = np.random.default_rng(seed)
    answers = random.integers(0, 3, (pairs, graphs)).astype(np.int8)
    weights = random.integers(1, 5, graphs).astype(float)
    weights /= weights.sum()
    expected = []
    for p in range(pairs):
        total = 0.0
        for q in range(pairs):
            before = entropy([sum(weights[answers[q] == b]) for b in range(3)])
            after = 0.0
            for a in range(3):
                mass = sum(weights[answers[p] == a])
                if mass:
                    both = [sum(weights[(answers[p] == a) & (answers[q] == b)]) / mass for b in range(3)]
                    after += mass * entropy(both)
            fall = before - after
            if p != q:
                kinds = (len(set(answers[p].tolist())) - 1) * (len(set(answers[q].tolist())) - 1)
                fall = max(0.0, fall - kinds * sum(weights**2) / (2 * math.log(2)))
            total += fall
        expected.append(total)
    assert answer_information(answers, weights).tolist() == pytest.approx(expected, abs=1e-9)


def test_a_question_has_the_shares_of_the_sample_and_what_an_answer_changes() -> None:
    data = sample(load_network("asia"), 800, 4)
    graphs = mahc.posterior(data)
    found = find_questions(graphs, 4)
    assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
    for each in found:
        left, right, shares = each.left, each.right, each.probabilities
        assert left < right
        assert shares["->"] == pytest.approx(graphs.probability(left, right))
        assert shares["<-"] == pytest.approx(graphs.probability(right, left))
        assert sum(shares.values()) == pytest.approx(1)
        for answer, changes in each.changes.items():
            for change in changes:
                chosen = [
                    (dag, member.weight)
                    for dag, member in zip(graphs.dags, graphs.members, strict=True)
                    if relation(dag, left, right) == answer
                ]
                mass = sum(weight for _, weight in chosen)
                there = sum(w for dag, w in chosen if relation(dag, change.left, change.right) == change.answer)
                assert change.after == pytest.approx(there / mass)
    assert find_questions(graphs, 2) == found[:2]


def relation(dag: mahc.DAG, left: str, right: str) -> str:
    return "->" if (left, right) in dag.arcs else "<-" if (right, left) in dag.arcs else "no edge"


def test_about_an_effect_the_worth_is_the_variance_that_the_answers_explain() -> None:
    data = sample(load_network("asia"), 800, 4)
    graphs = mahc.posterior(data, samples=60)
    effects = mean_effects(data, graphs, "smoke", "dysp")
    weights = np.array([member.weight for member in graphs.members]) / graphs.size
    found = find_questions(graphs, 3, effect=("smoke", "dysp"), data=data)
    for each in found:
        mean = float(weights @ effects)
        within = 0.0
        for answer in ANSWERS:
            mine = np.array([relation(dag, each.left, each.right) == answer for dag in graphs.dags])
            if mine.any():
                centre = float(weights[mine] @ effects[mine] / weights[mine].sum())
                within += float(weights[mine] @ (effects[mine] - centre) ** 2)
        assert each.worth == pytest.approx(1 - within / float(weights @ (effects - mean) ** 2))


def test_the_order_of_columns_and_rows_does_not_matter() -> None:
    data = sample(load_network("asia"), 500, 2)
    turned = data.select(data.names[::-1]).take(np.arange(500)[::-1])
    expected = mahc.learn(data, "boss").questions(data, 3)
    assert mahc.learn(turned, "boss").questions(turned, 3) == expected


def test_answers_become_knowledge() -> None:
    data = sample(load_network("asia"), 500, 2)
    [asked] = mahc.learn(data, "boss").questions(data, 1)
    for answer, holds in itertools.product(ANSWERS, (True,)):
        again = mahc.learn(data, "boss", knowledge=asked.knowledge(answer))
        assert (relation(again.dag, asked.left, asked.right) == answer) is holds
    with pytest.raises(MahcError, match='give "->", "<-" or "no edge"'):
        asked.knowledge("maybe")
    with pytest.raises(MahcError, match="budget"):
        mahc.learn(data, "boss").questions(data, 0)


def test_a_sample_that_is_sure_asks_nothing() -> None:
    columns = {"a": ["x", "y"] * 60, "b": ["x", "x", "y", "y"] * 30}
    learned = mahc.learn(columns, "boss", knowledge={"forbidden_edges": [["a", "b"]]})
    assert learned.questions(columns) == ()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            run([str(word) for word in words])
        captured = capsys.readouterr()
        return int(end.value.code or 0), captured.out, captured.err

    first, second = tmp_path / "first", tmp_path / "second"
    assert call("learn", "asia", "--algorithm", "boss", "--out", first)[0] == 0
    code, out, _ = call("ask", first, "--data", "asia", "--budget", 2)
    assert code == 0
    assert "1. Is " in out
    assert "2. Is " in out
    code, out, _ = call("ask", first, "--data", "asia", "--answer", "smoke no edge lung", "--out", second)
    assert code == 0
    assert out.startswith("Learned again with 1 answer:")
    assert mahc.Learned.load(second / "result.json").knowledge.forbidden_edges == (("lung", "smoke"),)
    code, _, err = call("ask", first, "--data", "asia", "--answer", "smoke -> cancer")
    assert (code, "unknown variable 'cancer'" in err) == (2, True)
    code, _, err = call("ask", first, "--data", "asia", "--answer", "smoke, lung")
    assert (code, "write 'a -> b', 'a <- b' or 'a no edge b'" in err) == (2, True)
    code, _, err = call("ask", first, "--data", "asia", "--out", tmp_path / "third")
    assert (code, "there are none: add --answer" in err) == (2, True)
