from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest

import mahc
from mahc.cli.main import run
from mahc.inference import Model
from mahc.networks import sample_path


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    mahc.write_result(mahc.learn(sample_path("asia"), "hc"), folder)
    return folder


def test_a_query_to_a_shipped_network(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "query", "asia", "lung", "--given", "smoke=yes", "--do", "asia=no")
    assert code == 0
    assert out.splitlines() == ["P(lung | smoke=yes, do(asia=no))", "  yes  0.100000", "  no   0.900000"]


def test_json_holds_what_python_answers(capsys: pytest.CaptureFixture[str], result: Path) -> None:
    words = ["query", result, "lung", "--data", "asia", "--given", "dysp=yes", "--credible", "0.9", "--draws", "100"]
    code, out, _ = call(capsys, *words, "--json")
    assert code == 0
    found = json.loads(out)["answers"][0]
    learned = mahc.Learned.load(result / "result.json")
    expected = learned.fit(mahc.read(sample_path("asia"))).query("lung", {"dysp": "yes"}, credible=0.9, draws=100)
    assert {entry["state"]: entry["probability"] for entry in found["states"]} == dict(expected)
    assert expected.intervals is not None
    assert found["states"][0]["interval"] == [expected.intervals["no"].low, expected.intervals["no"].high]


def test_several_targets_soft_evidence_and_the_joint(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "query", "asia", "lung", "tub", "--soft", "xray=yes:0.9,no:0.1")
    assert code == 0
    assert out.count("P(") == 2
    code, out, _ = call(capsys, "query", "asia", "lung", "--soft", "xray=yes:0.9,no:0.1", "--json")
    assert json.loads(out)["given"] == {"xray": {"yes": 0.9, "no": 0.1}}
    code, out, _ = call(capsys, "query", "asia", "lung", "tub", "--joint", "--json")
    states = json.loads(out)["answers"][0]["states"]
    assert [entry["state"] for entry in states] == [["yes", "yes"], ["yes", "no"], ["no", "yes"], ["no", "no"]]


def test_the_most_probable_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "query", "asia", "--most-probable", "--given", "xray=yes")
    assert code == 0
    assert "  lung    yes" in out.splitlines()


def test_an_effect_of_a_learned_graph_is_an_interval(capsys: pytest.CaptureFixture[str], result: Path) -> None:
    code, out, _ = call(capsys, "effect", result, "smoke", "lung", "--data", "asia")
    assert code == 0
    assert "95 % interval" in out
    assert "of 300 graphs (posterior) have no such effect" in out
    code, out, _ = call(
        capsys, "effect", result, "smoke", "lung", "--data", "asia", "--from", "no", "--given", "asia=no", "--json"
    )
    for found in json.loads(out)["estimates"]:
        assert found["contrast"] == ["no", "yes"]
        assert found["condition"] == {"asia": "no"}
        assert found["interval"][0] <= found["difference"] <= found["interval"][1]


def test_an_effect_in_a_network_says_that_it_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "effect", "asia", "smoke", "lung")
    assert code == 0
    assert "Of this graph alone, without an interval" in out
    code, out, _ = call(capsys, "effect", "asia", "smoke", "lung", "--from", "no", "--json")
    assert json.loads(out)["effects"][0]["difference"] == pytest.approx([0.09, 0.09])
    code, _, err = call(capsys, "effect", "asia", "smoke", "lung", "--given", "asia=no")
    assert code == 2
    assert "--given needs a learned result and its rows" in err


def test_an_effect_against_the_rest(capsys: pytest.CaptureFixture[str], result: Path) -> None:
    code, out, _ = call(capsys, "effect", "asia", "smoke", "lung", "--rest")
    assert code == 0
    assert "compared with all other states together" in out
    assert "odds ratio 11.0000" in out
    code, out, _ = call(capsys, "effect", result, "smoke", "lung", "--data", "asia", "--rest", "--json")
    assert code == 0
    assert [each["contrast"] for each in json.loads(out)["estimates"]] == [[None, "no"]] * 2 + [[None, "yes"]] * 2
    code, _, err = call(capsys, "effect", "asia", "smoke", "lung", "--rest", "--from", "no")
    assert (code, "give one of them" in err) == (2, True)


def test_an_effect_where_values_are_missing_says_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [
        ("n" if k % 3 else "y", "u" if k % 7 % 2 else "v", "") if k % 9 == 0 else ("n", "u", "l") for k in range(90)
    ]
    rows += [("y", "v", "h"), ("y", "u", "h"), ("n", "v", "l")] * 10
    (tmp_path / "gaps.csv").write_text("a,b,c\n" + "".join(f"{','.join(row)}\n" for row in rows))
    words = (tmp_path / "gaps.csv", "--missing", "impute", "--algorithm", "boss", "--out", tmp_path / "r")
    assert call(capsys, "learn", *words)[0] == 0
    asked = ("effect", tmp_path / "r", "a", "c", "--data", tmp_path / "gaps.csv")
    assert "--missing drop gives it for the complete rows" in call(capsys, *asked)[2]
    code, _, err = call(capsys, *asked, "--given", "b=u")
    assert (code, "add --missing drop" in err) == (2, True)
    code, out, _ = call(capsys, *asked, "--missing", "drop")
    assert (code, "95 % interval" in out) == (0, True)


