"""hc's processor time over mahc's on wide data, measured in turn in one run; each run in a separate process.

    python benchmarks/bench_wide.py                      # 1,000 and 2,000 variables, 1e4 rows
    python benchmarks/bench_wide.py --sizes 500 --repeats 5

Writes wide.md to benchmarks/results. The data are those of bench_learning_growth.py.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROWTH = HERE / "bench_learning_growth.py"
ALGORITHMS = ("hc", "mahc")


def processor_seconds(size: int, algorithm: str) -> float:
    command = [sys.executable, str(GROWTH), "--one", "variables", str(size), algorithm]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.strip().splitlines()[-1])["cpu"])


def main() -> None:
    parser = argparse.ArgumentParser(description="hc against mahc on wide data.")
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 2000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    lines = ["| variables | hc, processor s | mahc, processor s | hc / mahc |", "|---" * 4 + "|"]
    print("\n".join(lines))
    for size in options.sizes:
        times: dict[str, list[float]] = {name: [] for name in ALGORITHMS}
        for _ in range(options.repeats):
            for name in ALGORITHMS:
                times[name].append(processor_seconds(size, name))
        hc, mahc = (statistics.median(times[name]) for name in ALGORITHMS)
        lines.append(f"| {size:,} | {hc:.2f} | {mahc:.2f} | {hc / mahc:.2f} |")
        print(lines[-1], flush=True)
    options.out.mkdir(exist_ok=True)
    load = f"Medians of {options.repeats} runs. Load average at the end: {os.getloadavg()[0]:.2f}.\n\n"
    (options.out / "wide.md").write_text(load + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
