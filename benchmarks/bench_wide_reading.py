"""Processor time to read text files of many columns: all columns at once, and column by column, as a Markdown table.

usage: python benchmarks/bench_wide_reading.py [--shapes 2000x1000 20000x100 100000x10]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

import mahc
from mahc.data.sources import wide_text


def write_file(columns: int, rows: int, path: Path) -> None:
    """Random values of three states."""
    codes = np.random.default_rng(1).integers(0, 3, (rows, columns)).astype(str)
    lines = [",".join(f"v{v}" for v in range(columns)), *(",".join(row) for row in codes)]
    path.write_text("\n".join(lines) + "\n")


def seconds_to_read(path: Path) -> float:
    """Processor time of `mahc.read`."""
    began = time.process_time()
    mahc.read(path)
    return time.process_time() - began


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=["2000x1000", "20000x100", "100000x10"])
    print(f"load average {os.getloadavg()[0]:.1f}\n")
    print("| columns | rows | at once, s | column by column, s | ratio |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in parser.parse_args().shapes:
            columns, rows = map(int, shape.split("x"))
            path = Path(folder) / "wide.csv"
            write_file(columns, rows, path)
            usual = wide_text.MIN_COLUMNS
            at_once = seconds_to_read(path)
            wide_text.MIN_COLUMNS = columns + 1
            one_by_one = seconds_to_read(path)
            wide_text.MIN_COLUMNS = usual
            row = f"{columns:,} | {rows:,} | {at_once:.1f} | {one_by_one:.1f} | {one_by_one / at_once:.1f}"
            print(f"| {row} |", flush=True)


if __name__ == "__main__":
    main()
