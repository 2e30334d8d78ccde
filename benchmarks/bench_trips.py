"""Passes, families and bytes that each algorithm needs where the rows are in pieces and do not fit into memory.

With and without counting ahead of the search (`mahc.engine.pass_scoring`). The graphs are compared with those of one
table in memory. usage: python benchmarks/bench_trips.py [--network alarm] [--rows 2000] [--algorithms mahc,hc,...]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeVar

import polars as pl

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.cluster import LocalRunner, ShardedRows
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.opening import read_states
from mahc.cluster.passes import FamilyTables, Pass, Together
from mahc.data import Dataset, ReadSettings
from mahc.engine import Families, FamilyCounts, RunControl
from mahc.networks import load_network, sample

OUT = Path(__file__).parent / "results" / "trips.md"
HOPELESS = ("exact",)  # with 37 variables
PIECES = 4
T = TypeVar("T")


class PlainRows:
    """The same counts as a source that is not known to need passes: every batch of a search is one request."""

    def __init__(self, source: ShardedRows) -> None:
        self._source = source
        self.names, self.rows, self.size, self.marginals = source.names, source.rows, source.size, source.marginals
        self.focus, self.fingerprint, self.sum_row_hashes = source.focus, source.fingerprint, source.sum_row_hashes

    def count_families(self, families: Families) -> FamilyCounts:
        """The counts of every family."""
        return self._source.count_families(families)


class CountingRunner(LocalRunner):
    """Counts the families and the bytes of the tables that passes bring back."""

    families = 0
    bytes = 0

    def run(self, question: Pass[T], control: RunControl | None = None) -> T | None:
        """Run the pass."""
        asked = question.question if isinstance(question, Together) else question
        if isinstance(asked, FamilyTables):
            self.families += len(asked.families)
            self.bytes += 8 * asked.cells
        return super().run(question, control)


def open_by_passes(data: Dataset, limit: int) -> tuple[ShardedRows, CountingRunner]:
    """Counts by passes over a few pieces of the rows."""
    frame = pl.DataFrame(
        {
            name: pl.Series(labels, dtype=pl.String).gather(pl.Series(column).cast(pl.UInt32))
            for name, labels, column in zip(data.names, data.labels, data.codes, strict=True)
        }
    )
    rows = -(-frame.height // PIECES)
    pieces = [FramePiece(frame[start : start + rows], f"piece {start}") for start in range(0, frame.height, rows)]
    runner = CountingRunner(pieces, threads=2)
    states = read_states(runner, data.names, ReadSettings())
    runner.open(states.coding)
    marginals = states.found.marginals
    return ShardedRows(runner, states.coding, marginals, states.rows, data.size, limit, ReadSettings()), runner


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--algorithms", default=",".join(name for name in ALGORITHMS if name not in HOPELESS))
    asked = parser.parse_args()
    data = sample(load_network(asked.network), asked.rows, seed=1)
    lines = [
        f"# Passes over {asked.rows:,} rows of {asked.network}, projections of up to {asked.rows // 2:,} distinct rows",
        "",
        "| algorithm | passes, every batch one | passes | families | MB of tables | same graph |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for algorithm in asked.algorithms.split(","):
        expected = mahc.learn(data, algorithm)
        source, runner = open_by_passes(data, asked.rows // 2)
        learned = mahc.learn(source, algorithm)
        before, _ = open_by_passes(data, asked.rows // 2)
        plain = mahc.learn(PlainRows(before), algorithm)
        same = expected.edges == learned.edges == plain.edges
        lines.append(
            f"| {algorithm} | {before.passes:,} | {source.passes:,} | {runner.families:,} | {runner.bytes / 1e6:.1f} "
            f"| {'yes' if same else 'NO'} |"
        )
        print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
