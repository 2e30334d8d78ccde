"""What people would do instead: DuckDB's GROUP BY behind plain hill climbing, and a sample of the rows.

The files are those of a folder of Parquet, or a sample of a network that is written first.
usage: python benchmarks/bench_alternatives.py [--network alarm] [--rows 500000] [--sample 100000] [--folder DIR]
           [--without-duckdb]

With --without-duckdb, whose queries take very long on many rows, the table goes to alternatives-sample.md.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from bench_out_of_core import write_files
from numpy.typing import NDArray

import mahc
from mahc.cluster import open_shards
from mahc.engine import Families, FamilyCounts
from mahc.measures import compare

RESULTS = Path(__file__).parent / "results"


class GroupByRows:
    """A count source that asks DuckDB for every family: one GROUP BY each."""

    def __init__(self, files: str) -> None:
        import duckdb

        self._connection = duckdb.connect()
        self._connection.execute(f"CREATE VIEW rows_of_files AS SELECT * FROM read_parquet('{files}')")
        described = self._connection.execute("DESCRIBE rows_of_files").fetchall()
        self.names = tuple(str(row[0]) for row in described)
        self.queries = 0
        self._labels: list[dict[str, int]] = []
        self.marginals: list[NDArray[np.int64]] = []
        for name in self.names:
            found = sorted(self._group([name]))
            self._labels.append({row[0]: place for place, row in enumerate(found)})
            self.marginals.append(np.array([row[1] for row in found], np.int64))
        self.rows = self.size = int(self.marginals[0].sum())

    def fingerprint(self) -> str:
        """None was computed."""
        return "0" * 64

    def count_families(self, families: Families) -> FamilyCounts:
        """One query per family."""
        parts: list[NDArray[np.int64]] = []
        for child, parents in families:
            axes = [*parents, child]
            table = np.zeros([len(self._labels[v]) for v in axes], np.int64)
            for row in self._group([self.names[v] for v in axes]):
                table[tuple(self._labels[v][label] for v, label in zip(axes, row[:-1], strict=True))] = row[-1]
            parts.append(table.ravel())
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        return FamilyCounts(np.concatenate(parts), offsets)

    def sum_row_hashes(self, state_hashes: Any, wanted: Any) -> Any:
        """Ties are broken by the order of the columns."""
        raise NotImplementedError

    def _group(self, names: Sequence[str]) -> list[tuple[Any, ...]]:
        self.queries += 1
        listed = ", ".join(f'"{name}"' for name in names)
        query = f"SELECT {listed}, count(*) FROM rows_of_files GROUP BY {listed}"
        found: list[tuple[Any, ...]] = self._connection.execute(query).fetchall()
        return found


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--sample", type=int, default=100_000)
    parser.add_argument("--folder", default="")
    parser.add_argument("--without-duckdb", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = asked.folder or made
        if not asked.folder:
            write_files(asked.network, asked.rows, Path(folder))
        lines = compare_ways(f"{folder}/*.parquet", asked.sample, with_group_by=not asked.without_duckdb)
    print("\n".join(lines))
    out = RESULTS / ("alternatives-sample.md" if asked.without_duckdb else "alternatives.md")
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def compare_ways(files: str, taken: int, *, with_group_by: bool) -> list[str]:
    """The rows of the table."""
    group_by: list[GroupByRows] = []

    def with_duckdb() -> mahc.Learned:
        group_by.append(GroupByRows(files))
        return mahc.learn(group_by[0], "hc", ties="file-order")

    def from_a_sample() -> mahc.Learned:
        return mahc.learn(pl.scan_parquet(files).collect().sample(taken, seed=1), "mahc")

    ways: dict[str, Callable[[], mahc.Learned]] = {
        "mahc, in pieces": lambda: mahc.learn(open_shards(files), "mahc"),
        "hc, in pieces": lambda: mahc.learn(open_shards(files), "hc", ties="file-order"),
        "hc, DuckDB GROUP BY": with_duckdb,
        f"mahc, sample of {taken:,} rows": from_a_sample,
    }
    if not with_group_by:
        del ways["hc, DuckDB GROUP BY"]
    lines: list[str] = []
    graphs: dict[str, mahc.Learned] = {}
    for name, learn in ways.items():
        began, cpu = time.perf_counter(), time.process_time()
        learned = learn()
        seconds, used = time.perf_counter() - began, time.process_time() - cpu
        graphs[name] = learned
        base = graphs["hc, in pieces" if name.startswith("hc") else "mahc, in pieces"]
        found = compare(learned, base)
        lines.append(
            f"| {name} | {seconds:.1f} | {used:.1f} | {len(learned.arcs)} | {found['shd']:.1f} | {found['f1']:.3f} |"
        )
        print(lines[-1], flush=True)
    queries = f"; DuckDB ran {group_by[0].queries:,} queries" if with_group_by else ""
    head = [
        f"# {graphs['mahc, in pieces'].data.rows:,} rows, load {os.getloadavg()[0]:.1f}{queries}",
        "",
        "| way | seconds | CPU seconds | arcs | SHD to the same algorithm on all rows | F1 |",
        "|---|---|---|---|---|---|",
    ]
    return [*head, *lines]


if __name__ == "__main__":
    main()
