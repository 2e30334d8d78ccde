"""Overrun of the time limit and growth of the process: algorithms x variables x limits, as two Markdown tables.

usage: python benchmarks/bench_limits.py [--write docs/reference/reliability.md] [--variables 500 2000] [--jobs 2]
           [--seconds 1 3 10] [--memory 64 256 1024] [--algorithms fci hc] [--rows 200]

Random data of three states. Every run is a process of its own, on one thread; two run at a time. The first table has
the time limits, with a memory limit of 4,096 MiB; the second the memory limits, with a time limit of 3 s. `--write`
puts both between the two comments `limits` of a page. About ten minutes on two idle processors.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from mahc.algorithms import ALGORITHMS

ENOUGH_MEBIBYTES = 4096
ENOUGH_SECONDS = 3.0
LEAST_WATCHED = 32  # MiB: smaller growth is not watched
BEGIN, END = "<!-- limits: benchmarks/bench_limits.py -->", "<!-- /limits -->"

PROGRAM = """
import sys, threading, time
import numpy as np
import mahc
from mahc.data import Dataset
from mahc.learning.memory import resident_bytes

algorithm, variables, rows, memory = sys.argv[1], *map(int, sys.argv[2:5])
seconds = float(sys.argv[5])
codes = np.random.default_rng(1).integers(0, 3, (variables, rows)).astype(np.uint8)
names = tuple(f"v{v}" for v in range(variables))
data = Dataset.coded(names, (("0", "1", "2"),) * variables, tuple(codes))
mahc.learn({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, algorithm)  # loads all code
before, most, at_limit, ended = resident_bytes(), [0], [None], threading.Event()
wall, processor = time.perf_counter(), time.process_time()

def watch():
    while not ended.wait(0.01):
        most[0] = max(most[0], resident_bytes() - before)
        if at_limit[0] is None and time.perf_counter() - wall >= seconds:
            at_limit[0] = time.process_time()

watcher = threading.Thread(target=watch)
watcher.start()
try:
    how = mahc.learn(data, algorithm, threads=1, time_limit=seconds, memory_mebibytes=memory).stop_reason
except mahc.MahcError:
    how = "refused"
now, used = time.perf_counter(), time.process_time()
ended.set()
watcher.join()
late = 0.0 if at_limit[0] is None else used - at_limit[0]
print(f"{how}|{now - wall:.2f}|{late:.2f}|{most[0] >> 20}")
"""


@dataclass(frozen=True)
class Cell:
    """One run: its limits, how it ended, wall seconds, processor seconds after the time limit, growth in MiB."""

    algorithm: str
    variables: int
    seconds: float
    memory: int
    end: str = "failed"
    wall: float = 0.0
    late: float = 0.0
    growth: int = 0

    @property
    def too_late(self) -> bool:
        """Whether the time limit was overrun by more than 10 % and 1 s."""
        return self.wall > 1.1 * self.seconds + 1

    @property
    def too_large(self) -> bool:
        """Whether the process grew by more than the memory limit."""
        return self.growth > max(self.memory, LEAST_WATCHED)


def measure(cell: Cell, rows: int) -> Cell:
    """Run one cell in a process of its own."""
    values = [cell.algorithm, str(cell.variables), str(rows), str(cell.memory), str(cell.seconds)]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *values], capture_output=True, text=True)
    if done.returncode:
        print(f"failed: {' '.join(values)}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return cell
    end, wall, late, growth = done.stdout.strip().split("|")
    found = replace(cell, end=end, wall=float(wall), late=float(late), growth=int(growth))
    print(f"{' '.join(values)}: {end}, {wall} s, {late} s of processor time late, {growth} MiB", file=sys.stderr)
    return found


def show_time(cell: Cell) -> str:
    """Seconds; in brackets where the search ended by itself."""
    if cell.end in ("refused", "failed"):
        return cell.end
    shown = f"({cell.wall:.1f})" if cell.end == "converged" else f"{cell.wall:.1f}"
    return f"**{shown}**" if cell.too_late else shown


def show_memory(cell: Cell) -> str:
    """MiB; with an m where the memory limit ended the search."""
    if cell.end in ("refused", "failed"):
        return cell.end
    shown = f"{cell.growth:,}" + ("m" if cell.end == "memory_limit" else "")
    return f"**{shown}**" if cell.too_large else shown


def table(cells: Sequence[Cell], variables: Sequence[int], show: Callable[[Cell], str]) -> list[str]:
    """One row per algorithm, one column per number of variables, the limits with slashes between them."""
    lines = [f"| algorithm | {' | '.join(f'{n:,}' for n in variables)} |", "|---" * (len(variables) + 1) + "|"]
    for algorithm in dict.fromkeys(cell.algorithm for cell in cells):
        row = [
            " / ".join(show(cell) for cell in cells if (cell.algorithm, cell.variables) == (algorithm, n))
            for n in variables
        ]
        lines.append(f"| {algorithm} | {' | '.join(row)} |")
    return lines


def listed(numbers: Sequence[float]) -> str:
    """Numbers as a person writes them."""
    shown = [f"{number:,g}" for number in numbers]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def main() -> None:
    """Run all combinations, and print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", nargs="+", default=sorted(ALGORITHMS))
    parser.add_argument("--variables", type=int, nargs="+", default=[500, 2000, 8000, 20000])
    parser.add_argument("--seconds", type=float, nargs="*", default=[1, 3, 10])
    parser.add_argument("--memory", type=int, nargs="*", default=[64, 256, 1024])
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", type=Path)
    words = parser.parse_args()
    places = [(algorithm, n) for algorithm in words.algorithms for n in words.variables]
    timed = [Cell(*place, seconds, ENOUGH_MEBIBYTES) for place in places for seconds in words.seconds]
    bounded = [Cell(*place, ENOUGH_SECONDS, memory) for place in places for memory in words.memory]
    load = os.getloadavg()[0]
    with ThreadPoolExecutor(words.jobs) as pool:
        found = [*pool.map(lambda cell: measure(cell, words.rows), [*timed, *bounded])]
    timed, bounded = found[: len(timed)], found[len(timed) :]
    lines = [f"{words.rows:,} rows; load of the machine before the run {load:.1f}, {words.jobs} runs at a time.", ""]
    if timed:
        late = sum(cell.too_late for cell in timed)
        lines += [
            f"Seconds until the end, with time limits of {listed(words.seconds)} s and {ENOUGH_MEBIBYTES:,} MiB; in",
            "brackets where the search finished. Overrun by more than 10 % and 1 s (bold): "
            f"{late} of {len(timed)} runs.",
            f"Most processor time after the limit: {max(cell.late for cell in timed):.1f} s.",
            "",
            *table(timed, words.variables, show_time),
            "",
        ]
    if bounded:
        large = sum(cell.too_large for cell in bounded)
        lines += [
            f"Growth in MiB, with memory limits of {listed(words.memory)} MiB and {ENOUGH_SECONDS:g} s; m: the memory",
            f"limit ended the search. Growth above the limit (bold): {large} of {len(bounded)} runs.",
            "",
            *table(bounded, words.variables, show_memory),
        ]
    text = "\n".join(lines).rstrip()
    if words.write is None:
        print(text)
        return
    page = words.write.read_text(encoding="utf-8")
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f"{words.write} does not have the two comments {BEGIN} and {END} once each")
    head, rest = page.split(BEGIN)
    words.write.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
