"""PC-Stable and FCI with tests that few rows decide, and without them: F1, SHD, edges and time.

    python benchmarks/bench_rows_per_df.py                    # pathfinder, munin1, pigs at 1e4 rows
    python benchmarks/bench_rows_per_df.py --networks alarm --limit 20

`min_rows_per_df` 0 makes every test (the default); 5 and 10 count a test with fewer rows per degree of freedom as
independent, as other programs do. Clean data, so that the truth is the CPDAG or PAG of the network. A run that reaches
the limit is marked. Writes benchmarks/results/rows-per-df.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from timing import describe_machine

import mahc
from mahc.measures import compare
from mahc.networks import load_network, sample

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=["pathfinder", "munin1", "pigs"])
    parser.add_argument("--algorithms", nargs="+", default=["pc-stable", "fci"])
    parser.add_argument("--least", nargs="+", type=float, default=[0.0, 5.0, 10.0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a run may take")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    lines = ["| network | algorithm | rows per df | F1 | SHD | edges | seconds |", "|---" * 7 + "|"]
    for name in options.networks:
        network = load_network(name)
        data = sample(network, options.rows, options.seed)
        for algorithm in options.algorithms:
            for least in options.least:
                found = mahc.learn(data, algorithm, min_rows_per_df=least, time_limit=options.limit)
                result = compare(found.graph, network.dag, "pag" if algorithm == "fci" else "cpdag").measures
                stopped = "" if found.stop_reason == "converged" else " (stopped)"
                lines.append(
                    f"| {name} | {algorithm} | {least:g} | {result['f1']:.3f} | {result['shd']:.1f} "
                    f"| {len(found.edges or ())} | {found.seconds:.1f}{stopped} |"
                )
                print(lines[-1], flush=True)
    head = f"{options.rows:,} rows, seed {options.seed}; {describe_machine()}."
    options.out.mkdir(exist_ok=True)
    (options.out / "rows-per-df.md").write_text(f"{head}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
