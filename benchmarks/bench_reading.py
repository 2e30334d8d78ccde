"""Rows per second of processor time that Parquet files are read and coded at, beside what polars takes alone.

usage: python benchmarks/bench_reading.py [--rows 1000000] [--network alarm]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
from bench_out_of_core import write_files

import mahc
from mahc.cluster.pieces import find_pieces
from mahc.data.sources.frames import code_polars

OUT = Path(__file__).parent / "results" / "reading.md"
REPEATS = 3


def cpu_seconds(work: Callable[[], object]) -> float:
    """The least processor time of a few runs, all threads together."""
    taken = []
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--rows", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_files(asked.network, asked.rows, Path(folder))
        files = sorted(Path(folder).iterdir())
        names = list(pl.read_parquet_schema(files[0]))

        def decode() -> None:
            for file in files:
                for name in names:
                    pl.read_parquet(file, columns=[name]).to_series()

        def polars_codes() -> None:
            for file in files:
                for name in names:
                    series = pl.read_parquet(file, columns=[name]).to_series()
                    series.cast(pl.Enum(series.unique().sort())).to_physical()

        def our_codes() -> None:
            for file in files:
                for name in names:
                    code_polars(name, pl.read_parquet(file, columns=[name]).to_series(), mahc.data.ReadSettings())

        ways: dict[str, Callable[[], object]] = {
            "decoding alone (polars)": decode,
            "decoding, codes by polars (unique, cast to Enum)": polars_codes,
            "decoding, codes by mahc": our_codes,
            "mahc.read, one file after another": lambda: [mahc.read(file) for file in files],
            "pieces: values and codes of every column": lambda: [
                list(piece.columns(names)) for piece in find_pieces(folder)
            ],
        }
        lines = [
            f"# {asked.rows:,} rows x {len(names)} text columns of {asked.network} in Parquet",
            "",
            f"Load of the machine {os.getloadavg()[0]:.1f}; `python benchmarks/bench_reading.py`.",
            "",
            "| way | million rows per CPU second | ns per value |",
            "|---|---|---|",
        ]
        for label, work in ways.items():
            seconds = cpu_seconds(work)
            rate, each = asked.rows / seconds / 1e6, seconds / asked.rows / len(names) * 1e9
            lines.append(f"| {label} | {rate:.2f} | {each:.1f} |")
            print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
