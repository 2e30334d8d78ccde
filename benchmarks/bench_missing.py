"""Learning from data with missing values as a multiple of the time for the complete data.

    python benchmarks/bench_missing.py

Hill climbing with BIC on one thread, by processor time; 30 % of the values of half of the variables are missing at
random. The contestants take turns, and the fastest of the rounds counts. Writes benchmarks/results/missing.md.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

from timing import describe_machine, smallest

from mahc import learn
from mahc.data.settings import MISSING_METHODS
from mahc.networks import load_network, simulate
from mahc.networks.noise import parse_noise

RESULTS = Path(__file__).resolve().parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=["alarm", "insurance", "child", "hailfinder"])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--noise", default="mar:0.3")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--methods", nargs="+", choices=MISSING_METHODS, default=["pairwise", "weighted", "impute"])
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    lines = ["| network | rows | complete, s | " + " | ".join(f"{method}, x" for method in options.methods) + " |"]
    lines.append("|---" * (3 + len(options.methods)) + "|")
    for name in options.networks:
        for rows in options.sizes:
            network = load_network(name)
            complete = simulate(network, rows, options.seed).data
            data = simulate(network, rows, options.seed, parse_noise(options.noise)).data
            acts = {"complete": partial(learn, complete, "hc", threads=1)}
            for method in options.methods:
                acts[method] = partial(learn, data, "hc", threads=1, missing=method)
            found = smallest(acts, options.rounds, time.process_time)
            ratios = " | ".join(f"{found[method] / found['complete']:.1f}" for method in options.methods)
            lines.append(f"| {name} | {rows:,} | {found['complete']:.4f} | {ratios} |")
            print(lines[-1], flush=True)
    head = f"Processor seconds of one thread, fastest of {options.rounds}, {options.noise}; {describe_machine()}."
    options.out.mkdir(exist_ok=True)
    (options.out / "missing.md").write_text(f"{head}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
