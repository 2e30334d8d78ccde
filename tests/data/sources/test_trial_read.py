"""A damaged Arrow file is refused, and the process that reads it survives."""

from __future__ import annotations

from pathlib import Path

import polars
import pytest

import mahc
from mahc.data.sources import trial_read
from mahc.errors import FormatError


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