def test_one_state_of_the_cause_is_asked_for_in_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "effect", "sachs", "PKA", "Erk", "--from", "AVG", "--to", "HIGH")
    assert (code, "do(PKA=LOW)" in out, "do(PKA=HIGH)" in out, "do(PKA=AVG)" in out) == (0, False, True, True)
    code, out, _ = call(capsys, "effect", "sachs", "PKA", "Erk", "--from", "AVG", "--to", "HIGH", "--json")
    assert {each["do"] for each in json.loads(out)["effects"]} == {"AVG", "HIGH"}
    for words, message in (
        (["--to", "maybe"], "unknown state of 'PKA' 'maybe'"),
        (["--to", "LOW"], "PKA = LOW is compared with itself: give another baseline"),
        (["--level", "7"], "--level is 7: give a number between 0 and 1"),
    ):
        code, _, err = call(capsys, "effect", "sachs", "PKA", "Erk", *words)
        assert (code, message in err) == (2, True)


def test_an_effect_over_saved_graphs(capsys: pytest.CaptureFixture[str], tmp_path: Path, result: Path) -> None:
    assert call(capsys, "bootstrap", "asia", "--algorithm", "hc", "--resamples", "5", "--out", tmp_path / "b")[0] == 0
    code, out, _ = call(capsys, "effect", result, "smoke", "lung", "--data", "asia", "--graphs", tmp_path / "b")
    assert code == 0
    assert "of 5 graphs (bootstrap)" in out


def test_predictions_as_csv_and_as_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, result: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("smoke,xray,lung\nyes,yes,\nno,,yes\n", encoding="utf-8")
    code, out, _ = call(capsys, "predict", "asia", rows, "lung", "--probabilities")
    assert code == 0
    assert out.splitlines()[0] == "lung,lung=yes,lung=no"
    assert len(out.splitlines()) == 3
    for out_file in (tmp_path / "found.csv", tmp_path / "found.parquet"):
        assert call(capsys, "predict", result, rows, "lung", "--data", "asia", "--out", out_file)[0] == 0
        found = polars.read_csv(out_file) if out_file.suffix == ".csv" else polars.read_parquet(out_file)
        expected = mahc.Learned.load(result / "result.json").fit(sample_path("asia")).predict(rows, "lung")
        assert found["lung"].to_list() == expected.tolist()


def test_cut_points_of_the_data_hold_for_the_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, rows, graph = tmp_path / "data.csv", tmp_path / "rows.csv", tmp_path / "graph.csv"
    data.write_text("age,ill\n" + "20.5,no\n70.5,yes\n" * 20, encoding="utf-8")
    rows.write_text("age\n10.25\n80.5\n", encoding="utf-8")
    graph.write_text("from,to\nage,ill\n", encoding="utf-8")
    code, out, err = call(capsys, "predict", graph, rows, "ill", "--data", data, "--discretise", "age=50")
    assert (code, out.split()) == (0, ["ill", "no", "yes"]), err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["query", "asia"], "no TARGET is named: name the variable whose distribution is asked for"),
        (["query", "asia", "lung", "--given", "smoke"], "--given is 'smoke': write it as NAME=VALUE"),
        (["query", "asia", "lung", "--given", "smok=yes"], "unknown variable 'smok': did you mean 'smoke'?"),
        (["query", "asia", "lung", "--do", "lung=yes"], "'lung' is the target and is set by do"),
        (["query", "asia", "lung", "--soft", "xray=yes"], "write it as NAME=STATE:NUMBER,STATE:NUMBER"),
        (["query", "asia", "lung", "--data", "asia"], "asia is a network with tables: leave out --data"),
        (["query", "asia", "lung", "--method", "magic"], "--method is 'magic': give one of exact, weighting, pyagrum"),
        (
            ["query", "asia", "lung", "--most-probable"],
            "--most-probable answers for all variables: leave out the TARGET",
        ),
        (["query", "asian", "lung"], "unknown network 'asian': did you mean 'asia'?"),
        (["effect", "asia", "smoke", "lung", "--from", "maybe"], "unknown state of 'smoke' 'maybe'"),
        (["effect", "asia", "smoke", "lung", "--prior", "-1"], "the equivalent sample size is -1.0: it must be 0 or a"),
        (["query", "asia", "lung", "--prior", "nan"], "the equivalent sample size is nan: it must be 0 or a positive"),
        (["predict", "asia", "asia", "lung", "--out", "found.txt"], "give a file that ends in .csv or .parquet"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    code, out, err = call(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert sentence in err


def test_a_result_without_data_is_refused(capsys: pytest.CaptureFixture[str], result: Path) -> None:
    code, _, err = call(capsys, "query", result, "lung")
    assert code == 2
    assert "is a graph without tables: give the data to fit them to with --data" in err


def test_what_does_not_fit_is_refused_with_the_options_to_use(capsys: pytest.CaptureFixture[str]) -> None:
    munin = Model.load("munin1")
    leaves = [v for v in munin.variables if not any(v in arc[:1] for arc in munin.network.arcs)]
    given = [word for name in leaves for word in ("--given", f"{name}={munin.states(name)[0]}")]
    code, _, err = call(capsys, "query", "munin1", "R_LNLW_MED_SEV", *given)
    assert code == 2
    assert "raise --max-bytes, or use --method weighting for an estimate" in err


def test_a_bar_per_state_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from mahc.cli.commands import query

    class Terminal:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(query.sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "60")
    lines = query.answer_lines(Model.load("asia").query("smoke"))
    assert lines[0].count("█") == lines[1].count("█") > 10
