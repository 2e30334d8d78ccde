"""How long a run on a large cluster would take: a calculation from constants that were measured on one machine.

NOT a measurement. A pass takes what the slowest worker needs for its pieces, plus a trip, plus the sums that go up the
tree. usage: python benchmarks/simulate_cluster.py [--workers 1000] [--rows 1e11] [--columns 37]
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass

BRANCHES = 8


@dataclass(frozen=True)
class Constants:
    """What was measured: see docs/explanation/how-large.md for the commands."""

    read_values: float = 1 / (0.24e6 * 37)  # CPU seconds to read and recode one text value of Parquet
    count_value: float = 1.4 / (1e7 * 37)  # CPU seconds per value of a pass over all pairs (alarm: 1.4 s for 10^7 rows)
    distinct_value: float = 6.6 / (1e8 * 8)  # CPU seconds per value to find distinct rows
    trip: float = 0.03  # seconds of a Dask trip without counting
    megabyte: float = 1 / 1000  # seconds to send one megabyte
    tables: float = 0.3  # megabytes of tables of a pass (mahc on alarm)
    projections: float = 19.0  # megabytes of projections (alarm, 10^7 rows)


def simulate(
    workers: int, rows: float, columns: int, straggler: float, seed: int, known: Constants
) -> dict[str, float]:
    """Seconds of each pass of mahc; one worker in a hundred is slower by the factor `straggler`."""
    generator = random.Random(seed)
    slowest = max(straggler if generator.random() < 0.01 else 1.0 for _ in range(workers))
    share = rows / workers * columns * slowest
    levels = math.ceil(math.log(max(2, workers), BRANCHES))

    def climb_tree(megabytes: float) -> float:
        return levels * (known.trip + BRANCHES * megabytes * known.megabyte)

    passes = {"values": share * known.read_values + climb_tree(0.01)}
    passes["distinct rows"] = share * (known.read_values + known.distinct_value) + climb_tree(known.projections)
    passes["pairs"] = share * known.count_value + climb_tree(known.tables)
    for level in (1, 2, 3):
        passes[f"pruning {level}"] = share * known.count_value + climb_tree(known.tables)
    passes["projections"] = share * known.distinct_value * 4 + climb_tree(known.projections)
    return passes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--rows", type=float, default=1e11)
    parser.add_argument("--columns", type=int, default=37)
    parser.add_argument("--straggler", type=float, default=3.0, help="factor of the slow workers, one in a hundred")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = simulate(asked.workers, asked.rows, asked.columns, asked.straggler, asked.seed, Constants())
    print(f"simulated, not measured: {asked.workers:,} workers of one thread, {asked.rows:.0e} rows x {asked.columns}")
    for name, seconds in found.items():
        print(f"{name:15} {seconds:8,.0f} s")
    print(f"{'total':15} {sum(found.values()):8,.0f} s")


if __name__ == "__main__":
    main()
