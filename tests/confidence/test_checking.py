from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import networks

from mahc.cli.main import run
from mahc.confidence import check_graph, implied
from mahc.confidence.checking import _discoveries
from mahc.confidence.implied import implied_independences
from mahc.engine import CancelToken
from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.independence import Questions, TableOracle
from mahc.networks import Network, load_network, sample


@given(networks(most=6, least=2), st.sampled_from(["separators", "markov"]))
@settings(max_examples=30)
def test_every_pair_that_is_not_adjacent_is_separated_and_minimally_so(network: Network, basis: str) -> None:
    dag = network.dag
    found = {frozenset((a, b)): given_set for a, b, given_set in implied_independences(dag, basis)}
    adjacent = {frozenset((dag.index(a), dag.index(b))) for a, b in dag.arcs}
    pairs = {frozenset(pair) for pair in itertools.combinations(range(len(dag.names)), 2)}
    assert found.keys() == pairs - adjacent
    for pair, given_set in found.items():
        a, b = (dag.names[v] for v in pair)
        names = [dag.names[v] for v in given_set]
        assert dag.d_separated(a, b, names)
        if basis == "separators":
            assert not any(dag.d_separated(a, b, [n for n in names if n != left]) for left in names)


@given(st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=12), st.sampled_from([0.01, 0.05, 0.2]))
def test_discoveries_are_those_of_the_step_up_rule(p_values: list[float], rate: float) -> None:
    ordered = sorted(p_values)
    passing = [k for k, p in enumerate(ordered, 1) if np.log(p) <= np.log(rate * k / len(ordered))]
    limit = ordered[passing[-1] - 1] if passing else -1.0
    assert _discoveries(np.log(p_values).tolist(), rate).tolist() == [p <= limit for p in p_values]


def trial(seed: int) -> tuple[bool, bool, int, int]:
    """Whether a deleted edge and an added edge are found; false and all discoveries with the true graph."""
    network = load_network("asia")
    dag = network.dag
    data = sample(network, 10_000, seed, unseen_states=True)
    generator = np.random.default_rng(seed)
    strong = [arc for arc in dag.arcs if arc != ("asia", "tub")]  # asia=yes has probability 0.01
    deleted = strong[int(generator.integers(len(strong)))]
    without = check_graph(DAG(dag.names, [arc for arc in dag.arcs if arc != deleted]), data)
    free = [
        (dag.names[a], dag.names[b])
        for place, b in enumerate(dag.order)
        for a in dag.order[:place]
        if a not in dag.parent_sets[b] and "either" not in (dag.names[a], dag.names[b])  # either is a function
    ]
    added = free[int(generator.integers(len(free)))]
    with_more = check_graph(DAG(dag.names, [*dag.arcs, added]), data)
    truth = check_graph(dag, data)
    return (
        any({*found.edge} == {*deleted} for found in without.violations),
        added in [found.edge for found in with_more.unneeded],
        len(truth.violations),
        truth.tests,
    )


@pytest.mark.long
def test_a_deleted_and_an_added_edge_are_found_in_95_of_100_trials() -> None:
    found = [trial(seed) for seed in range(100)]
    deleted, added = sum(each[0] for each in found), sum(each[1] for each in found)
    # With the true graph every discovery is false, so their rate is the part of trials with any.
    false = sum(each[2] > 0 for each in found)
    print(f"deleted {deleted}, added {added}, trials with a false discovery {false}")
    assert deleted >= 95
    assert added >= 95
    assert false <= 5


def test_a_few_trials() -> None:
    found = [trial(seed) for seed in range(5)]
    assert sum(each[0] for each in found) >= 4
    assert sum(each[1] for each in found) >= 4


def test_rows_and_columns_in_another_order_change_nothing() -> None:
    network = load_network("asia")
    data = sample(network, 2000, 1)
    wrong = DAG(network.names, network.dag.arcs[1:])
    assert check_graph(wrong, data) == check_graph(wrong, data.select(data.names[::-1]))


def test_too_few_rows_are_said() -> None:
    network = load_network("asia")
    found = check_graph(network.dag, sample(network, 10, 1, unseen_states=True))
    assert found.untested > 0


def test_the_command_lists_both(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    graph = tmp_path / "graph.csv"
    graph.write_text("from,to\nsmoke,asia\ntub,either\nlung,either\neither,xray\nbronc,dysp\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        run(["check", str(graph), "asia"])
    out = capsys.readouterr().out
    assert "add " in out
    assert "remove smoke -> asia" in out
    with pytest.raises(SystemExit):
        run(["check", str(graph), "asia", "--json"])
    assert json.loads(capsys.readouterr().out)["unneeded"][0]["remove"] == ["smoke", "asia"]


def test_a_mistake_is_one_sentence() -> None:
    network = load_network("asia")
    with pytest.raises(MahcError, match="fdr is 2: give a number between 0 and 1"):
        check_graph(network.dag, sample(network, 100, 1), fdr=2)
    with pytest.raises(MahcError, match="the data lack a variable of the graph"):
        check_graph(network.dag, {"smoke": ["yes", "no"]})


def test_a_check_that_is_stopped_keeps_the_tests_that_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    network = load_network("alarm")
    data = sample(network, 2000, 1, unseen_states=True)
    wrong = DAG(network.dag.names, network.dag.arcs[1:])
    whole = check_graph(wrong, data)
    assert (whole.stop_reason, whole.left) == ("converged", 0)
    assert whole.tests + whole.edges + whole.untested == 37 * 36 // 2
    token, calls, phases = CancelToken(), [], []
    test = TableOracle.test

    def stop_after_two(self: TableOracle, questions: Questions) -> object:
        found = test(self, questions)
        calls.append(len(questions))
        if len(calls) == 2:
            token.cancel()
        return found

    monkeypatch.setattr(TableOracle, "test", stop_after_two)
    part = check_graph(wrong, data, progress=lambda progress: phases.append(progress.phase), cancel=token)
    assert phases[0] == f"edge 1 of {len(wrong.arcs)}"
    assert part.stop_reason == "interrupted"
    assert 0 < part.tests < whole.tests
    assert part.edges == whole.edges
    assert part.unneeded == whole.unneeded
    assert part.left == 37 * 36 // 2 - part.tests - part.edges - part.untested
    with pytest.raises(MahcError, match="before the first test was made"):
        check_graph(wrong, data, cancel=token)


def test_parts_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    network = load_network("alarm")
    data = sample(network, 500, 1, unseen_states=True)
    whole = check_graph(network.dag, data)
    monkeypatch.setattr(implied, "FIRST_PART", 3)
    monkeypatch.setattr(implied, "PART_SECONDS", 0.0)
    assert check_graph(network.dag, data, threads=2) == whole


def test_the_command_says_what_a_time_limit_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    def call(*words: str) -> int:
        with pytest.raises(SystemExit) as ended:
            run(["check", "asia", "asia", *words])
        return int(str(ended.value.code))

    assert call("--time-limit", "0.000001") == 2
    assert "the time limit was reached before the first test was made" in capsys.readouterr().err
    assert call("--time-limit", "0") == 2
    assert "--time-limit is 0" in capsys.readouterr().err
    assert call("--time-limit", "60", "--threads", "1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["stop_reason"], found["left"]) == ("converged", 0)
