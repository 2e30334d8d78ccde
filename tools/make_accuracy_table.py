"""Print the tables of docs/explanation/accuracy.md from a store of the plan `accuracy`.

    mahc experiment run accuracy --store STORE --jobs 2 --networks FOLDER
    python tools/make_accuracy_table.py STORE [STORE ...]

Several stores, for instance of the same plan cut into parts, are read as one. Means are over each network first, then
over the networks, because small networks have more seeds than large ones.

The first three tables have the contestants that take part in all samples of the plan:

1. Mean F1 / SHD by number of rows and kind of data. A column has the samples that every contestant with at least nine
   tenths of the column's samples finished; a contestant that finished fewer has no entry in it.
2. F1 and SHD of boss less those of each other contestant on the samples that both finished, with a 95 % interval by
   resampling the networks (seed 1).
3. Precision, recall and BSF on the samples that every contestant with at least nine tenths of all samples finished, and
   the median seconds of all samples that a contestant finished, by number of rows.

The next two have the contestants that take part in only some samples: mean F1 / SHD of each, of boss and of hc on those
of its samples that all three finished, with their number; and the differences to boss as in the second table.

The last lines are the cells that gave no graph, for each contestant by network and number of rows.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mahc.lab.outline import OUTCOME_WORDS, TRUTH, Outline, Row, Selection
from mahc.lab.store import read_store

Sample = tuple[str, int, str, int]  # network, rows, data, seed
Values = tuple[float, ...]
Found = dict[str, dict[Sample, Values]]
ENOUGH = 0.9
DRAWS = 10_000
FIRST, BESIDE = "boss", ("boss", "hc")


def sample_of(row: Row) -> Sample:
    """The sample of a row."""
    return row.case, row.rows, row.data, row.seed


def by_contestant(rows: Iterable[Row], *names: str) -> Found:
    """These measures of every sample that a contestant finished."""
    found: Found = defaultdict(dict)
    for row in rows:
        if row.finished and row.measures and row.contestant != TRUTH:
            found[row.contestant][sample_of(row)] = tuple(row.measures[name] for name in names)
    return dict(found)


def planned_samples(outlines: Iterable[Outline], shown: Selection) -> dict[str, set[Sample]]:
    """The samples that are shown in which each contestant takes part, in all stores together."""
    planned: dict[str, set[Sample]] = defaultdict(set)
    for outline in outlines:
        for case, data, size, seed in outline.samples():
            for one in outline.contestants:
                if shown.includes(case, size, seed) and outline.has_cell(one.label, case, data, size, seed):
                    planned[one.label].add((case, size, data, seed))
    return planned


def network_means(found: dict[Sample, Values], samples: Iterable[Sample]) -> NDArray[np.float64]:
    """The mean of each measure over the samples of each network; one line for each network."""
    values: dict[str, list[Values]] = defaultdict(list)
    for sample in sorted(samples):
        values[sample[0]].append(found[sample])
    return np.array([np.mean(many, axis=0).tolist() for many in values.values()])


def show_means(found: dict[Sample, Values], samples: Iterable[Sample]) -> str:
    """Mean F1 / SHD over the networks."""
    f1, shd = network_means(found, samples).mean(axis=0)
    return f"{f1:.3f} / {shd:.1f}"


def columns_of(found: Found, labels: Sequence[str]) -> list[tuple[int, str]]:
    """Rows and data of the samples that any of these contestants finished, clean data first."""
    known = {(sample[1], sample[2] != "clean", sample[2]) for label in labels for sample in found[label]}
    return [(rows, data) for rows, _, data in sorted(known)]


def in_column(samples: Iterable[Sample], column: tuple[int, str]) -> set[Sample]:
    """The samples with these rows and data."""
    return {sample for sample in samples if (sample[1], sample[2]) == column}


def finished_by_most(done: dict[str, set[Sample]]) -> set[Sample]:
    """The samples of every contestant that has at least nine tenths of the largest number."""
    most = max(map(len, done.values()))
    return set.intersection(*(mine for mine in done.values() if len(mine) >= ENOUGH * most))


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    rule = "|---" * len(heads) + "|"
    return [f"| {' | '.join(heads)} |", rule, *(f"| {' | '.join(line)} |" for line in lines)]


def mean_table(found: Found, labels: Sequence[str]) -> list[str]:
    """Mean F1 / SHD by rows and data."""
    columns = columns_of(found, labels)
    common = [finished_by_most({label: in_column(found[label], column) for label in labels}) for column in columns]
    heads = [f"{rows:,} rows, {data} ({len(c)})" for (rows, data), c in zip(columns, common, strict=True)]
    lines = []
    for label in labels:
        mine = found[label]
        cells = [show_means(mine, samples) if samples and samples <= set(mine) else "-" for samples in common]
        lines.append([label, *cells])
    return table(["contestant", *heads], lines)


def paired_table(found: Found, labels: Sequence[str]) -> list[str]:
    """Differences between boss and each other contestant, with intervals over networks."""
    kinds = list(dict.fromkeys(sample[2] for sample in found.get(FIRST, ())))
    heads = [head for kind in kinds for head in (f"{kind}: F1", "SHD", "samples")]
    lines = []
    for label in labels:
        if label != FIRST:
            lines.append([label, *(cell for kind in kinds for cell in paired_cells(found, label, kind))])
    return table([f"{FIRST} less", *heads], lines)


def paired_cells(found: Found, label: str, kind: str) -> list[str]:
    """The mean differences on one kind of data with their intervals, and the number of samples."""
    first, other = found[FIRST], found[label]
    both = [sample for sample in other if sample in first and sample[2] == kind]
    if not both:
        return ["-", "-", "0"]
    values = network_means({s: tuple(np.subtract(first[s], other[s]).tolist()) for s in both}, both)
    draws = np.random.default_rng(1).integers(0, len(values), (DRAWS, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5], axis=0)
    mean = values.mean(axis=0)
    return [
        f"{mean[0]:+.3f} ({low[0]:+.3f} to {high[0]:+.3f})",
        f"{mean[1]:+.1f} ({low[1]:+.1f} to {high[1]:+.1f})",
        f"{len(both)} of {len(values)} networks",
    ]


def measure_table(rows: Sequence[Row], labels: Sequence[str]) -> list[str]:
    """Precision, recall, BSF and seconds of each contestant."""
    names = ("precision", "recall", "bsf")
    found = by_contestant(rows, *names)
    common = finished_by_most({label: set(found[label]) for label in labels})
    sizes = sorted({row.rows for row in rows})
    lines = []
    for label in labels:
        cells = ["-"] * len(names)
        if common and common <= set(found[label]):
            cells = [f"{value:.3f}" for value in network_means(found[label], common).mean(axis=0)]
        lines.append([label, *cells, *(median_seconds(rows, label, size) for size in sizes)])
    heads = ["contestant", "precision", "recall", "BSF", *(f"seconds, {size:,} rows" for size in sizes)]
    return [f"{len(common)} samples.", "", *table(heads, lines)]


def median_seconds(rows: Iterable[Row], label: str, size: int) -> str:
    """The median seconds of the samples of a size that a contestant finished."""
    seconds = [row.seconds for row in rows if row.contestant == label and row.rows == size and row.finished]
    known = [value for value in seconds if value is not None]
    return f"{np.median(known):.3f}" if known else "-"


def partial_table(found: Found, labels: Sequence[str]) -> list[str]:
    """Mean F1 / SHD of each contestant that takes part in only some samples, beside boss and hc on the same samples."""
    columns = columns_of(found, labels)
    lines = []
    for label in labels:
        shown = [label, *(other for other in BESIDE if other in found)]
        common = [set.intersection(*(in_column(found[one], column) for one in shown)) for column in columns]
        for one in shown:
            cells = [f"{show_means(found[one], samples)} ({len(samples)})" if samples else "-" for samples in common]
            lines.append([one if one == label else f"{one}, samples of {label}", *cells])
    return table(["contestant", *(f"{rows:,} rows, {data}" for rows, data in columns)], lines)


def unfinished_lines(rows: Iterable[Row], planned: dict[str, set[Sample]], order: Iterable[str]) -> list[str]:
    """The cells without a graph, one line for each contestant; those that could not run here are left out."""
    counts: dict[str, Counter[tuple[str, int, str]]] = defaultdict(Counter)
    for row in rows:
        if not row.finished and row.outcome != "unavailable":
            counts[row.contestant][row.case, row.rows, OUTCOME_WORDS[row.outcome]] += 1
    lines = []
    for label in (one for one in order if one in counts):
        parts = []
        for (case, size, outcome), number in sorted(counts[label].items()):
            cells = sum(sample[:2] == (case, size) for sample in planned[label])
            parts.append(f"{case}, {size:,} rows ({number} of {cells}, {outcome})")
        lines.append(f"- {label}: {'; '.join(parts)}")
    return lines


def print_tables(outlines: Sequence[Outline], rows: Iterable[Row], shown: Selection) -> None:
    """All tables, of the samples that are shown."""
    rows = [row for row in rows if shown.includes(row.case, row.rows, row.seed)]
    found = by_contestant(rows, "f1", "shd")
    if not found:
        print("No contestant has finished a sample yet.")
        return
    planned = planned_samples(outlines, shown)
    every = set().union(*planned.values())
    everyone = dict.fromkeys(one.label for outline in outlines for one in outline.contestants)
    labels = [label for label in everyone if label in found]
    complete = [label for label in labels if planned[label] == every] or labels
    partial = [label for label in labels if label not in complete]
    parts = [mean_table(found, complete), paired_table(found, complete), measure_table(rows, complete)]
    if partial:
        parts += [["Contestants that take part in only some samples:"], partial_table(found, partial)]
        parts += [paired_table(found, partial)]
    parts += [["Cells that gave no graph:", "", *(unfinished_lines(rows, planned, everyone) or ["None."])]]
    print("\n\n".join("\n".join(part) for part in parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, nargs="*", default=[], help="only these seeds")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="only these numbers of rows")
    given = parser.parse_args()
    stores = [read_store(store) for store in given.store]
    # A cell that two stores hold counts once: the first.
    once = {(r.contestant, *sample_of(r)): r for _, found in reversed(stores) for r in found}
    shown = Selection(sizes=tuple(given.sizes), seeds=tuple(given.seeds))
    print_tables([outline for outline, _ in stores], once.values(), shown)


if __name__ == "__main__":
    main()
