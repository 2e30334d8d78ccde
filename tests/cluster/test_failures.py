"""What goes wrong with data in pieces on one machine: the same result, or one sentence and no leftovers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from pieces_of_data import as_frame, by_passes_on, cut, saved, sharded

import mahc
from mahc.cluster import FilePiece, LocalRunner, find_pieces, open_shards
from mahc.cluster.piece_column import PieceColumn
from mahc.data import ReadSettings
from mahc.engine import Families
from mahc.errors import DataError, FormatError
from mahc.networks import load_network, sample

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def asia() -> pl.DataFrame:
    return as_frame(sample(load_network("asia"), 600, seed=4))


LEARN = """
import resource, sys
from mahc.cluster import open_shards
from mahc.errors import DataError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    open_shards(sys.argv[1], memory_bytes=0)
except DataError as mistake:
    print(mistake)
    sys.exit(2)
"""


def test_a_full_disk_is_one_sentence(asia: pl.DataFrame, tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: writing coded rows fails in the middle of a file."""
    folder, spool = cut(asia, [300], tmp_path / "parts"), tmp_path / "spool"
    spool.mkdir()
    environment = {**os.environ, "TMPDIR": str(spool)}
    words = [sys.executable, "-c", LEARN, str(folder)]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert f"coded rows cannot be written to {spool}" in ended.stdout
    assert "set TMPDIR to another folder" in ended.stdout
    assert not list(spool.iterdir())


WAIT_IN_A_PASS = """
import sys, time
from mahc.cluster import open_shards

def wait(state):
    if state.name == "distinct rows" and state.done == 1:
        print("spooled", flush=True)
        time.sleep(600)

open_shards(sys.argv[1], memory_bytes=0, progress=wait)
"""


def test_what_a_killed_run_leaves_is_removed_by_the_next(asia: pl.DataFrame, tmp_path: Path) -> None:
    folder, spool = cut(asia, [300], tmp_path / "parts"), tmp_path / "spool"
    spool.mkdir()
    environment = {**os.environ, "TMPDIR": str(spool)}
    words = [sys.executable, "-c", WAIT_IN_A_PASS, str(folder)]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "spooled\n"
        process.send_signal(signal.SIGKILL)
    assert len(list(spool.iterdir())) == 1
    source = sharded(folder)  # spools beside the folder: another place, and nothing is touched here
    mahc.learn(source, "hc")
    assert len(list(spool.iterdir())) == 1
    runner = LocalRunner(find_pieces(folder), memory_bytes=0, folder=spool)
    by_passes = by_passes_on(runner)
    mahc.learn(by_passes, "hc")
    assert len(list(spool.iterdir())) == 1  # its own
    by_passes.close()
    assert not list(spool.iterdir())
    source.close()


@dataclass(frozen=True)
class SlowPiece:
    """A piece that takes long to read."""

    inner: FilePiece
    seconds: float

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def size(self) -> int:
        return self.inner.size

    def column_types(self) -> dict[str, Any]:
        return self.inner.column_types()

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        for column in self.inner.columns(names):
            time.sleep(self.seconds)
            yield column


def test_a_slow_and_a_large_piece_change_nothing(asia: pl.DataFrame, tmp_path: Path) -> None:
    """One piece takes twenty times as long as the others and has 90 % of the rows."""
    pieces = find_pieces(cut(asia, [20, 40, 580], tmp_path / "parts"))
    uneven = [SlowPiece(piece, 0.02 if place == 2 else 0.001) for place, piece in enumerate(pieces)]
    source = by_passes_on(LocalRunner(uneven, memory_bytes=0, folder=tmp_path))
    assert saved(mahc.learn(source), tmp_path) == saved(mahc.learn(asia), tmp_path)
    source.close()


def test_a_truncated_file_is_named(asia: pl.DataFrame, tmp_path: Path) -> None:
    folder = cut(asia, [100, 300], tmp_path / "parts")
    file = folder / "001.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    with pytest.raises(FormatError, match=r"001\.parquet.*the file is damaged or cut off"):
        mahc.learn(folder)


