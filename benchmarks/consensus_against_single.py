"""Consensus of a bootstrap against the single graph of the same algorithm: runs the shipped plan `consensus`.

    python benchmarks/consensus_against_single.py [--networks FOLDER] [--sizes 100,1000] [--labels mahc,hc]
    python benchmarks/consensus_against_single.py --store DIR

Prints the table of docs/explanation/confidence.md and writes benchmarks/results/consensus.csv. The first command learns
in this process, one cell after the other; with --sizes and --labels it runs a part of the plan, and the other rows of
the CSV file stay. The second command takes the rows that `mahc experiment run consensus --store DIR` left, where each
cell was a process of its own. With --table nothing is run: the table is that of the CSV file.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from statistics import fmean, stdev

from timing import describe_machine

from mahc.lab import Plan, Row, read_plan, read_store
from mahc.lab.cells import make_cells
from mahc.lab.contestants import Sample
from mahc.lab.worker import draw_sample, measure_answer

RESULTS = Path(__file__).resolve().parent / "results" / "consensus.csv"
MEASURES = ("f1", "shd", "bsf", "precision")
CONSENSUS = ", consensus"  # the end of a label; what is before it is the label of the single graph


def sample_of(row: Row) -> tuple[str, str, int, int]:
    """What both contestants learned from."""
    return row.case, row.data, row.rows, row.seed


def find_pairs(rows: list[Row]) -> dict[str, list[tuple[Row, Row]]]:
    """For each algorithm its single graph and its consensus on the samples on which both have one."""
    done = {(row.contestant, sample_of(row)): row for row in rows if row.finished}
    pairs: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
    for (label, sample), row in sorted(done.items()):
        single = done.get((label.removesuffix(CONSENSUS), sample))
        if label.endswith(CONSENSUS) and single is not None:
            pairs[label.removesuffix(CONSENSUS)].append((single, row))
    return dict(pairs)


def table_lines(pairs: dict[str, list[tuple[Row, Row]]]) -> list[str]:
    """The mean of the single graph, then the mean difference of the consensus and its standard error."""
    lines = [
        "| algorithm | data | rows | samples | " + " | ".join(MEASURES) + " |",
        "|---" * (4 + len(MEASURES)) + "|",
    ]
    for algorithm, found in pairs.items():
        sizes = sorted({single.rows for single, _ in found})
        for data in sorted({single.data for single, _ in found}):
            for size in [*sizes, *([None] if len(sizes) > 1 else [])]:
                chosen = [pair for pair in found if pair[0].data == data and size in (None, pair[0].rows)]
                if chosen:
                    shown = "all" if size is None else f"{size:,}"
                    cells = " | ".join(describe(chosen, measure) for measure in MEASURES)
                    lines.append(f"| {algorithm} | {data} | {shown} | {len(chosen)} | {cells} |")
    return lines


def describe(pairs: list[tuple[Row, Row]], measure: str) -> str:
    """One cell of the table."""
    differences = [both.measures[measure] - single.measures[measure] for single, both in pairs]
    digits = 2 if measure == "shd" else 3
    error = stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.nan
    single = fmean(pair[0].measures[measure] for pair in pairs)
    return f"{single:.{digits}f} {fmean(differences):+.{digits}f} ± {error:.{digits}f}"


def count_lines(rows: list[Row]) -> list[str]:
    """How many cells of each size gave a graph, and how many did not."""
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        counts[row.rows][0 if row.finished else 1] += 1
    return [f"{size:,} rows: {good} cells with a graph, {bad} without" for size, (good, bad) in sorted(counts.items())]


def read_csv() -> list[Row]:
    """The rows that the file holds."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                each["algorithm"] + (CONSENSUS if each["graph"] == "consensus" else ""),
                *(each["network"], each["noise"], int(each["rows"]), int(each["seed"]), "done"),
                measures={measure: float(each[measure]) for measure in MEASURES},
            )
            for each in csv.DictReader(file)
        ]


def write_csv(pairs: dict[str, list[tuple[Row, Row]]]) -> None:
    """All measures of both graphs, one line per sample and graph."""
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["algorithm", "network", "noise", "rows", "seed", "graph", *MEASURES])
        for algorithm, found in pairs.items():
            for pair in found:
                for kind, row in zip(("single", "consensus"), pair, strict=True):
                    values = [f"{row.measures[measure]:.6g}" for measure in MEASURES]
                    writer.writerow([algorithm, *sample_of(row), kind, *values])


def run_here(plan: Plan, sizes: list[int], labels: list[str]) -> Iterator[Row]:
    """The rows of the cells with these sizes and algorithms; every sample is drawn once."""
    wanted = [
        cell
        for cell in make_cells(plan)
        if cell.rows in sizes and cell.contestant.label.removesuffix(CONSENSUS) in labels
    ]
    for (case, data, size, seed), cells in groupby(
        wanted, lambda cell: (cell.case.name, cell.data, cell.rows, cell.seed)
    ):
        chosen = list(cells)
        if missing := chosen[0].unavailable_reason:
            raise SystemExit(missing)
        drawn = draw_sample(chosen[0].request(plan.limits, plan.networks))
        for cell in chosen:
            answer = cell.contestant.learn(Sample(drawn, Path()), plan.limits)
            ended = "time_limit" if answer.stop_reason == "time_limit" else "done"
            yield cell.row(ended, measures=measure_answer(answer, drawn)["measures"], seconds=answer.seconds)
        print(f"{case} {data} {size} {seed}: {time.process_time():.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    """Run the plan, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, help="make the table of the rows of this store, and run nothing")
    parser.add_argument("--networks", type=Path, help="folder with sports.json, property.json and formed.json")
    parser.add_argument("--sizes", default="", help="only these sizes of the plan")
    parser.add_argument("--labels", default="", help="only these algorithms of the plan")
    parser.add_argument("--table", action="store_true", help="only print the table of the CSV file")
    given = parser.parse_args()
    known = {(row.contestant, sample_of(row)): row for row in read_csv()}
    rows: list[Row] = []
    try:
        for row in [] if given.table else find_rows(given):
            rows.append(row)
            known[row.contestant, sample_of(row)] = row
            if row.contestant.endswith(CONSENSUS):
                write_csv(find_pairs(list(known.values())))
    except KeyboardInterrupt:
        print("interrupted: the table is of what was done", file=sys.stderr)
    print("\n".join(table_lines(find_pairs(list(known.values())))))
    if rows:
        print("\n".join(["", *count_lines(rows)]))
        print(f"{describe_machine()}; {time.process_time():.0f} s of processor time")


def find_rows(given: argparse.Namespace) -> Iterator[Row]:
    """The rows of the store, or of the cells that are run now."""
    if given.store:
        yield from read_store(given.store)[1]
        return
    plan = read_plan("consensus", networks=given.networks)
    sizes = [int(word) for word in given.sizes.split(",")] if given.sizes else list(plan.sizes)
    singles = [each.label for each in plan.contestants if not each.label.endswith(CONSENSUS)]
    yield from run_here(plan, sizes, given.labels.split(",") if given.labels else singles)


if __name__ == "__main__":
    main()
