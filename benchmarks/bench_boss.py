"""Order search beside hill climbing and causal-learn's BOSS, in one run, as ratios; growth with the variables.

    python benchmarks/bench_boss.py                               # all three parts
    python benchmarks/bench_boss.py --parts hc --networks alarm   # one part, one network

Parts: `hc` (bar: at most 6 times hill climbing's time), `growth` (bar: 1,000 variables x 1e4 rows in 60 s; every run in
its own process, with the growth of its memory), `peer` (causal-learn's BOSS with its own score; bar: 50 times faster,
where it ends within --peer-limit). The part `hc` is processor time, which a busy machine distorts less. Each part that
runs writes its own file: benchmarks/results/boss-hc.md, boss-growth.md with boss-growth.svg, boss-peer.md.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from bench_learning_growth import sparse_data
from charts import log_chart
from timing import describe_machine, smallest

from mahc.data import Dataset
from mahc.learn import learn
from mahc.learning.memory import resident_bytes
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent
PARTS = ("hc", "growth", "peer")


def priced_score(data: Dataset, algorithm: str) -> float:
    """qNML less boss's price per arc: what boss maximises."""
    learned = learn(data, algorithm, objective="qnml", arc_price=None if algorithm == "boss" else default_price(data))
    assert learned.score is not None
    return learned.score - default_price(data) * len(learned.arcs)


def default_price(data: Dataset) -> float:
    return 0.5 * math.log2(len(data.names))


def beside_hill_climbing(options: argparse.Namespace) -> str:
    lines = [
        "| network | rows | hc, processor s | boss | boss / hc | priced qNML of hc on all arcs | of boss |",
        "|---|---|---|---|---|---|---|",
    ]
    for network in options.networks:
        for rows in options.rows:
            data = sample(load_network(network), rows, options.seed)
            acts: dict[str, Callable[[], object]] = {name: partial(learn, data, name) for name in ("hc", "boss")}
            seconds = smallest(acts, options.repeat, time.process_time)
            ratio = seconds["boss"] / seconds["hc"]
            scores = [priced_score(data, name) for name in ("hc", "boss")]
            lines.append(
                f"| {network} | {rows:,} | {seconds['hc']:.3f} | {seconds['boss']:.3f} | {ratio:.1f}x "
                f"| {scores[0]:,.1f} | {scores[1]:,.1f} |"
            )
            print(lines[-1], flush=True)
    return "\n".join(lines)


def growth(options: argparse.Namespace) -> str:
    lines = [
        "| variables (1e4 rows) | hc s | boss s | boss, processor s | boss, memory MiB | arcs of boss |",
        "|---|---|---|---|---|---|",
    ]
    points: dict[str, list[tuple[float, float]]] = {"hc": [], "boss": []}
    for variables in options.variables:
        plain, ordered = (run_alone(["--learn", str(variables), name], None) for name in ("hc", "boss"))
        if plain is None or ordered is None:
            raise RuntimeError(f"a run with {variables} variables failed")
        points["hc"].append((variables, plain["seconds"]))
        points["boss"].append((variables, ordered["seconds"]))
        lines.append(
            f"| {variables:,} | {plain['seconds']:.2f} | {ordered['seconds']:.2f} | {ordered['processor']:.2f} "
            f"| {ordered['mebibytes']:.0f} | {ordered['arcs']:,.0f} |"
        )
        print(lines[-1], flush=True)
    chart = log_chart("Learning with 10,000 rows", "variables", "seconds", points)
    (options.out / "boss-growth.svg").write_text(chart, encoding="utf-8")
    return "\n".join(lines)


def run_alone(arguments: list[str], limit: float | None) -> dict[str, float] | None:
    """What a process of its own prints; None if it does not end in time."""
    command = [sys.executable, __file__, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, float] = json.loads(done.stdout)
    return found


def learn_once(variables: int, algorithm: str) -> dict[str, float]:
    """Memory is the growth of the process from before learning to its peak."""
    data = sparse_data(variables, 10_000)
    before = resident_bytes()
    began, worked = time.perf_counter(), time.process_time()
    learned = learn(data, algorithm)
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    mebibytes = max(0, peak - before) / 2**20
    return {"seconds": seconds, "processor": processor, "mebibytes": mebibytes, "arcs": len(learned.arcs)}


def beside_causal_learn(options: argparse.Namespace) -> str:
    try:
        import causallearn  # noqa: F401
    except ImportError:
        return "causal-learn is not installed."
    lines = ["| network (1,000 rows) | causal-learn's BOSS, processor s | ours | ratio |", "|---|---|---|---|"]
    for network in options.peer_networks:
        data = sample(load_network(network), 1_000, options.seed)
        acts: dict[str, Callable[[], object]] = {"boss": partial(learn, data, "boss")}
        ours = smallest(acts, options.repeat, time.process_time)["boss"]
        peer = run_alone(["--learn-peer", network, str(options.seed)], options.peer_limit)
        theirs = f"{peer['processor']:.2f}" if peer else f"not within {options.peer_limit:.0f} s"
        ratio = f"{peer['processor'] / ours:,.0f}x" if peer else "-"
        lines.append(f"| {network} | {theirs} | {ours:.4f} | {ratio} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def learn_with_peer(network: str, seed: int) -> dict[str, float]:
    from causallearn.search.PermutationBased.BOSS import boss

    data = sample(load_network(network), 1_000, seed)
    values = np.stack(data.codes, axis=1).astype(float)
    began = time.process_time()
    boss(values, score_func="local_score_BDeu", verbose=False)
    return {"processor": time.process_time() - began}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2", "pathfinder", "andes"])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000])
    parser.add_argument("--variables", nargs="+", type=int, default=[37, 100, 300, 1_000])
    parser.add_argument("--peer-networks", nargs="+", default=["asia", "survey", "sachs"])
    parser.add_argument("--peer-limit", type=float, default=120.0)
    parser.add_argument("--learn", nargs=2, metavar=("VARIABLES", "ALGORITHM"), help=argparse.SUPPRESS)
    parser.add_argument("--learn-peer", nargs=2, metavar=("NETWORK", "SEED"), help=argparse.SUPPRESS)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    if options.learn:
        print(json.dumps(learn_once(int(options.learn[0]), options.learn[1])))
        return
    if options.learn_peer:
        print(json.dumps(learn_with_peer(options.learn_peer[0], int(options.learn_peer[1]))))
        return
    parts = {"hc": beside_hill_climbing, "growth": growth, "peer": beside_causal_learn}
    options.out.mkdir(exist_ok=True)
    for name in options.parts:
        machine = describe_machine()
        (options.out / f"boss-{name}.md").write_text(f"{machine}\n\n{parts[name](options)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
