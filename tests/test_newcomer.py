"""What a new user meets: folders that hold results, names in formats, JSON, Ctrl-C, arcs that point either way."""

from __future__ import annotations

import json
import math
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import mahc
from mahc.cli.main import run
from mahc.drawing.layout import place_graphs
from mahc.drawing.svg import svg
from mahc.errors import FormatError, MahcError
from mahc.graphs import dag_to_cpdag, dag_to_pag
from mahc.graphs.files import format_graph
from mahc.lab import read_plan
from mahc.learning.algorithm import ALGORITHMS
from mahc.measures import compare, compare_scores
from mahc.networks import fit, load_network, sample, sample_path
from mahc.networks.files import NETWORK_FORMATS
from mahc.networks.safe_names import with_safe_names
from mahc.results.outcomes import DagOutcome
from mahc.results.summary import facts

Captured = pytest.CaptureFixture[str]
PAIR = {"a": ["x", "y"] * 30, "b": ["u", "v"] * 30}


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run([str(word) for word in words])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def test_a_folder_with_a_result_is_replaced_only_on_request(tmp_path: Path, capfd: Captured) -> None:
    out = tmp_path / "out"
    assert call("learn", "asia", "--out", out) == 0
    before = (out / "result.json").read_bytes()
    assert call("learn", "asia", "--algorithm", "hc", "--out", out) == 2
    assert "holds a result: give another folder, or add --overwrite to replace it" in capfd.readouterr().err
    assert (out / "result.json").read_bytes() == before
    assert call("learn", "asia", "--algorithm", "hc", "--out", out, "--overwrite") == 0
    assert mahc.Learned.load(out / "result.json").algorithm == "hc"


def test_tiers_on_the_command_line(capfd: Captured) -> None:
    assert call("learn", "asia", "--tiers", "xray, dysp < smoke,bronc", "--json") == 0
    document = json.loads(capfd.readouterr().out)
    known = mahc.Knowledge(tiers=[["xray", "dysp"], ["smoke", "bronc"]])
    assert document["arcs"] == [list(arc) for arc in mahc.learn(sample_path("asia"), knowledge=known).arcs]
    assert call("learn", "asia", "--tiers", "xray,smoke") == 2
    assert "--tiers is 'xray,smoke': give at least two tiers" in capfd.readouterr().err


def test_safe_names_keep_what_the_format_can_hold(tmp_path: Path, capfd: Captured) -> None:
    data = {"my rain": ["> 1", "0"] * 20, "wet": ["yes!", "no"] * 20}
    table = mahc.read(data)
    network = fit(mahc.DAG(table.names, [("my rain", "wet")]), table)
    net, bif = NETWORK_FORMATS["net"], NETWORK_FORMATS["bif"]
    kept = with_safe_names(network, net.names, net.state_names).network
    assert (kept.names, kept.states) == (("my_rain", "wet"), network.states)
    kept = with_safe_names(network, bif.names, bif.state_names).network
    assert (kept.names, kept.states) == (("my_rain", "wet"), (("0", "s__1"), ("no", "yes!")))
    assert with_safe_names(network, None).network is network
    path, graph = tmp_path / "d.csv", tmp_path / "g.json"
    path.write_text("my rain,wet\n" + "> 1,yes!\n0,no\n" * 9)
    graph.write_text(format_graph(network.dag, "json"))
    assert call("fit", graph, path, "--out", tmp_path / "n.bif", "--safe-names") == 0
    captured = capfd.readouterr()
    assert "note: 1 variable renamed for the format: 'my rain' as my_rain" in captured.err
    assert "note: 1 state renamed for the format: '> 1' of 'my rain' as s__1" in captured.err
    assert "2 variables, 1 arc, 3 free parameters" in captured.out


@pytest.mark.parametrize("words", [["learn", "asia"], ["score", "asia", "asia"], ["networks"], ["audit", "asia"]])
def test_every_json_output_has_a_version(words: list[str], capfd: Captured) -> None:
    assert call(*words, "--json") == 0
    assert isinstance(json.loads(capfd.readouterr().out)["format_version"], int)


def test_json_has_strengths_and_reversibility(capfd: Captured) -> None:
    assert call("learn", "asia", "--json") == 0
    document = json.loads(capfd.readouterr().out)
    learned = mahc.learn(sample_path("asia"))
    strengths = learned.strengths()
    assert document["strengths"] == [strengths[arc] for arc in learned.arcs]
    undirected = {frozenset((edge.left, edge.right)) for edge in learned.cpdag.edges if edge.mark == "---"}
    assert document["reversible"] == [frozenset(arc) in undirected for arc in learned.arcs]


def test_an_error_is_one_json_object(tmp_path: Path, capfd: Captured) -> None:
    assert call("learn", "asia", "--threads", "0", "--json") == 2
    error = json.loads(capfd.readouterr().out)["error"]
    assert error["message"].startswith("--threads is 0: give a whole number")
    assert (error["setting"], error["exit_code"], error["kind"]) == ("threads", 2, "InvalidSettingError")
    assert call("learn", "asia", "--no-such", "--json") == 2
    assert json.loads(capfd.readouterr().out)["error"]["kind"] == "UsageError"
    assert call("learn", "asia", "--threads", "0") == 2
    assert capfd.readouterr().out == ""


