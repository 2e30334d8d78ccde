"""A damaged Arrow file is refused, and the process that reads it survives."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import polars
import pytest

import mahc
from mahc.data.sources import trial_read
from mahc.errors import FormatError

pytestmark = pytest.mark.long


@pytest.fixture
def arrow(tmp_path: Path) -> Path:
    path = tmp_path / "x.arrow"
    polars.DataFrame({"a": ["x", "y"] * 9, "b": [1, 2] * 9}).write_ipc(path)
    return path


def test_a_file_that_aborts_the_reader_is_one_sentence(arrow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_read, "_PROGRAM", "import os; os.abort()")
    with pytest.raises(FormatError, match=r"damaged or cut off \(reading it ended a helper process by signal 6\)"):
        mahc.read(arrow)


def test_a_file_on_which_the_reader_waits_for_ever_is_one_sentence(
    arrow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_read, "_PROGRAM", "import time; time.sleep(600)")
    monkeypatch.setattr(trial_read, "BASE_SECONDS", 0.3)
    with pytest.raises(FormatError, match=r"damaged or cut off \(reading it does not end\)"):
        mahc.read(arrow)


def test_a_damaged_file_never_reaches_the_reader_of_this_process(arrow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(arrow.read_bytes())
    content[-40:-8] = b"\xff" * 32
    arrow.write_bytes(content)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("read in this process")

    monkeypatch.setattr(polars, "read_ipc", fail)
    monkeypatch.setattr(polars, "read_ipc_schema", fail)
    with pytest.raises(FormatError, match="damaged or cut off"):
        mahc.read(arrow)


def test_a_sound_file_is_read(arrow: Path) -> None:
    assert mahc.read(arrow).names == ("a", "b")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files of each helper process."""
    found: list[list[str]] = []
    real = subprocess.run

    def run(*words: Any, **options: Any) -> Any:
        found.append([Path(name).name for name in json.loads(options["input"])])
        return real(*words, **options)

    monkeypatch.setattr(subprocess, "run", run)
    return found


def test_a_folder_of_many_files_takes_one_process(tmp_path: Path, started: list[list[str]]) -> None:
    names = [f"{number:02}.arrow" for number in range(30)]
    for name in names:
        polars.DataFrame({"a": ["x", "y"] * 9, "b": ["u", "v"] * 9}).write_ipc(tmp_path / name)
    assert mahc.learn(tmp_path, "hc").data.rows == 30 * 18
    assert started == [names]
    assert mahc.learn(tmp_path, "hc").data.rows == 30 * 18
    assert started == [names]  # nothing has changed
    polars.DataFrame({"a": ["x", "y"] * 5, "b": ["u", "v"] * 5}).write_ipc(tmp_path / names[7])
    assert mahc.learn(tmp_path, "hc").data.rows == 30 * 18 - 8
    assert started == [names, [names[7]]]


def test_the_damaged_one_of_many_files_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        polars.DataFrame({"a": ["x", "y"] * 9}).write_ipc(tmp_path / f"{number}.arrow")
    files = sorted(tmp_path.iterdir())
    content = bytearray(files[2].read_bytes())
    content[-40:-8] = b"\xff" * 32
    files[2].write_bytes(content)
    with pytest.raises(FormatError, match=r"2\.arrow.*damaged or cut off"):
        trial_read.try_arrow(*files)
    said = "print('null', flush=True)\n"
    monkeypatch.setattr(trial_read, "_tried", set())
    monkeypatch.setattr(trial_read, "_PROGRAM", said * 3 + "import os; os.abort()")
    with pytest.raises(FormatError, match=r"3\.arrow.*ended a helper process by signal 6"):
        trial_read.try_arrow(*files)
