"""PC-Stable and FCI compared with other packages: same data, same test and alpha, each contestant in its own process.

    python benchmarks/bench_constraint.py --peer-python /path/to/peers/bin/python     # everything, half an hour
    python benchmarks/bench_constraint.py --algorithms fci --networks alarm --rows 10000 --limit 60 --growth no
    python benchmarks/bench_constraint.py --algorithms --growth only

Seconds are those of learning alone: wall time and, in brackets, processor time of all threads (mahc uses all
processors, the peers one). A peer is looked for in each `--peer-python` (pgmpy needs a separate environment), and
reported as missing where none has it; one that takes longer than the limit, or than six times what mahc took if that
is longer, is stopped. Writes constraint-{pc,fci}.md and
constraint-{rows,variables}.{md,svg} to benchmarks/results.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts import log_chart

HERE = Path(__file__).resolve()
ALPHA = 0.01
Outcome = tuple[float, float, int]  # seconds, processor seconds, edges


@dataclass(frozen=True)
class Cell:
    """The time of one contestant, or why it has none; `least` is a lower bound for one that was stopped."""

    why: str = ""
    seconds: float = 0.0
    busy: float = 0.0
    edges: int = 0
    least: float = 0.0

    def __str__(self) -> str:
        return self.why or f"{self.seconds:.3f} s ({self.busy:.3f} s), {self.edges} edges"


class Timer:
    """Wall and processor seconds since it was made; an alarm ends the process beyond the limit of learning."""

    limit = 0.0  # none

    def __init__(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, Timer.limit)
        self._wall, self._busy = time.perf_counter(), time.process_time()

    def stop(self, edges: int) -> Outcome:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        return time.perf_counter() - self._wall, time.process_time() - self._busy, edges


def _read_frame(path: str) -> Any:
    import pandas as pd

    return pd.read_parquet(path).astype("category")


def _codes(path: str) -> Any:
    return _read_frame(path).apply(lambda column: column.cat.codes).to_numpy()


def ours(algorithm: str, path: str) -> Outcome:
    import mahc

    data, name = mahc.read(path), "fci" if algorithm == "fci" else "pc-stable"
    # What we import when first needed, the peers import at once.
    mahc.learn({"a": ["x", "y"] * 9, "b": ["u", "v"] * 9}, name)
    timer = Timer()
    found = mahc.learn(data, name, alpha=ALPHA)
    return timer.stop(len(found.edges or ()))


def causal_learn(algorithm: str, path: str) -> Outcome:
    from causallearn.search.ConstraintBased.FCI import fci
    from causallearn.search.ConstraintBased.PC import pc

    codes = _codes(path)
    timer = Timer()
    if algorithm == "fci":
        _, edges = fci(codes, "chisq", ALPHA, verbose=False, show_progress=False)
        return timer.stop(len(edges))
    found = pc(codes, ALPHA, "gsq", stable=True, show_progress=False)
    return timer.stop(int((found.G.graph != 0).sum()) // 2)


def pyagrum(algorithm: str, path: str) -> Outcome:
    import pyagrum as gum

    learner = gum.BNLearner(_read_frame(path))
    learner.setNumberOfThreads(1)
    if algorithm == "fci":
        learner.useFCI().useFCIChi2Test().setFCIAlpha(ALPHA)
    else:
        learner.usePC().useG2Test().setPCAlpha(ALPHA).setPCStable(True)
    timer = Timer()
    if algorithm == "fci":
        return timer.stop(int(learner.learnPAG().size()))
    found = learner.learnPDAG()
    return timer.stop(found.sizeArcs() + found.sizeEdges())


def pgmpy(algorithm: str, path: str) -> Outcome:
    if algorithm == "fci":
        raise ModuleNotFoundError("pgmpy has no FCI")
    from pgmpy.estimators import PC

    frame = _read_frame(path)
    timer = Timer()
    skeleton, _ = PC(frame).build_skeleton(
        variant="stable", ci_test="g_sq", significance_level=ALPHA, max_cond_vars=20, show_progress=False
    )
    return timer.stop(skeleton.number_of_edges())


CONTESTANTS: dict[str, Callable[[str, str], Outcome]] = {
    "mahc": ours,
    "causal-learn": causal_learn,
    "pyAgrum": pyagrum,
    "pgmpy": pgmpy,
}
# pyAgrum's FCI needs minutes for alarm at 1e3 rows already; pgmpy has none.
PEERS = {"pc": ["causal-learn", "pyAgrum", "pgmpy"], "fci": ["causal-learn"]}


def run(python: str, name: str, algorithm: str, path: Path, limit: float) -> Cell:
    """One contestant in a separate process."""
    command = [python, str(HERE), "--contestant", name, "--algorithms", algorithm, "--file", str(path)]
    done = subprocess.run([*command, "--limit", str(limit)], capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGALRM:
        return Cell(f"stopped after {limit:.0f} s", least=limit)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["failed"])[-1]
        return Cell("not installed" if "ModuleNotFoundError" in last else last[:60])
    return Cell("", *json.loads(done.stdout.strip().splitlines()[-1]))


def run_peer(pythons: Sequence[str], name: str, algorithm: str, path: Path, limit: float) -> Cell:
    """The peer in the first of the environments that has it."""
    cell = Cell("not installed")
    for python in pythons:
        cell = run(python, name, algorithm, path, limit)
        if cell.why != "not installed":
            break
    return cell


def ratio(mine: Cell, peers: Sequence[Cell]) -> str:
    """How many times faster than the fastest peer, in wall and in processor time."""
    if mine.why:
        return "-"
    finished = [peer for peer in peers if not peer.why]
    stopped = [peer.least for peer in peers if peer.least]
    if finished:
        fastest = min(finished, key=lambda peer: peer.seconds)
        return f"{fastest.seconds / mine.seconds:.1f}x ({fastest.busy / mine.busy:.1f}x)"
    return f"more than {min(stopped) / mine.seconds:.1f}x" if stopped else "-"


def compare(
    algorithm: str, networks: Sequence[str], sizes: Sequence[int], limit: float, pythons: Sequence[str]
) -> None:
    """The table of one algorithm: a row per network and size."""
    peers = PEERS[algorithm]
    lines = [f"| {algorithm} | mahc | {' | '.join(peers)} | beside the fastest |", "|---" * (len(peers) + 3) + "|"]
    print("\n".join(lines), flush=True)
    for network in networks:
        for rows in sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = _write_sample(Path(folder) / "data.parquet", network, rows)
                mine = run(sys.executable, "mahc", algorithm, path, limit)
                longest = max(limit, 6 * mine.seconds)
                theirs = [run_peer(pythons, name, algorithm, path, longest) for name in peers]
            cells = " | ".join(map(str, (mine, *theirs)))
            lines.append(f"| {network} {rows:,} | {cells} | {ratio(mine, theirs)} |")
            print(lines[-1], flush=True)
    _write(f"constraint-{algorithm}.md", [*_conditions(), *lines])


def grow(kind: str, cases: Sequence[tuple[str, int, int]], limit: float) -> None:
    """Our own time against rows or variables; a case is a network, its rows and its place on the axis."""
    points: dict[str, list[tuple[float, float]]] = {algorithm: [] for algorithm in PEERS}
    lines = [f"| {kind} | network | rows | pc | fci |", "|---|---|---|---|---|"]
    for network, rows, place in cases:
        with tempfile.TemporaryDirectory() as folder:
            path = _write_sample(Path(folder) / "data.parquet", network, rows)
            cells = {algorithm: run(sys.executable, "mahc", algorithm, path, limit) for algorithm in PEERS}
        for algorithm, cell in cells.items():
            points[algorithm] += [] if cell.why else [(place, cell.seconds)]
        lines.append(f"| {place:,} | {network} | {rows:,} | {cells['pc']} | {cells['fci']} |")
        print(lines[-1], flush=True)
    _write(f"constraint-{kind}.md", [*_conditions(), *lines])
    lasting = {name: line for name, line in points.items() if line}
    _write(f"constraint-{kind}.svg", [log_chart(f"PC-Stable and FCI against {kind}", kind, "seconds", lasting)])


def _conditions() -> list[str]:
    from timing import describe_machine

    return [f"{describe_machine()}.", ""]


def _write(name: str, lines: Sequence[str]) -> None:
    results = HERE.parent / "results"
    results.mkdir(exist_ok=True)
    (results / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Run the requested comparisons and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2", "child"])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--algorithms", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--growth", choices=["yes", "no", "only"], default="yes")
    parser.add_argument("--limit", type=float, default=30.0)
    parser.add_argument("--peer-python", nargs="+", default=[sys.executable])
    parser.add_argument("--contestant", choices=list(CONTESTANTS))
    parser.add_argument("--file")
    arguments = parser.parse_args()
    if arguments.contestant:
        Timer.limit = arguments.limit
        print(json.dumps(CONTESTANTS[arguments.contestant](arguments.algorithms[0], arguments.file)))
        return
    for algorithm in [] if arguments.growth == "only" else arguments.algorithms:
        compare(algorithm, arguments.networks, arguments.rows, arguments.limit, arguments.peer_python)
    if arguments.growth != "no":
        grow("rows", [("alarm", 10**power, 10**power) for power in range(3, 7)], arguments.limit)
        sizes = {"asia": 8, "child": 20, "alarm": 37, "hailfinder": 56, "hepar2": 70, "win95pts": 76, "andes": 223}
        grow("variables", [(network, 10_000, size) for network, size in sizes.items()], arguments.limit)


def _write_sample(path: Path, network: str, rows: int) -> Path:
    import polars as pl

    from mahc.networks import load_network, sample

    data = sample(load_network(network), rows, seed=1)
    pl.DataFrame(
        {
            name: [labels[code] for code in column.tolist()]
            for name, labels, column in zip(data.names, data.labels, data.codes, strict=True)
        }
    ).write_parquet(path)
    return path


if __name__ == "__main__":
    main()
