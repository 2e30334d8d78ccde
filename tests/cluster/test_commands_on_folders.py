"""Commands that need rows give the same output for a folder as for one file with the same rows."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import polars as pl
import pytest
from pieces_of_data import as_frame, cut

import mahc
from mahc.cli.main import run
from mahc.errors import DataError, UnknownNameError
from mahc.networks import load_network, sample
from mahc.opening import open_rows


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("place")
    frame = as_frame(sample(load_network("asia"), 300, seed=4))
    cut(frame, [100, 220], place / "parts")
    frame.write_parquet(place / "one.parquet")
    call("learn", place / "one.parquet", "--algorithm", "hc", "--out", place / "result")
    return place


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "RESULT", "DATA", "--out", "MODEL"],
        ["fit", "RESULT", "DATA", "--out", "MODEL", "--missing", "em"],
        ["score", "DATA", "RESULT", "--json"],
        ["query", "RESULT", "lung", "--data", "DATA"],
        ["effect", "RESULT", "smoke", "lung", "--data", "DATA"],
        ["predict", "RESULT", "FILE", "lung", "--data", "DATA"],
        ["check", "RESULT", "DATA"],
        ["compare", "RESULT", "RESULT", "--data", "DATA"],
        ["validate", "DATA", "--algorithms", "hc,mahc", "--folds", "2"],
        ["consensus", "DATA", "--algorithms", "hc,pc-stable"],
        ["replay", "RESULT", "DATA"],
        ["bootstrap", "DATA", "--algorithm", "hc", "--resamples", "3"],
    ],
    ids=lambda words: words[0],
)
def test_the_output_is_that_of_one_file(
    words: list[str], place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for data in (place / "parts", place / "one.parquet"):
        model = tmp_path / "model.bif"
        model.unlink(missing_ok=True)
        meant = {"RESULT": place / "result", "DATA": data, "FILE": place / "one.parquet", "MODEL": model}
        assert call(*(meant.get(word, word) for word in words)) == 0
        shown = capsys.readouterr()
        assert ("300 rows in pieces, " in shown.err) == (data.name == "parts")
        text = shown.out.replace(str(data), "DATA")
        text = re.sub(r"[\d.e-]+ s\b", "SECONDS", text)
        text = re.sub(r"Passes .*\n|; of these .* in passes .*", "", text)  # of pieces only
        found.append((text, model.read_text() if model.exists() else ""))
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ["score", "DATA", "RESULT", "--json"],
        ["check", "RESULT", "DATA"],
        ["replay", "RESULT", "DATA"],
        ["validate", "DATA", "--algorithms", "hc", "--folds", "2", "--split", "position"],
        ["bootstrap", "DATA", "--algorithm", "mahc", "--resamples", "2", "--how", "poisson"],
        ["bootstrap", "DATA", "--algorithm", "hc", "--resamples", "2"],
    ],
    ids=lambda words: " ".join(words[::6]),
)
def test_the_output_in_passes_is_that_of_one_file(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = as_frame(sample(load_network("alarm"), 6000, seed=4))
    cut(frame, [1000, 4000], tmp_path / "parts")
    frame.write_parquet(tmp_path / "one.parquet")
    call("learn", tmp_path / "one.parquet", "--algorithm", "hc", "--step-limit", "20", "--out", tmp_path / "result")
    capsys.readouterr()
    found = []
    for name, memory in (("parts", "1MiB"), ("one.parquet", "4GB")):
        meant = {"RESULT": tmp_path / "result", "DATA": tmp_path / name}
        ended = call(*(meant.get(word, word) for word in words), "--memory", memory)
        shown = capsys.readouterr()
        assert ("counted in passes" in shown.err) == (name == "parts")
        if ended == 2:
            assert name == "parts"
            assert "drawn from them: use --how poisson" in shown.err
            return
        lines = [line for line in shown.out.replace(str(tmp_path / name), "DATA").splitlines() if "Passes" not in line]
        text = re.sub(r"[\d.e-]+ s\b", "SECONDS", "\n".join(lines))
        found.append(re.sub(r"; of these SECONDS in passes \(.*\)", "", text))
    assert found[0] == found[1]


def test_rows_to_predict_may_be_a_folder(place: Path, tmp_path: Path) -> None:
    words = ("predict", place / "result"), ("lung", "--data", place / "one.parquet", "--out")
    for rows in ("parts", "one.parquet"):
        assert call(*words[0], place / rows, *words[1], tmp_path / f"{rows}.csv") == 0
    parts, one = (pl.read_csv(tmp_path / f"{rows}.csv") for rows in ("parts", "one.parquet"))
    assert parts.sort(parts.columns).equals(one.sort(one.columns))


def test_distinct_rows_that_do_not_fit(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [f"s{i // 40}" for i in range(1600)], "b": [f"s{i % 40}" for i in range(1600)]})
    folder = cut(frame, [700], tmp_path / "parts")
    assert open_rows(folder).rows == 1600
    with pytest.raises(DataError, match=r"the distinct rows do not fit into memory.*choose fewer columns"):
        open_rows(folder, memory_mebibytes=0)


def test_a_run_in_passes_leaves_nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, temporary = tmp_path / "parts", tmp_path / "temporary"
    temporary.mkdir()
    cut(as_frame(sample(load_network("alarm"), 5000, seed=1)), [2000], folder)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert call("learn", folder, "--algorithm", "hc", "--memory", "1MiB", "--step-limit", "1") == 0
    assert list(temporary.iterdir()) == []
    assert call("learn", folder, "--algorithm", "hc", "--memory", "1MiB", "--require", "zz,CVP") == 2
    assert list(temporary.iterdir()) == []
    with pytest.raises(UnknownNameError):
        mahc.learn(folder, "hc", memory_mebibytes=1, knowledge={"required_arcs": [("zz", "CVP")]})
    assert list(temporary.iterdir()) == []
