from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mahc.errors import FormatError
from mahc.files import atomic, write_all, write_atomically


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path):
    goal = tmp_path / "new" / "a.csv"
    write_atomically(goal, "one\n")
    write_atomically(goal, b"two\n")
    assert goal.read_bytes() == b"two\n"
    assert os.listdir(goal.parent) == ["a.csv"]


def test_a_failure_midway_leaves_the_old_files_as_they_were(tmp_path, monkeypatch):
    write_all(tmp_path, {"a": "old a", "b": "old b"})
    real = atomic._write_temporary

    def fail_on_b(goal, content):
        if goal.name == "b":
            raise OSError(28, "No space left on device")
        return real(goal, content)

    monkeypatch.setattr(atomic, "_write_temporary", fail_on_b)
    with pytest.raises(FormatError, match="No space left on device"):
        write_all(tmp_path, {"a": "new a", "b": "new b"})
    assert (tmp_path / "a").read_text() == "old a"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_an_interrupt_leaves_no_part_behind(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a", "text")
    assert os.listdir(tmp_path) == []


def test_names_that_lead_elsewhere_are_refused(tmp_path):
    with pytest.raises(FormatError, match="not a plain file name"):
        write_all(tmp_path, {"../a": "text"})
    (tmp_path / "folder").mkdir()
    with pytest.raises(FormatError, match="a folder has this name"):
        write_atomically(tmp_path / "folder", "text")
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="cannot be written"):
        write_atomically(tmp_path / "file" / "a", "text")


def test_the_rights_are_the_usual_ones_or_those_of_the_old_file(tmp_path):
    goal = tmp_path / "a"
    goal.write_text("old")
    goal.chmod(0o640)
    write_atomically(goal, "new")
    assert goal.stat().st_mode & 0o777 == 0o640
    plain = tmp_path / "plain"
    plain.write_text("")
    write_atomically(tmp_path / "b", "new")
    assert (tmp_path / "b").stat().st_mode == plain.stat().st_mode


def test_a_new_folder_appears_with_all_its_files_at_once(tmp_path, monkeypatch):
    seen = []
    real = atomic.os.rename

    def watch(source, goal):
        seen.append((goal.exists(), sorted(os.listdir(source))))
        real(source, goal)

    monkeypatch.setattr(atomic.os, "rename", watch)
    write_all(tmp_path / "deep" / "new", {"a": "one", "b": "two"})
    assert seen == [(False, ["a", "b"])]
    assert sorted(os.listdir(tmp_path / "deep" / "new")) == ["a", "b"]
    assert os.listdir(tmp_path / "deep") == ["new"]
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "deep" / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_new_folder_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_all(tmp_path / "new", {"a": "one", "b": "two"})
    assert os.listdir(tmp_path) == []


def test_a_folder_made_by_somebody_meanwhile_is_used(tmp_path, monkeypatch):
    real = atomic._write_into

    def make_it_first(place, contents):
        (tmp_path / "new").mkdir(exist_ok=True)
        (tmp_path / "new" / "other").write_text("theirs")
        real(place, contents)

    monkeypatch.setattr(atomic, "_write_into", make_it_first)
    write_all(tmp_path / "new", {"a": "one"})
    assert sorted(os.listdir(tmp_path / "new")) == ["a", "other"]
    assert os.listdir(tmp_path) == ["new"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_or_device_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(FormatError, match="is a device or a pipe"):
        write_atomically(tmp_path / "pipe.csv", "a\n")
    assert stat.S_ISFIFO((tmp_path / "pipe.csv").stat().st_mode)
    assert [file.name for file in tmp_path.iterdir()] == ["pipe.csv"]
