"""Passes over pieces report how far they are, and stop in the middle."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pieces_of_data import as_frame, cut, saved, sharded

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cluster import open_shards
from mahc.cluster.meter import PassProgress, format_bytes
from mahc.errors import MahcError
from mahc.learning.control import Control, Progress
from mahc.networks import load_network, sample

QUICK = ("mahc", "hc", "pc-stable")
EVERY = [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in sorted(ALGORITHMS)]


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 600, seed=4))


@pytest.mark.parametrize("algorithm", EVERY)
def test_a_cancelled_pass_ends_the_run_with_the_graph_so_far(
    algorithm: str, asia: pl.DataFrame, tmp_path: Path
) -> None:
    """Whatever pass is stopped, after one of its pieces, the search stops, and the result is whole."""
    folder = cut(asia, [100, 200, 400], tmp_path / "parts")
    whole = sharded(folder)
    mahc.learn(whole, algorithm)
    for number in {2, 3, (2 + whole.passes) // 2, whole.passes}:
        token, source = mahc.CancelToken(), sharded(folder)
        at_stop: list[int] = []

        def stop(progress: Progress, number: int = number, token: Any = token, at_stop: list[int] = at_stop) -> None:
            if progress.detail.startswith(f"pass {number} ") and "1 of 4 pieces" in progress.detail:
                at_stop.append(number)
                token.cancel()

        learned = mahc.learn(source, algorithm, cancel=token, progress=stop)
        if at_stop and number < whole.passes:
            assert learned.stop_reason == "interrupted"
            assert source.passes <= number + 3  # what the result itself needs: fingerprint, scores of its arcs
        saved(learned, tmp_path)


@pytest.fixture(autouse=True)
def _report_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    note = Control.note

    def note_and_report(self: Control, detail: str) -> bool:
        note(self, detail)
        self.report(0, float("nan"))
        return self.stop_reason() is not None

    monkeypatch.setattr(Control, "note", note_and_report)


def test_progress_says_pass_pieces_bytes_and_time(asia: pl.DataFrame, tmp_path: Path) -> None:
    seen: list[str] = []
    mahc.learn(sharded(cut(asia, [300], tmp_path / "parts")), progress=lambda state: seen.append(state.detail))
    assert any(
        re.fullmatch(r"pass 3 \(\w+\), 1 of 2 pieces, [\d.]+ kB of [\d.]+ kB, \d+ s left", text) for text in seen
    )
    assert seen[-1] == ""


def test_reading_stops_at_the_time_limit_and_when_cancelled(asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 200], tmp_path / "parts")
    with pytest.raises(MahcError, match="the time limit was reached while the data were read"):
        mahc.learn(folder, time_limit=1e-9)
    token = mahc.CancelToken()
    token.cancel()
    with pytest.raises(MahcError, match="the run was cancelled while the data were read"):
        mahc.learn(folder, cancel=token)


def test_ctrl_c_while_reading_leaves_nothing(
    asia: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cut(asia, [100, 200], tmp_path / "parts")
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spool))

    def interrupt(state: PassProgress) -> None:
        if state.name == "distinct rows" and state.done == 2:
            assert list(spool.iterdir())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_shards(folder, memory_bytes=0, progress=interrupt)
    assert not list(spool.iterdir())


def test_a_second_thread_cancels(asia: pl.DataFrame, tmp_path: Path) -> None:
    """A pass of a thread that is not the main one sees the token as well."""
    token, source = mahc.CancelToken(), sharded(cut(asia, [100], tmp_path / "parts"))
    token.cancel()
    found: list[mahc.Learned] = []
    thread = threading.Thread(target=lambda: found.append(mahc.learn(source, "hc", cancel=token)))
    thread.start()
    thread.join()
    assert found[0].stop_reason == "interrupted"
    assert found[0].arcs == ()


def test_bytes_are_written_with_units() -> None:
    texts = [format_bytes(count) for count in (0, 999, 1000, 9_949, 9_950, 999_499, 999_500, 10**15, 10**19)]
    assert texts == ["0 bytes", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "1.0 PB", "10000 PB"]
