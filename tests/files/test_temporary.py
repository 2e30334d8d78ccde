"""Temporary files: those of killed processes are removed, and permissions follow the umask, which nobody sets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mahc.files import temporary_folder, temporary_path, write_all, write_atomically
from mahc.lab.report.writing import write_folder

KILLED = """
import os, sys
from pathlib import Path
from mahc.files import temporary_folder, temporary_path
target = Path(sys.argv[1])
temporary_path(target).write_text("half")
(temporary_folder(target) / "inside").write_text("half")
os._exit(9)
"""


@pytest.fixture
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def leave_litter(target: Path) -> list[str]:
    subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    left = sorted(os.listdir(target.parent))
    assert len(left) == 2
    assert all(name.endswith(".part") for name in left)
    return left


def test_litter_of_a_dead_process_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    leave_litter(tmp_path / "a.csv")
    write_atomically(tmp_path / "a.csv", "new")
    assert os.listdir(tmp_path) == ["a.csv"]
    (tmp_path / "a.csv").unlink()
    leave_litter(tmp_path / "out")
    write_all(tmp_path / "out", {"a.csv": "new"})
    assert os.listdir(tmp_path) == ["out"]


def test_litter_is_removed_by_a_report(tmp_path: Path) -> None:
    leave_litter(tmp_path / "report")
    write_folder(tmp_path / "report", {"index.html": "new"})
    assert os.listdir(tmp_path) == ["report"]


def test_files_of_living_processes_other_machines_and_other_programs_stay(tmp_path: Path) -> None:
    living = temporary_path(tmp_path / "a.csv")
    living.write_text("half")
    machine, process, _ = living.name.split(".")[-2].split("-")
    elsewhere = living.name.replace(machine, "0" * 8).replace(process, "9999999")
    (tmp_path / elsewhere).write_text("half")
    (tmp_path / "film.part").write_text("half")
    (tmp_path / ".film.mkv.part").write_text("half")
    before = {*os.listdir(tmp_path)}
    write_atomically(tmp_path / "b.csv", "new")
    assert {*os.listdir(tmp_path)} == {*before, "b.csv"}


def test_a_long_name_has_a_temporary_name(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("😀" * 60 + ".csv"), "new")  # 244 bytes
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077, 0o002], indirect=True)
def test_permissions_follow_the_umask(umask: int, tmp_path: Path) -> None:
    write_all(tmp_path / "out", {"a.csv": "new"})
    write_folder(tmp_path / "report", {"index.html": "new"})
    for folder in ("out", "report"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o777 & ~umask
    for file in ("out/a.csv", "report/index.html"):
        assert (tmp_path / file).stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("old")
    file.chmod(0o604)
    write_atomically(file, "new")
    assert file.stat().st_mode & 0o777 == 0o604


def test_the_umask_is_never_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(mask: int) -> int:
        raise AssertionError("another thread would create its files with this umask")

    monkeypatch.setattr(os, "umask", refuse)
    write_all(tmp_path / "out", {"a.csv": "new"})
    write_folder(tmp_path / "report", {"index.html": "new"})
    temporary_folder(tmp_path / "x").rmdir()
