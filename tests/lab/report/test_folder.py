"""A report's folder is written whole or not at all, and never over anything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mahc.errors import SettingError
from mahc.lab import write_report
from mahc.lab.outline import ContestantInfo, Outline, Row
from mahc.lab.report import writing as folder
from mahc.lab.report.writing import MARK, write_folder
from mahc.lab.store import Store, StoredRow
from mahc.networks.library import NetworkSize

pytestmark = pytest.mark.long

ASIA = NetworkSize("asia", 8, 8, 2.0, 2, 18)


def test_an_older_report_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "report"
    write_folder(out, {"a.md": "one", "times/b.md": "two"})
    write_folder(out, {"c.md": "three"})
    assert sorted(file.name for file in out.iterdir()) == [MARK, "c.md"]
    assert [file.name for file in out.parent.iterdir()] == ["report"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    write_folder(tmp_path / "new", {"a": "1"})
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "empty", {"a": "1"})
    assert (tmp_path / "empty" / "a").read_text() == "1"


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SettingError, match="has other files than a report"):
        write_folder(tmp_path, {"a": "1"})
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_other_files_in_a_report_are_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "report"
    write_folder(out, {"a.md": "old", "times/b.md": "old"})
    (out / ".DS_Store").write_text("")
    (out / "store").mkdir()
    (out / "store" / "rows.sqlite").write_text("a week of work")
    with pytest.raises(SettingError, match=r"'store/rows.sqlite' in it is not part of a report"):
        write_folder(out, {"a.md": "new"})
    assert (out / "a.md").read_text() == "old"
    (out / "store" / "rows.sqlite").unlink()
    write_folder(out, {"a.md": "new"})
    assert sorted(file.name for file in out.iterdir()) == [MARK, "a.md"]


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot be written to"):
        write_folder(tmp_path / ("a" * 5000), {"a": "1"})


def test_a_file_or_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link"):
        with pytest.raises(SettingError, match="is a file or a link"):
            write_folder(tmp_path / name, {"a": "1"})


def test_a_failure_midway_leaves_the_older_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "report"
    write_folder(out, {"a": "old"})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "_fill", full)
    with pytest.raises(SettingError, match="No space left on device"):
        write_folder(out, {"a": "new"})
    assert (out / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["report"]


def test_the_old_report_comes_back_when_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "report"
    write_folder(out, {"a": "old"})
    real, calls = os.rename, []

    def second_fails(source: object, target: object) -> None:
        calls.append(source)
        if len(calls) == 2:
            raise OSError(13, "Permission denied")
        real(source, target)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "rename", second_fails)
    with pytest.raises(SettingError, match="Permission denied"):
        write_folder(out, {"a": "new"})
    assert (out / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["report"]


def test_a_store_becomes_a_report(tmp_path: Path) -> None:
    labels = {"MAHC": "", "Exact": "GOBNILP"}
    contestants = tuple(
        ContestantInfo(label, "x", "own class", "in-degree 3", "1", name) for label, name in labels.items()
    )
    facts = Outline("mine", contestants, ("asia",), (100, 1000), ("clean",), (1,), 60.0, 1024, 1, (ASIA,))
    with Store.open(tmp_path / "store") as store:
        store.begin(facts, ["a", "b", "c", "d"])
        for key, label in (("a", "MAHC"), ("c", "Exact")):
            row = Row(label, "asia", "clean", 100, 1, "done", measures={"f1": 0.5}, score=-300.0)
            store.add(key, StoredRow(row, 60.0, 1024), {})
    results = write_report(tmp_path / "store", tmp_path / "out")
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Incomplete: 2 of 4 cells not run yet" in text
    assert "| Exact | GOBNILP | Exact score-based | in-degree 3 | 1 |" in text
    assert "| Asia | 8 (8; 0) | 8 (8; 0) | 2.00 (2.00; 0.00) | 2 (2; 0) | 18 (18; 0) |" in text
    assert (len(results.missing), results.failed) == (2, ())


def test_a_store_with_a_name_that_the_paper_does_not_have_is_refused(tmp_path: Path) -> None:
    for paper_name in ("MAHCC", "Ground truth"):
        contestants = (ContestantInfo("mine", paper_name=paper_name),)
        with Store.open(tmp_path / "store") as store:
            store.begin(Outline("mine", contestants, ("asia",), (100,), ("clean",), (1,)), [])
        with pytest.raises(SettingError, match=f"contestant 'mine': paper_name is '{paper_name}', which the paper"):
            write_report(tmp_path / "store", tmp_path / "out")
    assert not (tmp_path / "out").exists()
