"""PC-Stable and FCI beside the peers: same data, same test and alpha, each contestant in its own process.

    python benchmarks/bench_constraint.py                             # alarm and hepar2 at 1e4 and 1e5 rows
    python benchmarks/bench_constraint.py --networks alarm --rows 10000 --limit 60 --algorithm fci
    python benchmarks/bench_constraint.py --peer-python /path/to/peers/bin/python

Seconds are those of learning alone. Peers that are not installed are reported as missing; one that takes longer than
the limit is stopped. Writes benchmarks/results/constraint-pc.md or constraint-fci.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
ALPHA = 0.01
Outcome = tuple[float, int]


def _read_frame(path: str) -> Any:
    import pandas as pd

    return pd.read_parquet(path).astype("category")


def _codes(path: str) -> Any:
    return _read_frame(path).apply(lambda column: column.cat.codes).to_numpy()


def ours(algorithm: str, path: str) -> Outcome:
    from mahc.constraint import learn_cpdag, learn_pag
    from mahc.data import read

    data = read(path)
    began = time.perf_counter()
    found = (learn_pag if algorithm == "fci" else learn_cpdag)(data, alpha=ALPHA)
    return time.perf_counter() - began, len(found.graph.edges)


def causal_learn(algorithm: str, path: str) -> Outcome:
    from causallearn.search.ConstraintBased.FCI import fci
    from causallearn.search.ConstraintBased.PC import pc

    codes = _codes(path)
    began = time.perf_counter()
    if algorithm == "fci":
        _, edges = fci(codes, "chisq", ALPHA, verbose=False, show_progress=False)
        return time.perf_counter() - began, len(edges)
    found = pc(codes, ALPHA, "gsq", stable=True, show_progress=False)
    return time.perf_counter() - began, int((found.G.graph != 0).sum()) // 2


def pyagrum(algorithm: str, path: str) -> Outcome:
    import pyagrum as gum

    learner = gum.BNLearner(_read_frame(path))
    learner.setNumberOfThreads(1)
    if algorithm == "fci":
        learner.useFCI().useFCIChi2Test().setFCIAlpha(ALPHA)
    else:
        learner.usePC().useG2Test().setPCAlpha(ALPHA).setPCStable(True)
    began = time.perf_counter()
    found = learner.learnPAG() if algorithm == "fci" else learner.learnPDAG()
    return time.perf_counter() - began, int(
        found.size()
    ) if algorithm == "fci" else found.sizeArcs() + found.sizeEdges()


def pgmpy(algorithm: str, path: str) -> Outcome:
    if algorithm == "fci":
        raise ModuleNotFoundError("pgmpy has no FCI")
    from pgmpy.estimators import PC

    frame = _read_frame(path)
    began = time.perf_counter()
    skeleton, _ = PC(frame).build_skeleton(
        variant="stable", ci_test="g_sq", significance_level=ALPHA, max_cond_vars=20, show_progress=False
    )
    return time.perf_counter() - began, skeleton.number_of_edges()


CONTESTANTS: dict[str, Callable[[str, str], Outcome]] = {
    "mahc": ours,
    "causal-learn": causal_learn,
    "pyAgrum": pyagrum,
    "pgmpy": pgmpy,
}


def run(python: str, name: str, algorithm: str, path: Path, limit: float) -> str:
    """The cell of the table: seconds and edges, or why there are none."""
    command = [python, str(HERE), "--contestant", name, "--algorithm", algorithm, "--file", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"> {limit:.0f} s"
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["failed"])[-1]
        return "not installed" if "ModuleNotFoundError" in last else last[:60]
    seconds, edges = json.loads(done.stdout.strip().splitlines()[-1])
    return f"{seconds:.3f} s, {edges} edges"


def main() -> None:
    """Run what is asked for and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2"])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--algorithm", choices=["pc", "fci"], default="pc")
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--contestant", choices=list(CONTESTANTS))
    parser.add_argument("--file")
    asked = parser.parse_args()
    if asked.contestant:
        print(json.dumps(CONTESTANTS[asked.contestant](asked.algorithm, asked.file)))
        return
    lines = [f"| {asked.algorithm} | {' | '.join(CONTESTANTS)} |", "|---" * (len(CONTESTANTS) + 1) + "|"]
    for network in asked.networks:
        for rows in asked.rows:
            with tempfile.TemporaryDirectory() as folder:
                path = _write_sample(Path(folder) / "data.parquet", network, rows)
                cells = [
                    run(
                        sys.executable if name == "mahc" else asked.peer_python,
                        name,
                        asked.algorithm,
                        path,
                        asked.limit,
                    )
                    for name in CONTESTANTS
                ]
            lines.append(f"| {network} {rows:,} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    results = HERE.parent / "results"
    results.mkdir(exist_ok=True)
    (results / f"constraint-{asked.algorithm}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_sample(path: Path, network: str, rows: int) -> Path:
    import polars as pl

    from mahc.networks import load_network, sample

    data = sample(load_network(network), rows, seed=1)
    pl.DataFrame(
        {
            name: [labels[code] for code in column.tolist()]
            for name, labels, column in zip(data.names, data.states, data.columns, strict=True)
        }
    ).write_parquet(path)
    return path


if __name__ == "__main__":
    main()