def test_a_file_that_is_cut_off_after_it_was_opened(asia: pl.DataFrame, tmp_path: Path) -> None:
    """The states are known, and then a file is overwritten by half of itself."""
    folder, spool = cut(asia, [100, 300], tmp_path / "parts"), tmp_path / "spool"
    spool.mkdir()
    source = by_passes_on(LocalRunner(find_pieces(folder), memory_bytes=0, folder=spool))
    file = folder / "002.parquet"
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(FormatError, match=r"002\.parquet.*the file is damaged or cut off"):
        mahc.learn(source)
    source.close()
    assert not list(spool.iterdir())


def test_a_file_that_changes_between_two_passes(asia: pl.DataFrame, tmp_path: Path) -> None:
    """A value that no pass has seen before is refused, not taken for another one."""
    folder = cut(asia, [100, 300], tmp_path / "parts")
    source = by_passes_on(LocalRunner(find_pieces(folder), memory_bytes=0, folder=tmp_path))
    file = folder / "002.parquet"
    pl.read_parquet(file).with_columns(asia=pl.lit("new")).write_parquet(file)
    with pytest.raises(DataError, match=r"002\.parquet: column 'asia' .*the file was changed meanwhile"):
        mahc.learn(source)
    source.close()


@pytest.mark.parametrize("other", [pl.Series("a", [1, 2] * 10), pl.Series("a", [1.5, 2.5] * 10)])
def test_a_column_with_another_type_in_one_file(other: pl.Series, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 10, "b": ["u", "v"] * 10})
    folder = cut(frame, [10], tmp_path / "parts")
    frame.with_columns(other).write_parquet(folder / "001.parquet")
    with pytest.raises(DataError, match=r"column 'a' is String in .*000\.parquet and \w+ in .*001\.parquet"):
        mahc.learn(folder)


def test_the_projections_stay_within_the_memory(tmp_path: Path) -> None:
    """Children whose distinct rows do not fit together are counted in passes; the result is the same."""
    frame = as_frame(sample(load_network("child"), 500, seed=2))
    folder = cut(frame, [200], tmp_path / "parts")
    expected = saved(mahc.learn(frame), tmp_path)
    held = []
    for budget in (0, 3_000, 1 << 30):
        source = sharded(folder, limit=10_000)
        source.budget = budget
        assert saved(mahc.learn(source), tmp_path) == expected
        assert source.held_bytes <= budget
        held.append(source.held_bytes)
    assert 0 == held[0] < held[1] < held[2]


def test_totals_of_pieces_above_32_bits(tmp_path: Path) -> None:
    """Weights whose totals exceed 2^32 in one piece, in all pieces together, and reach 10^12."""
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 60)
    frame = pl.DataFrame({"a": a.astype(str), "b": (a ^ (rng.random(60) < 0.2)).astype(int).astype(str)})
    frame = frame.with_columns(pl.Series("c", rng.integers(0, 3, 60).astype(str)))
    for weight in (2**26, 2**31 // 30, 2**32, 10**12 // 60):
        weighted = frame.with_columns(w=pl.Series(weight + rng.integers(0, 9, 60)))
        folder = cut(weighted, [20, 40], tmp_path / "parts")
        reading = ReadSettings(weights="w")
        expected = {
            (x, y): int(total) for x, y, total in weighted.group_by("a", "b").agg(pl.col("w").sum()).iter_rows()
        }
        source = sharded(folder, reading)
        counts = source.count_families(Families.of([(0, [1])])).cells.reshape(2, 2)
        assert {(str(i), str(j)): int(counts[j, i]) for i in range(2) for j in range(2)} == expected
        assert source.size == int(weighted["w"].sum())
        by_passes = saved(mahc.learn(source), tmp_path)
        assert saved(mahc.learn(open_shards(folder, reading)), tmp_path) == by_passes
        assert saved(mahc.learn(weighted, weights="w"), tmp_path) == by_passes


def test_totals_above_the_largest_are_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 4, "b": ["u", "v"] * 4, "w": [2**50] * 8})
    folder = cut(frame, [4], tmp_path / "parts")
    with pytest.raises(DataError, match=r"above the maximum of 2\^53 - 1: divide them"):
        mahc.learn(folder, weights="w")
    frame.with_columns(w=pl.lit(2**62)).write_parquet(folder / "001.parquet")
    with pytest.raises(DataError, match="2\\^53"):
        mahc.learn(folder, weights="w")
