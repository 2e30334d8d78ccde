"""Time and memory to read text files, many columns or many rows, as a Markdown table.

Each file is read in a process of its own; `--python` names interpreters, to compare installations of mahc in one run.

usage: python benchmarks/bench_text_reading.py [--shapes 37x1000000 20000x100 100000x10] [--python PATH ...]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

REPEATS = 3
PROGRAM = """
import sys, time
import mahc
mahc.read({"a": ["x", "y"]})
peak = lambda: int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024  # Linux
before, began, wall = peak(), time.process_time(), time.perf_counter()
data = mahc.read(sys.argv[1])
print(time.process_time() - began, time.perf_counter() - wall, peak() - before, data.fingerprint)
"""


def write_file(columns: int, rows: int, path: Path) -> None:
    """Random values of three states."""
    generator = np.random.default_rng(1)
    words = np.array(["low", "normal", "high"])
    with path.open("w") as file:
        file.write(",".join(f"v{v}" for v in range(columns)) + "\n")
        for begin in range(0, rows, 10_000):
            codes = generator.integers(0, 3, (min(10_000, rows - begin), columns))
            file.writelines(",".join(row) + "\n" for row in words[codes].tolist())


def measure(python: str, path: Path) -> tuple[float, float, float, str]:
    """The least processor seconds, wall seconds and peak memory of a few readings, and the fingerprint of the data."""
    command = [python, "-c", PROGRAM, str(path)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(REPEATS)]
    cpu, wall, peak = (min(float(run[k]) for run in runs) for k in range(3))
    return cpu, wall, peak, runs[0][3]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=["37x1000000", "20000x100", "100000x10"])
    parser.add_argument("--python", nargs="+", default=[sys.executable])
    asked = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f}\n")
    print("| columns | rows | installation | processor, s | wall, s | peak memory, MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in asked.shapes:
            columns, rows = map(int, shape.split("x"))
            path = Path(folder) / "table.csv"
            write_file(columns, rows, path)
            found = {python: measure(python, path) for python in asked.python}
            for python, (cpu, wall, peak, _) in found.items():
                print(f"| {columns:,} | {rows:,} | {python} | {cpu:.2f} | {wall:.2f} | {peak:.0f} |", flush=True)
            if len({fingerprint for *_, fingerprint in found.values()}) > 1:
                sys.exit("the installations read different data")


if __name__ == "__main__":
    main()
