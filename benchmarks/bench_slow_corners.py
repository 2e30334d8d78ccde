"""Searches that once took very long, each in a process of its own, beside pyAgrum's tabu search and PC.

    python benchmarks/bench_slow_corners.py                                # every corner; some minutes
    python benchmarks/bench_slow_corners.py --corners tabu --limit 30
    python benchmarks/bench_slow_corners.py --before OLD     # a version compiled by `pip install --target OLD CHECKOUT`
    python benchmarks/bench_slow_corners.py --networks FOLDER              # with sports, property and formed

The column "before" holds what was measured on an idle machine with two threads when the work on these corners began;
`--before` measures another version in this run instead. Times are wall seconds with two threads and,
in brackets, processor seconds of all threads. Writes benchmarks/results/slow-corners.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench_tabu import write_csv
from timing import describe_machine, import_from

from mahc.errors import MahcError
from mahc.networks import find_network, sample

HERE = Path(__file__).resolve().parent
RUN = """
import json, sys, time
import mahc
path, algorithm, limit = sys.argv[1:]
data = mahc.read(path)
mahc.learn(data, "hc", step_limit=0)  # so that nothing is imported within the time
began, cpu = time.perf_counter(), time.process_time()
learned = mahc.learn(data, algorithm, threads=2, time_limit=float(limit))
spent = time.perf_counter() - began, time.process_time() - cpu
print(json.dumps([*spent, learned.stop_reason == "converged"]))
"""
PEER = """
import json, sys, time
import pandas, pyagrum
path, algorithm, limit = sys.argv[1:]
frame = pandas.read_csv(path, dtype=str, keep_default_na=False).apply(lambda column: column.astype("category"))
learner = pyagrum.BNLearner(frame)
if algorithm == "tabu":
    learner.useScoreBIC()
    learner.setMaxIndegree(8)
    learner.useLocalSearchWithTabuList()
else:
    learner.usePC()
began, cpu = time.perf_counter(), time.process_time()
learner.learnDAG() if algorithm == "tabu" else learner.learnPDAG()
print(json.dumps([time.perf_counter() - began, time.process_time() - cpu, True]))
"""


@dataclass(frozen=True)
class Corner:
    """One search on one network, what it took before, and the peer's name for it."""

    algorithm: str
    network: str
    before: str
    peer: str | None = None


CORNERS = (
    Corner("hc", "link", "3 times mahc"),
    Corner("mahc", "link", ""),
    Corner("tabu", "pathfinder", "16", "tabu"),
    Corner("tabu", "munin1", "more than 100", "tabu"),
    Corner("saiyanh", "asia", ""),
    Corner("saiyanh", "sports", ""),
    Corner("saiyanh", "property", ""),
    Corner("saiyanh", "alarm", ""),
    Corner("saiyanh", "win95pts", "more than 30"),
    Corner("saiyanh", "formed", ""),
    Corner("saiyanh", "pathfinder", "more than 100"),
    Corner("pc-stable", "pathfinder", "more than 100 (R's bnlearn: 12)", "pc"),
    Corner("pc-stable", "munin1", "", "pc"),
    Corner("pc-stable", "pigs", "", "pc"),
    Corner("fci", "pathfinder", "more than 100"),
    Corner("fci", "munin1", ""),
    Corner("fci", "pigs", ""),
)


def run(script: str, path: Path, algorithm: str, limit: float, package: Path | None = None) -> str:
    """Seconds as text, or why there are none; `package`: the folder of another mahc."""
    words = [sys.executable, "-c", import_from(package) + script, str(path), algorithm, str(limit)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit + 30, check=True)
    except subprocess.TimeoutExpired:
        return f"more than {limit:.0f}"
    except subprocess.CalledProcessError as failed:
        return "missing" if "ModuleNotFoundError" in failed.stderr else "failed"
    wall, cpu, ended = json.loads(done.stdout.splitlines()[-1])
    return f"{wall:.2f} ({cpu:.2f})" if ended and wall <= limit else f"more than {limit:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corners", nargs="+", help="algorithms; all if left out")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--limit", type=float, default=100.0, help="seconds of wall time that a search may take")
    parser.add_argument("--before", type=Path, help="a folder with another compiled mahc to measure")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--networks", type=Path, help="a folder with networks that do not ship")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    lines = ["| search | network | before s | now s | pyAgrum s |", "|---" * 5 + "|"]
    with tempfile.TemporaryDirectory() as folder:
        for corner in CORNERS:
            if options.corners and corner.algorithm not in options.corners:
                continue
            path = Path(folder) / f"{corner.network}.csv"
            try:
                network = find_network(corner.network, options.networks)
            except MahcError as missing:
                print(f"left out: {missing}", flush=True)
                continue
            if not path.exists():
                write_csv(sample(network, options.rows, 1), path)
            before = corner.before
            if options.before:
                before = run(RUN, path, corner.algorithm, options.limit, options.before)
            now = run(RUN, path, corner.algorithm, options.limit)
            peer = ""
            if corner.peer and not options.no_peers:
                peer = f"{corner.peer}: {run(PEER, path, corner.peer, options.limit)}"
            lines.append(f"| {corner.algorithm} | {corner.network} | {before} | {now} | {peer} |")
            print(lines[-1], flush=True)
    head = f"{options.rows:,} rows; wall seconds with two threads (processor seconds); {describe_machine()}."
    options.out.mkdir(exist_ok=True)
    (options.out / "slow-corners.md").write_text(f"{head}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
