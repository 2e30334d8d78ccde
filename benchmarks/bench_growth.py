"""How counting grows: time against rows (10^3 to 10^7) and against variables, as a table and a picture.

    python benchmarks/bench_growth.py [--most-rows 10000000] [--most-variables 800]

One thread, processor time. Writes counting-growth.{csv,md} and counting-{rows,variables}.svg to
benchmarks/results.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from charts import log_chart
from timing import describe_machine, smallest

from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.scores import BIC

RESULTS = Path(__file__).resolve().parent / "results"
LABELS = tuple(f"s{k}" for k in range(4))
TASKS = ("prepare", "all pairs", "1,000 families of 3 parents")


@dataclass(frozen=True)
class Point:
    """One task on one size of data."""

    against: str
    size: int
    rows: int
    variables: int
    task: str
    seconds: float


def random_data(rows: int, variables: int, seed: int) -> Dataset:
    """Columns of 2 to 4 states, bytes from the start so that 10^7 rows fit."""
    rng = np.random.default_rng(seed)
    states = rng.integers(2, 5, variables).tolist()
    columns = tuple(rng.integers(0, s, rows, dtype=np.uint8) for s in states)
    return Dataset.coded(tuple(f"v{v}" for v in range(variables)), tuple(LABELS[:s] for s in states), columns)


def measure(against: str, size: int, rows: int, variables: int) -> Iterator[Point]:
    data = random_data(rows, variables, 1)
    rng = np.random.default_rng(2)
    picks = (rng.permutation(variables)[:4].tolist() for _ in range(1000))
    batch = Families.of((child, parents) for child, *parents in picks)
    scorer = RowScorer(EngineRows(data, threads=1), BIC())
    acts: dict[str, Callable[[], object]] = {
        "prepare": lambda: RowScorer(EngineRows(data, threads=1), BIC()),
        "all pairs": scorer.score_pairs,
        "1,000 families of 3 parents": lambda: scorer.score_families(batch),
    }
    for task, seconds in smallest(acts, 1 if rows * variables > 10**7 else 3, process_time).items():
        yield Point(against, size, rows, variables, task, seconds)


def measure_all(most_rows: int, most_variables: int) -> list[Point]:
    points: list[Point] = []
    for rows in (10**3, 10**4, 10**5, 10**6, 10**7):
        if rows <= most_rows:
            points += measure("rows", rows, rows, 30)
    for variables in (12, 25, 50, 100, 200, 400, 800):
        if variables <= most_variables:
            points += measure("variables", variables, 10_000, variables)
    return points


def tabulate(points: list[Point]) -> str:
    lines = ["| rows | variables | " + " | ".join(TASKS) + " |", "|---" * (len(TASKS) + 2) + "|"]
    for key in dict.fromkeys((point.against, point.rows, point.variables) for point in points):
        cells = [p.seconds for p in points if (p.against, p.rows, p.variables) == key]
        shown = " | ".join(f"{1e3 * seconds:.4g} ms" for seconds in cells)
        lines.append(f"| {key[1]:,} | {key[2]} | {shown} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time of counting against rows and variables.")
    parser.add_argument("--most-rows", type=int, default=10**7)
    parser.add_argument("--most-variables", type=int, default=800)
    options = parser.parse_args()
    machine = describe_machine()
    points = measure_all(options.most_rows, options.most_variables)
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "counting-growth.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["against", "rows", "variables", "task", "seconds"])
        writer.writerows([p.against, p.rows, p.variables, p.task, f"{p.seconds:.6g}"] for p in points)
    text = f"One thread, processor time; variables of 2 to 4 states; {machine}.\n\n{tabulate(points)}\n"
    (RESULTS / "counting-growth.md").write_text(text, encoding="utf-8")
    for against, held in (("rows", "30 variables"), ("variables", "10,000 rows")):
        lines = {
            task: [(p.size, p.seconds) for p in points if (p.against, p.task) == (against, task)] for task in TASKS
        }
        picture = log_chart(f"Counting and scoring, {held}, one thread", against, "seconds", lines)
        (RESULTS / f"counting-{against}.svg").write_text(picture, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
