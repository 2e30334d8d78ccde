"""Overrun of the time limit and growth of the process: algorithms x variables x limits, as a table.

usage: python benchmarks/bench_limits.py [--variables 500 2000] [--seconds 3 10] [--memory 64 1024] [--rows 1000]

Random data of three states. Every run is a process of its own, on one thread. Seconds are given as wall time and as
processor time: on a machine with other work only the second says something. A refusal shows when it came.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from itertools import product

from mahc.algorithms import ALGORITHMS

PROGRAM = """
import sys, threading, time
import numpy as np
import mahc
from mahc.learning.memory import resident_bytes

variables, rows, algorithm, seconds, memory = sys.argv[1:]
data = mahc.read(np.random.default_rng(1).integers(0, 3, (int(rows), int(variables))).astype(np.uint8))
mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, algorithm)  # loads all code
before, most, ended = resident_bytes(), [0], threading.Event()

def watch():
    while not ended.wait(0.01):
        most[0] = max(most[0], resident_bytes() - before)

watcher = threading.Thread(target=watch)
watcher.start()
wall, processor = time.perf_counter(), time.process_time()
try:
    how = mahc.learn(data, algorithm, threads=1, time_limit=float(seconds), memory_mebibytes=int(memory)).stop_reason
except mahc.MahcError:
    how = "refused"
wall, processor = time.perf_counter() - wall, time.process_time() - processor
ended.set()
watcher.join()
print(f"{how}|{wall:.1f}|{processor:.1f}|{most[0] >> 20}")
"""


def main() -> None:
    """Run all combinations and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--algorithms", nargs="+", default=sorted(ALGORITHMS))
    parser.add_argument("--variables", type=int, nargs="+", default=[500, 2000, 8000, 20000])
    parser.add_argument("--seconds", type=float, nargs="+", default=[3, 10])
    parser.add_argument("--memory", type=int, nargs="+", default=[64, 1024])
    parser.add_argument("--rows", type=int, default=1000)
    words = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f}\n")
    print("| algorithm | variables | limit s | limit MiB | end | wall s | processor s | grew by MiB |")
    print("|---|---|---|---|---|---|---|---|")
    for cell in product(words.algorithms, words.variables, words.seconds, words.memory):
        algorithm, variables, seconds, memory = cell
        values = [str(value) for value in (variables, words.rows, algorithm, seconds, memory)]
        done = subprocess.run([sys.executable, "-c", PROGRAM, *values], capture_output=True, text=True)
        found = done.stdout.strip().split("|") if not done.returncode else ["failed", "", "", ""]
        print("|", " | ".join([algorithm, f"{variables:,}", f"{seconds:g}", f"{memory:,}", *found]), "|", flush=True)


if __name__ == "__main__":
    main()