def test_a_misspelt_key_of_a_plan_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('size = [50]\ncases = ["asia"]\n[[contestants]]\nlabel = "it"\nalgorithm = "hc"\n')
    with pytest.raises(FormatError, match=r"unknown key 'size': did you mean 'sizes'\?"):
        read_plan(path)


def press_ctrl_c(times: int) -> Any:
    """A progress function that presses Ctrl-C so many times when it is called first."""
    left = [times]

    def report(_: object) -> None:
        while left[0]:
            left[0] -= 1
            os.kill(os.getpid(), signal.SIGINT)

    return report


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_ctrl_c_is_the_same_for_all_algorithms(algorithm: str) -> None:
    data = sample(load_network("asia"), 300, seed=1)
    learned = mahc.learn(data, algorithm, progress=press_ctrl_c(1))
    assert learned.stop_reason in ("interrupted", "converged")
    with pytest.raises(KeyboardInterrupt):
        mahc.learn(data, algorithm, progress=press_ctrl_c(1), on_interrupt="raise")
    with pytest.raises(KeyboardInterrupt):
        mahc.learn(data, algorithm, progress=press_ctrl_c(2))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(MahcError, match='on_interrupt is \'now\': give one of "return", "raise"'):
        mahc.learn(data, algorithm, on_interrupt="now")


def test_explain_says_first_that_an_arc_could_point_either_way() -> None:
    learned = mahc.learn(PAIR)
    ((tail, head),) = learned.arcs
    there, back = learned.explain(tail, head), learned.explain(head, tail)
    assert there.sentence.startswith(f"{tail} -> {head} is in the graph: it could point either way")
    start = f"{head} -> {tail} is not in the graph: the arc {tail} -> {head} is, and could point either way"
    assert back.sentence.startswith(start)
    assert (there.present, back.present) == (True, False)
    learned = mahc.learn(sample_path("asia"))
    undirected = {(edge.left, edge.right) for edge in learned.cpdag.edges if edge.mark == "---"}
    for left, right in undirected:
        for pair in ((left, right), (right, left)):
            sentence = learned.explain(*pair).sentence
            assert "could point either way" in sentence.split(";")[0]
            assert ("pruned at level" in sentence) == ("does not rule it out" in sentence)


def test_learn_says_which_arcs_would_still_raise_the_score(capfd: Captured, tmp_path: Path) -> None:
    data = sample(load_network("asia"), 10_000, seed=1)
    learned = mahc.learn(data)
    assert isinstance(learned.outcome, DagOutcome)
    assert learned.pruning is not None
    missed = learned.outcome.missed_arcs(learned.run)
    expected = []
    for tail, head in learned.pruning.allowed_arcs:
        if {(tail, head), (head, tail)} & set(learned.arcs):
            continue
        try:
            graph = mahc.DAG(learned.variables, [*learned.arcs, (tail, head)])
        except MahcError:
            continue
        gain = mahc.score_graph(graph, data).total - (learned.score or 0.0)
        if gain > 5 / math.log(2):
            expected.append((gain, tail, head))
    assert expected
    assert sorted((tail, head) for tail, head, _ in missed) == sorted((tail, head) for _, tail, head in expected)
    assert missed[0][2] == pytest.approx(max(expected)[0], abs=1e-6)
    (note,) = (text for label, text in facts(learned) if label == "Note")
    assert note.startswith(
        f"{len(missed)} more arcs would each raise the score, {missed[0][0]} -> {missed[0][1]} by 12.1"
    )
    assert not [label for label, _ in facts(mahc.learn(data, "hc")) if label == "Note"]


def test_functions_that_take_a_graph_take_a_learned() -> None:
    data = mahc.read(PAIR)
    learned, tested = mahc.learn(data), mahc.learn(data, "pc-stable")
    assert compare(learned, learned)["f1"] == 1
    assert compare(learned, tested) == compare(learned.graph, tested.graph)
    assert compare_scores(learned, tested, data).difference == 0
    assert mahc.score_graph(tested, data).total == mahc.score_graph(tested.dag, data).total
    assert fit(learned, data) == fit(learned.dag, data)  # type: ignore[arg-type]
    assert dag_to_cpdag(learned) == dag_to_cpdag(learned.dag)  # type: ignore[arg-type]
    assert dag_to_pag(learned) == dag_to_pag(learned.dag)  # type: ignore[arg-type]
    assert format_graph(learned, "dot") == format_graph(learned.graph, "dot")  # type: ignore[arg-type]
    assert svg(learned) == svg(learned.graph)  # type: ignore[arg-type]
    assert place_graphs(learned) == place_graphs(learned.graph)  # type: ignore[arg-type]


def test_a_shipped_sample_is_known_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert mahc.learn("asia").arcs == mahc.learn(sample_path("asia")).arcs
    assert mahc.read("asia").names == mahc.read(sample_path("asia")).names
    with pytest.raises(MahcError, match=r"asai does not exist \(did you mean 'asia'\?\)"):
        mahc.learn("asai")
    (tmp_path / "asia").write_text("a,b\n1,2\n2,1\n", encoding="utf-8")  # a file of that name comes first
    with pytest.raises(MahcError, match="the ending '' is not one of"):
        mahc.read("asia")
