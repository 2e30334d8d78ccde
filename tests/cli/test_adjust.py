"""`mahc adjust`."""

from __future__ import annotations

import json

import pytest

import mahc
from mahc.cli.main import run
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.files import write_graph


def ask(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        run(["adjust", *map(str, words)])
    return ended.value.code, capsys.readouterr()


def test_sets_of_a_network(capsys):
    code, printed = ask(capsys, "asia", "bronc", "dysp")
    assert code == 0
    assert printed.out.startswith(
        "Effect of bronc on dysp: 3 minimal adjustment sets\n  either\n  lung\n  smoke\n"
        "Optimal set (smallest variance): either\n"
    )


def test_json_has_all_fields(capsys):
    code, printed = ask(capsys, "asia", "bronc", "dysp", "--exclude", "either", "--unmeasured", "smoke", "--json")
    found = json.loads(printed.out)
    assert code == 0
    assert (found["sets"], found["optimal"], found["complete"], found["reason"]) == ([["lung"]], None, True, None)
    assert found["instruments"] == []


def test_a_result_stands_for_all_graphs_that_data_cannot_distinguish(capsys, tmp_path):
    learned = mahc.learn("asia", "hc", knowledge={"required_arcs": [("smoke", "lung")]})
    learned.save(tmp_path / "result.json")
    pattern = learned.pattern
    for target in ("lung", "bronc"):
        _, printed = ask(capsys, tmp_path, "smoke", target, "--json")
        expected = pattern.adjustment_sets("smoke", target).to_dict()
        assert json.loads(printed.out) == {"format_version": 1, **expected}


def test_a_mag_of_arcs_alone_needs_the_option(capsys, tmp_path):
    file = tmp_path / "graph.json"
    write_graph(MixedGraph(["x", "y"], [("x", "-->", "y")]), file)
    assert "1 minimal adjustment set" in ask(capsys, file, "x", "y")[1].out
    assert "not visible" in ask(capsys, file, "x", "y", "--hidden")[1].out


def test_refusals_name_the_option(capsys, tmp_path):
    file = tmp_path / "graph.json"
    write_graph(DAG(["x", "y"], [("x", "y")]), file)
    code, printed = ask(capsys, file, "x", "y", "--unmeasured", "x")
    assert code == 2
    assert "--unmeasured" in printed.err
    assert ask(capsys, file, "x", "z")[0] == 2
