"""A result says how many passes over the pieces there were, what for, and how many bytes they read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from pieces_of_data import as_frame, cut, saved, sharded

import mahc
from mahc.cli.main import run
from mahc.cluster import open_shards
from mahc.cluster.choosing import MAHC_PASSES
from mahc.cluster.pass_log import LATER_TABLES, LoggedRunner, PassesRecord
from mahc.cluster.passes import FingerprintSums
from mahc.networks import load_network, sample


def passes_by_phase(record: PassesRecord | None) -> dict[str, int]:
    assert record is not None
    return {name: phase.passes for name, phase in record.phases.items()}


def many_parents(rows: int) -> pl.DataFrame:
    """A child of six parents: pruning counts families of up to three, and the climb needs larger ones."""
    causes = np.random.default_rng(1).integers(0, 2, (rows, 6))
    frame = pl.DataFrame({f"cause {i}": causes[:, i] for i in range(6)})
    return frame.with_columns(effect=pl.Series(causes.sum(axis=1)))


@pytest.mark.parametrize(
    ("frame", "limit", "ties", "batches"),
    [
        pytest.param(as_frame(sample(load_network("asia"), 600, seed=1)), 300, False, False, id="asia"),
        pytest.param(as_frame(sample(load_network("alarm"), 1000, seed=1)), 500, True, False, id="ties"),
        pytest.param(many_parents(2000), 1, False, True, id="hub"),
        pytest.param(many_parents(2000), 2000, False, False, id="no-hub"),
    ],
)
def test_mahc_makes_six_passes_and_those_for_ties_and_hubs(
    frame: pl.DataFrame, limit: int, ties: bool, batches: bool, tmp_path: Path
) -> None:
    folder = cut(frame, [frame.height // 3], tmp_path / "parts")
    source = sharded(folder, limit=limit, memory=1 << 30)
    learned = mahc.learn(source)
    found = passes_by_phase(learned.data.passes)
    assert (found["values"], found["tables"], found["projections"]) == (1, 4, 1)  # pairs, and three levels of pruning
    assert (found.get("ties", 0) > 0, found.get(LATER_TABLES, 0) > 0) == (ties, batches)
    assert source.passes == 6 + found.get("ties", 0) + found.get(LATER_TABLES, 0)
    assert saved(learned, tmp_path) == saved(mahc.learn(frame), tmp_path)


def test_the_plan_counts_the_attempt_to_collect_all_distinct_rows(tmp_path: Path) -> None:
    frame = as_frame(sample(load_network("alarm"), 3000, seed=1))
    learned = mahc.learn(open_shards(cut(frame, [1500], tmp_path / "parts"), memory_bytes=0))
    found = passes_by_phase(learned.data.passes)
    more = found.pop("ties", 0) + found.pop(LATER_TABLES, 0)
    assert found == {"values": 1, "distinct rows": 1, "tables": 4, "projections": 1}
    assert learned.data.passes is not None
    assert learned.data.passes.total == MAHC_PASSES + more


def test_bytes_of_files_and_of_coded_rows(tmp_path: Path) -> None:
    frame = as_frame(sample(load_network("asia"), 600, seed=1))
    folder = cut(frame, [200], tmp_path / "parts")
    files = sum(file.stat().st_size for file in folder.iterdir())
    in_memory, on_disk = (mahc.learn(sharded(folder, memory=memory)).data.passes for memory in (1 << 30, 0))
    assert in_memory is not None
    assert on_disk is not None
    # The values are read from the files, and then the rows, to be coded, unless they stayed in memory; later passes
    # read coded rows.
    assert (in_memory.bytes, in_memory.spool_bytes) == (files, 0)
    assert on_disk.spool_bytes == 600 * 8
    assert on_disk.bytes == 2 * files + (on_disk.total - 2) * on_disk.spool_bytes


def test_a_result_keeps_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=2))
    folder = cut(frame, [100, 220], tmp_path / "parts")
    learned = mahc.learn(folder)
    assert passes_by_phase(learned.data.passes) == {"values": 1, "distinct rows": 1}
    assert learned == mahc.learn(frame)
    learned.save(tmp_path / "result.json")
    assert mahc.Learned.load(tmp_path / "result.json").data.passes == learned.data.passes
    assert mahc.learn(frame).data.passes is None
    for words in (["--json"], []):
        with pytest.raises(SystemExit) as ending:
            run(["learn", str(folder), *words])
        assert ending.value.code == 0
        shown = capsys.readouterr().out
        if words:
            found = json.loads(shown)["passes"]
            assert (found["total"], found["pieces"]) == (2, 3)
            assert {name: phase["passes"] for name, phase in found["phases"].items()} == {
                "values": 1,
                "distinct rows": 1,
            }
        else:
            assert "Passes   2 over 3 pieces (values 1, distinct rows 1), " in shown


def test_bytes_follow_from_the_size_of_the_pieces_on_a_cluster() -> None:
    class Elsewhere:
        pieces, passes, speculation = 2, 0, 16

        def run(self, question: object, control: object = None) -> int:
            return 1

    log = LoggedRunner(Elsewhere(), 1000)  # type: ignore[arg-type]
    for _ in range(3):
        log.run(FingerprintSums())
    assert (log.record.total, log.record.bytes) == (3, 1000)
    unknown = LoggedRunner(Elsewhere())  # type: ignore[arg-type]
    unknown.run(FingerprintSums())
    assert unknown.record.bytes is None
    assert unknown.record.text() == "1 over 2 pieces (fingerprint 1)"
