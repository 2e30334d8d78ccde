"""Print the tables of docs/explanation/accuracy.md from a store of the plan `accuracy`.

    mahc experiment run accuracy --store STORE --jobs 2 --networks FOLDER
    python tools/make_accuracy_table.py STORE [STORE ...]

Several stores, for instance of the same plan cut into parts, are read as one.

First table: mean F1 / SHD of each contestant over the networks, by number of rows and kind of data. A column has the
samples that every contestant with at least nine tenths of the column's samples finished; a contestant that finished
fewer has no entry in it.

Second table: F1 and SHD of boss less those of each other contestant on the samples that both finished, averaged over
each network first, with a 95 % interval by resampling the networks (seed 1).

Third table: precision, recall and BSF on the samples that every contestant with at least nine tenths of all samples
finished, and the median seconds of all samples that a contestant finished, by number of rows.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from mahc.experiment.row import Row
from mahc.experiment.store import read_store

Sample = tuple[str, int, str, int]
ENOUGH = 0.9
DRAWS = 10_000


def by_contestant(rows: tuple[Row, ...]) -> dict[str, dict[Sample, tuple[float, float]]]:
    """F1 and SHD of every sample that a contestant finished."""
    found: dict[str, dict[Sample, tuple[float, float]]] = defaultdict(dict)
    for row in rows:
        if row.finished and row.measures is not None and row.contestant != "Ground truth":
            found[row.contestant][row.case, row.rows, row.data, row.seed] = row.measures["f1"], row.measures["shd"]
    return found


def mean_table(found: dict[str, dict[Sample, tuple[float, float]]], labels: list[str]) -> list[str]:
    """Mean F1 / SHD by rows and data."""
    columns = sorted({(sample[1], sample[2] != "clean", sample[2]) for mine in found.values() for sample in mine})
    common: list[set[Sample]] = []
    for rows, _, data in columns:
        done = {
            label: {sample for sample in found[label] if (sample[1], sample[2]) == (rows, data)} for label in labels
        }
        most = max(map(len, done.values()))
        common.append(set.intersection(*(mine for mine in done.values() if len(mine) >= ENOUGH * most)))
    head = [f"{rows:,} rows, {data} ({len(c)})" for (rows, _, data), c in zip(columns, common, strict=True)]
    lines = ["| contestant | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    for label in labels:
        cells = []
        for samples in common:
            if samples and samples <= set(found[label]):
                f1, shd = np.mean([found[label][sample] for sample in sorted(samples)], axis=0)
                cells.append(f"{f1:.3f} / {shd:.1f}")
            else:
                cells.append("-")
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return lines


def paired_table(found: dict[str, dict[Sample, tuple[float, float]]], labels: list[str], first: str) -> list[str]:
    """Differences between one contestant and each other, with intervals over networks."""
    kinds = list(dict.fromkeys(sample[2] for sample in found[first]))
    lines = [f"| {first} less | " + " | ".join(f"{kind}: F1 | SHD | samples" for kind in kinds) + " |"]
    lines.append("|---" * (3 * len(kinds) + 1) + "|")
    for label in labels:
        if label == first:
            continue
        cells = []
        for kind in kinds:
            both = sorted(sample for sample in found[label] if sample in found[first] and sample[2] == kind)
            networks = sorted({sample[0] for sample in both})
            if not both:
                cells += ["-", "-", "0"]
                continue
            values = np.array(
                [
                    np.mean(
                        [np.subtract(found[first][s], found[label][s]) for s in both if s[0] == network], axis=0
                    ).tolist()
                    for network in networks
                ]
            )
            draws = np.random.default_rng(1).integers(0, len(networks), (DRAWS, len(networks)))
            low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5], axis=0)
            mean = values.mean(axis=0)
            cells.append(f"{mean[0]:+.3f} ({low[0]:+.3f} to {high[0]:+.3f})")
            cells.append(f"{mean[1]:+.1f} ({low[1]:+.1f} to {high[1]:+.1f})")
            cells.append(f"{len(both)} of {len(networks)} networks")
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return lines


def measure_table(rows: tuple[Row, ...], labels: list[str]) -> list[str]:
    """Precision, recall, BSF and seconds of each contestant."""
    found: dict[str, dict[Sample, Row]] = defaultdict(dict)
    for row in rows:
        if row.finished and row.measures is not None:
            found[row.contestant][row.case, row.rows, row.data, row.seed] = row
    most = max(len(found[label]) for label in labels)
    common = set.intersection(*(set(found[label]) for label in labels if len(found[label]) >= ENOUGH * most))
    names = ("precision", "recall", "bsf")
    sizes = sorted({row.rows for row in rows})
    lines = ["| contestant | precision | recall | BSF | " + " | ".join(f"seconds, {n:,} rows" for n in sizes) + " |"]
    lines.append("|---" * (4 + len(sizes)) + "|")
    for label in labels:
        if common <= set(found[label]):
            measures = [found[label][sample].measures for sample in sorted(common)]
            cells = [f"{np.mean([each[name] for each in measures if each is not None]):.3f}" for name in names]
        else:
            cells = ["-"] * len(names)
        for size in sizes:
            seconds = [row.seconds for row in found[label].values() if row.rows == size and row.seconds is not None]
            cells.append(f"{np.median(seconds):.3f}" if seconds else "-")
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return [f"{len(common)} samples.", "", *lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, nargs="*", help="only these seeds")
    given = parser.parse_args()
    stores = [read_store(store) for store in given.store]
    # A cell that two stores hold counts once: the first.
    once = {(r.contestant, r.case, r.rows, r.data, r.seed): r for _, found in reversed(stores) for r in found}
    rows = tuple(once.values())
    if given.seeds:
        rows = tuple(row for row in rows if row.seed in given.seeds)
    found = by_contestant(rows)
    labels = list(dict.fromkeys(each.label for outline, _ in stores for each in outline.contestants))
    labels = [label for label in labels if label in found]
    print("\n".join(mean_table(found, labels)), end="\n\n")
    print("\n".join(paired_table(found, labels, "boss")), end="\n\n")
    print("\n".join(measure_table(rows, labels)))


if __name__ == "__main__":
    main()
