"""Every command that takes a result and data reads the data as those of the result were read."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

import mahc
from mahc.cli.main import run as run_words
from mahc.errors import MahcError, SettingError
from mahc.networks.files import read_network

OPTIONS = ["--discretise", "quantile:3", "--drop", "id", "--missing", "state", "--missing-token", "NA"]
OPTIONS += ["--decimal", ",", "--encoding", "cp1252", "--weights", "n", "--merge-states", "--categorical", "größe"]


def write(file: Path, seed: int, rows: int = 200, shift: float = 0.0, drop: bool = False) -> Path:
    """A file that needs every option: decimal commas, another encoding, NA, weights, two spellings, an identifier."""
    chance = random.Random(seed)
    lines = ["größe;pay;smoke;n" + ";id" * (not drop)]
    for row in range(rows):
        pay = chance.gauss(shift, 1)
        smoke = "NA" if chance.random() < 0.05 else chance.choice(["yes", "Yes "]) if pay > shift else "no"
        number = f"{pay:.3f}".replace(".", ",")
        line = f"{chance.choice([1, 2])},5;{number};{smoke};{chance.choice([1, 2])}"
        lines.append(line + f";p{row}" * (not drop))
    file.write_bytes("\n".join(lines).encode("cp1252"))
    return file


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading")
    write(folder / "data.csv", 1)
    assert run("learn", folder / "data.csv", *OPTIONS, "--out", folder / "out") == 0
    return folder


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run_words([str(word) for word in words])
    return int(end.value.code or 0)


def test_replay_needs_no_options(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", learned / "out", learned / "data.csv") == 0
    assert "The same graph" in capsys.readouterr().out
    assert run("replay", learned / "out", learned / "data.csv", *OPTIONS) == 0


def test_score_needs_no_options(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = json.loads((learned / "out" / "result.json").read_text())
    assert run("score", learned / "data.csv", learned / "out", "--json") == 0
    assert json.loads(capsys.readouterr().out)["total"] == pytest.approx(saved["score"]["value"], abs=1e-9)


def test_fit_applies_the_recorded_cut_points_to_other_data(learned: Path) -> None:
    other = write(learned / "other.csv", 2, shift=0.7, drop=True)  # its own quantiles are others; it has no column id
    assert run("fit", learned / "out", other, "--out", learned / "net.json") == 0
    record = mahc.Learned.load(learned / "out" / "result.json").data.reading
    assert record is not None
    low, high = record.cut_points["pay"]
    network = read_network(learned / "net.json")
    states = network.states[network.names.index("pay")]
    assert states == (f"<= {low:.6g}", f"({low:.6g}, {high:.6g}]", f"> {high:.6g}")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--missing", "drop"], ["--missing drop", "--missing state"]),
        (["--discretise", "quantile:4"], ["--discretise quantile:4", "--discretise quantile:3"]),
        (["--decimal", "."], ["--decimal .", "--decimal ,"]),
        (["--encoding", "utf-8"], ["--encoding utf-8", "--encoding cp1252"]),
        (["--weights", "id"], ["--weights id", "--weights n"]),
        (["--keep-unused-states"], ["--keep-unused-states", "without it"]),
    ],
)
@pytest.mark.parametrize("command", ["fit", "score", "replay"])
def test_other_options_are_refused_with_the_difference(
    learned: Path, command: str, option: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    result, data, out = learned / "out", learned / "data.csv", learned / f"{command}.bif"
    order = {"fit": [result, data, "--out", out], "score": [data, result], "replay": [result, data]}[command]
    capsys.readouterr()
    assert run(command, *order, *option) == 2
    problem = capsys.readouterr().err
    assert all(word in problem for word in words), problem
    assert "of the result were read" in problem
    assert problem.count("\n") == 1
    assert not out.exists()


def test_a_graph_file_leaves_the_options_to_the_user(learned: Path) -> None:
    graph = learned / "out" / "graph.csv"
    assert run("score", learned / "data.csv", graph, *OPTIONS) == 0
    assert run("score", learned / "data.csv", graph, *OPTIONS, "--keep-unused-states") == 0


def test_a_result_without_the_record_takes_options(learned: Path) -> None:
    saved = json.loads((learned / "out" / "result.json").read_text())
    del saved["reading"]
    (learned / "old.json").write_text(json.dumps(saved))
    assert mahc.Learned.load(learned / "old.json").data.reading is None
    assert run("replay", learned / "old.json", learned / "data.csv", *OPTIONS) == 0


@pytest.mark.parametrize("reading", [3, {}, {"settings": {"colour": 1}, "cut_points": {}, "left": []}])
def test_a_damaged_record_is_refused(
    learned: Path, tmp_path: Path, reading: object, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = json.loads((learned / "out" / "result.json").read_text())
    (tmp_path / "bad.json").write_text(json.dumps({**saved, "reading": reading}))
    with pytest.raises(MahcError, match="damaged"):
        mahc.Learned.load(tmp_path / "bad.json")
    assert run("score", learned / "data.csv", tmp_path / "bad.json") == 2
    assert "damaged" in capsys.readouterr().err


def test_python_reads_again_as_before(tmp_path: Path) -> None:
    chance = random.Random(3)
    first = {"age": [chance.gauss(50, 9) for _ in range(90)], "sex": [chance.choice("fm") for _ in range(90)]}
    learned = mahc.learn(first, discretise="quantile:2")
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert mahc.replay(loaded, first) == learned
    older = {"age": [80.0, 20.0, 81.0], "sex": ["f", "m", "f"]}
    assert loaded.fit(older).states("age") == mahc.read(first, discretise="quantile:2").states[0]
    with pytest.raises(SettingError, match=r'discretise="quantile:3" is given, but .* with discretise="quantile:2"'):
        mahc.replay(loaded, first, discretise="quantile:3")
    with pytest.raises(SettingError, match=r'missing="drop" is given, but .* without it'):
        loaded.fit(first, missing="drop")


def test_missing_values_that_stayed_missing_are_fitted_by_em(tmp_path: Path) -> None:
    chance = random.Random(4)
    rows = [(a, a if chance.random() < 0.9 else "x") for a in chance.choices("xy", k=150)]
    text = "\n".join(f"{a},{'' if chance.random() < 0.1 else b}" for a, b in rows)
    (tmp_path / "data.csv").write_text(f"a,b\n{text}\n")
    out = tmp_path / "out"
    assert run("learn", tmp_path / "data.csv", "--missing", "structural-em", "--out", out) == 0
    assert run("replay", out, tmp_path / "data.csv") == 0
    assert run("fit", out, tmp_path / "data.csv", "--out", tmp_path / "net.json") == 0
    assert read_network(tmp_path / "net.json").states == (("x", "y"), ("x", "y"))
    assert run("score", tmp_path / "data.csv", out) == 2
    assert run("score", tmp_path / "data.csv", out, "--missing", "drop") == 0


def read_states(result: Path, data: Path, name: str) -> tuple[str, ...]:
    """The states of a variable in the data as the result read them."""
    return mahc.Learned.load(result / "result.json").fit(data).states(name)


def test_effect_query_predict_and_report_need_no_options(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", learned / "data.csv"]
    assert run("effect", learned / "out", "pay", "smoke", *data) == 0
    highest = read_states(learned / "out", learned / "data.csv", "pay")[-1]
    answers = []
    for value in ("2.5", highest):
        capsys.readouterr()
        assert run("query", learned / "out", "smoke", "--given", f"pay={value}", "--json", *data) == 0
        answers.append(json.loads(capsys.readouterr().out)["answers"])
    assert answers[0] == answers[1]
    assert run("report", learned / "out", *data, "--out", learned / "report.html") == 0
    assert run("effect", learned / "out", "pay", "smoke", *data, "--discretise", "quantile:2") == 2
    assert "--discretise quantile:3" in capsys.readouterr().err


def test_rows_are_cut_at_the_points_of_the_model_and_spelt_as_its_states(
    learned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(learned / "later.csv", 3, rows=50, shift=1.0)
    text = (learned / "later.csv").read_bytes().replace(b";no;", b";NO;")
    (learned / "later.csv").write_bytes(text)
    assert run("fit", learned / "out", learned / "data.csv", "--out", learned / "model.json") == 0
    capsys.readouterr()
    dialect = ["--decimal", ",", "--encoding", "cp1252", "--merge-states", "--missing-token", "NA"]
    answers = []
    for words in (
        [learned / "out", learned / "later.csv", "größe", "--data", learned / "data.csv"],
        [learned / "model.json", learned / "later.csv", "größe", *dialect],
    ):
        assert run("predict", *words, "--keep", "id", "--keep", "pay") == 0
        answers.append(list(csv.reader(capsys.readouterr().out.splitlines())))
    assert answers[0] == answers[1]
    assert answers[0][0] == ["id", "pay", "größe"]
    assert [line[0] for line in answers[0][1:]] == [f"p{row}" for row in range(50)]
    network = read_network(learned / "model.json")
    frame = {"pay": [line[1].replace(",", ".") for line in answers[0][1:]]}
    model = mahc.inference.Model(network)
    states = network.states[network.names.index("pay")]
    cuts = [float(states[0][3:]), float(states[2][2:])]
    intervals = [states[sum(float(value) > cut for cut in cuts)] for value in frame["pay"]]
    expected = [model.query("smoke", {"pay": interval})[network.states[2][0]] for interval in intervals]
    found = model.predict_proba(frame, "smoke")[:, 0]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--keep", "nobody"], "unknown column 'nobody'"),
        (["--keep", "smoke"], "--keep names 'smoke', which is predicted"),
    ],
)
def test_a_column_that_cannot_be_kept(
    learned: Path, words: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = learned / "data.csv"
    assert run("predict", learned / "out", data, "smoke", "--data", data, *words) == 2
    assert part in capsys.readouterr().err


def test_tables_of_a_given_graph_are_fitted_by_em(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "holes.csv"
    file.write_text("a,b\n" + "x,u\ny,v\n,u\ny,\n" * 40)
    assert run("learn", file, "--missing", "impute", "--algorithm", "hc", "--out", tmp_path / "out") == 0
    capsys.readouterr()
    graph = tmp_path / "out" / "graph.csv"
    assert run("query", graph, "a", "--data", file, "--missing", "em", "--json") == 0
    given = json.loads(capsys.readouterr().out)
    assert run("query", tmp_path / "out", "a", "--data", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["answers"] == given["answers"]
    assert run("report", tmp_path / "out", "--data", file, "--out", tmp_path / "report.html") == 0
    assert run("query", graph, "a", "--data", file, "--missing", "impute") == 2
    assert "use --missing em" in capsys.readouterr().err
