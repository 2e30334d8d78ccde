"""Many columns at once give what column by column gives, and reading says how far it is and can be ended."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mahc
from mahc.data import ReadSettings, read
from mahc.data.source_table import LabelColumn
from mahc.data.sources.text_table import read_text
from mahc.data.watching import watched_by
from mahc.errors import SettingError
from mahc.learning.control import Control, Progress

TEXTS = st.sampled_from(["0", "1", "2", "yes", "no", "", "NA", "1.5", "007", "a,b", 'say "x"', "é" * 5, "x" * 30, " y"])


@settings(max_examples=60)
@given(st.data())
def test_many_columns_at_once_give_what_column_by_column_gives(
    tmp_path_factory: pytest.TempPathFactory, draw: st.DataObject
) -> None:
    columns = draw.draw(st.integers(1, 6))
    rows = draw.draw(st.lists(st.lists(TEXTS, min_size=columns, max_size=columns), min_size=1, max_size=12))
    names = [f"v{v}" for v in range(columns)]
    text = io.StringIO()
    csv.writer(text, lineterminator=draw.draw(st.sampled_from(["\n", "\r\n"]))).writerows([names, *rows])
    path = tmp_path_factory.getbasetemp() / "wide.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    at_once = read_text(path, ReadSettings(delimiter=",", quote='"')).columns
    for v, name in enumerate(names):
        (alone,) = read_text(path, ReadSettings(delimiter=",", quote='"', columns=(name,))).columns
        for found in (at_once[v], alone):
            assert isinstance(found, LabelColumn)
            assert [found.values[code] for code in found.codes.tolist()] == [row[v] for row in rows]


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    codes = np.random.default_rng(1).integers(0, 2, (6, 700)).astype(str)
    lines = [",".join(f"v{v}" for v in range(700)), *(",".join(row) for row in codes)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_reading_says_how_far_it_is(wide_file: Path) -> None:
    said: list[str] = []
    with watched_by(said.append):
        read(wide_file)
    assert said == [
        "reading, column 256 of 700",
        "reading, column 512 of 700",
        "coding, column 256 of 700",
        "coding, column 512 of 700",
    ]


class Late(Control):
    """The time limit is over from the n-th report on."""

    left = 3

    def seconds_left(self) -> float:
        self.left -= 1
        return 0.0 if self.left < 0 else 1.0


def test_a_time_limit_that_is_reached_while_data_are_read_is_a_refusal(wide_file: Path) -> None:
    phases: list[tuple[str, str]] = []

    def note(progress: Progress) -> None:
        phases.append((progress.phase, progress.detail))

    with watched_by(Late(3, note).watch_reading), pytest.raises(SettingError) as refusal:
        read(wide_file)
    assert str(refusal.value) == (
        "time_limit=3 was reached while the data were read (reading, column 512 of 700): "
        "raise it, or read fewer columns or rows"
    )
    assert phases[0] == ("reading", "column 256 of 700")


def test_learn_watches_the_reading(wide_file: Path) -> None:
    with pytest.raises(SettingError, match="was reached while the data were read"):
        mahc.learn(wide_file, time_limit=1e-9)
    small = wide_file.with_name("small.csv")
    small.write_text("a,b\n0,1\n1,0\n0,1\n1,0\n")
    assert mahc.learn(small, time_limit=1e-9).stop_reason == "time_limit"  # read before the first look at the clock
