"""TABU as a multiple of hill climbing's time, beside the tabu list and pyAgrum's tabu search.

    python benchmarks/bench_tabu.py
    python benchmarks/bench_tabu.py --before OLD --networks pathfinder   # `pip install --target OLD CHECKOUT` made OLD

All on one thread and timed by processor time of the learning alone; each in a process of its own, in turn, and the
fastest of the rounds counts. `--before` adds the TABU of another version. Writes
benchmarks/results/tabu.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import describe_machine, import_from

from mahc.data import Dataset
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
LIST_LENGTH = 100
OURS = {
    "hc": ("hc", {}),
    "TABU": ("tabu", {}),
    f"tabu list of {LIST_LENGTH}": ("tabu", {"list_length": LIST_LENGTH}),
}
RUN = """
import json, sys, time
import mahc
path, algorithm, settings = sys.argv[1:]
data = mahc.read(path)
mahc.learn(data, "hc", threads=1, step_limit=0)  # so that nothing is imported within the time
began = time.process_time()
learned = mahc.learn(data, algorithm, threads=1, **json.loads(settings))
print(json.dumps([time.process_time() - began, learned.score, learned.arcs]))
"""
PEER = """
import json, sys, time
import pandas, pyagrum
frame = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False).apply(lambda column: column.astype("category"))
learner = pyagrum.BNLearner(frame)
learner.setNumberOfThreads(1)
learner.useScoreBIC()
learner.setMaxIndegree(8)
learner.useLocalSearchWithTabuList()
began = time.process_time()
graph = learner.learnDAG()
names = learner.names()
print(json.dumps([time.process_time() - began, None, [(names[a], names[b]) for a, b in graph.arcs()]]))
"""

Outcome = tuple[float, float | None, list[list[str]]]


def run(words: list[str], package: Path | None, limit: float) -> Outcome | None:
    """Seconds, score and arcs; None where the program is missing, fails or takes longer than the limit."""
    script, *arguments = words
    words = [sys.executable, "-c", import_from(package) + script, *arguments]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit, check=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    seconds, score, arcs = json.loads(done.stdout.splitlines()[-1])
    return seconds, score, arcs


def measure(path: str, before: Path | None, rounds: int, limit: float) -> dict[str, Outcome | None]:
    """The fastest run of each; one that did not end is not tried again."""
    acts: dict[str, tuple[list[str], Path | None]] = {
        name: ([RUN, path, a, json.dumps(settings)], None) for name, (a, settings) in OURS.items()
    }
    if before is not None:
        acts["TABU before"] = ([RUN, path, "tabu", "{}"], before)
    acts["pyAgrum: tabu"] = ([PEER, path], None)
    found: dict[str, Outcome | None] = {}
    for _ in range(rounds):
        for name, (words, package) in acts.items():
            last = found.get(name)
            if name in found and last is None:
                continue
            outcome = run(words, package, limit)
            if last is None or (outcome is not None and outcome[0] < last[0]):
                found[name] = outcome
    return found


def lines_of(network: str, rows: int, found: dict[str, Outcome | None], limit: float) -> list[str]:
    climbed, now, before = found["hc"], found["TABU"], found.get("TABU before")
    if now and before:
        assert now[1:] == before[1:], f"{network}: the graphs of the two TABUs differ"
    lines = []
    for name, outcome in found.items():
        if outcome is None:
            lines.append(f"| {network} | {rows:,} | {name} | missing, or not ended in {limit:.0f} s | | | |")
            continue
        seconds, score, arcs = outcome
        ratio = f"{seconds / climbed[0]:.1f}" if climbed else ""
        shown = "" if score is None else f"{score:,.1f}"
        lines.append(f"| {network} | {rows:,} | {name} | {seconds:.2f} | {ratio} | {shown} | {len(arcs)} |")
    return lines


def write_csv(data: Dataset, path: Path) -> None:
    import csv

    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(data.names)
        columns = [[states[code] for code in column] for states, column in zip(data.labels, data.codes, strict=True)]
        writer.writerows(zip(*columns, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2", "pathfinder"])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of wall time that a run may take")
    parser.add_argument("--before", type=Path, help="a folder with another compiled mahc to compare with")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    lines = ["| network | rows | search | seconds | x hc | score | arcs |", "|---" * 7 + "|"]
    with tempfile.TemporaryDirectory() as folder:
        for network in options.networks:
            path = Path(folder) / f"{network}.csv"
            write_csv(sample(load_network(network), options.rows, 1), path)
            found = measure(str(path), options.before, options.rounds, options.limit)
            lines += lines_of(network, options.rows, found, options.limit)
            print("\n".join(lines[-len(found) :]), flush=True)
    head = f"Processor seconds of one thread, fastest of {options.rounds}; {describe_machine()}."
    options.out.mkdir(exist_ok=True)
    (options.out / "tabu.md").write_text(f"{head}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
