"""Run the shipped plan `missing` in this process, and print the tables of docs/explanation/missing.md.

    python tools/make_missing_table.py RESULTS.jsonl --sizes 1000 --seeds 1 2

`mahc experiment run missing --store DIR` runs the whole plan, each cell in its own process. Here the cells that
RESULTS.jsonl holds already are not run again, and it can be ended at any time. The last table has the mean F1 of each
kind of missingness, and the paired difference of `weighted` to each other method with its standard error, over the data
sets from which both learned a graph.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import mean, stdev

from mahc.errors import MahcError
from mahc.lab.contestants.ours import MahcAlgorithm
from mahc.lab.plan_file import read_plan
from mahc.learn import learn
from mahc.measures.comparison import compare
from mahc.networks import load_network, simulate
from mahc.networks.noise import parse_noise

MEASURES = ("f1", "shd", "bsf")


def run(file: Path, sizes: list[int], seeds: list[int]) -> None:
    """Add the cells that are not there."""
    plan = read_plan("missing")
    contestants = [found for found in plan.contestants if isinstance(found, MahcAlgorithm)]
    known = {(cell["case"], cell["rows"], cell["data"], cell["seed"], cell["label"]) for cell in load(file)}
    for size in sizes:
        for seed in seeds:
            for case in plan.cases:
                network = load_network(case.name)
                truth = simulate(network, 2, seed).truth()
                for data in plan.data:
                    noise = None if data == "clean" else parse_noise(data)
                    sample = simulate(network, size, seed, noise).data
                    for contestant in contestants:
                        key = (case.name, size, data, seed, contestant.label)
                        if key in known or (data == "clean" and contestant.missing is not None):
                            continue
                        cell = dict(zip(("case", "rows", "data", "seed", "label"), key, strict=True))
                        try:
                            learned = learn(sample, contestant.name, threads=1, missing=contestant.missing)
                            found = compare(learned.pattern, truth)
                            cell |= {name: found[name] for name in MEASURES} | {"seconds": learned.seconds}
                        except MahcError as problem:
                            cell["reason"] = str(problem)
                        with file.open("a") as lines:
                            lines.write(json.dumps(cell) + "\n")


def load(file: Path) -> list[dict[str, object]]:
    """The cells run so far."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(file: Path) -> str:
    """Means of F1, SHD and BSF by method and kind of data, over the graphs that were learned."""
    cells = load(file)
    lines = []
    for size in sorted({int(str(cell["rows"])) for cell in cells}):
        mine = [cell for cell in cells if cell["rows"] == size]
        kinds = list(dict.fromkeys(str(cell["data"]) for cell in mine))
        lines += ["", f"{size:,} rows (F1 / SHD / BSF):", "", "| method | " + " | ".join(kinds) + " |"]
        lines.append("|---" * (len(kinds) + 1) + "|")
        for label in dict.fromkeys(str(cell["label"]) for cell in mine):
            parts = []
            for kind in kinds:
                chosen = [cell for cell in mine if (cell["label"], cell["data"]) == (label, kind)]
                done = [cell for cell in chosen if "f1" in cell]
                means = [sum(float(str(cell[name])) for cell in done) / len(done) for name in MEASURES if done]
                text = f"{means[0]:.3f} / {means[1]:.1f} / {means[2]:.3f}" if done else ""
                parts.append(
                    text + (f" ({len(chosen) - len(done)} of {len(chosen)} refused)" if len(done) < len(chosen) else "")
                )
            lines.append(f"| {label} | " + " | ".join(parts) + " |")
    return "\n".join(lines)


def differences(file: Path) -> str:
    """Mean F1 by kind of missingness, and how far `weighted` is above each method on the same data sets."""
    by_kind: dict[str, dict[str, dict[tuple[object, ...], float]]] = {}
    for cell in load(file):
        if "f1" in cell and cell["data"] != "clean":
            methods = by_kind.setdefault(str(cell["data"]).partition(":")[0], {})
            sample = (cell["case"], cell["rows"], cell["data"], cell["seed"])
            methods.setdefault(str(cell["label"]), {})[sample] = float(str(cell["f1"]))
    labels = list(dict.fromkeys(label for methods in by_kind.values() for label in methods))
    lines = ["", "| | " + " | ".join(labels) + " |", "|---" * (len(labels) + 1) + "|"]
    for kind, methods in by_kind.items():
        lines.append(f"| {kind} | " + " | ".join(f"{mean(methods[label].values()):.3f}" for label in labels) + " |")
    for kind, methods in by_kind.items():
        ours, parts = methods["weighted"], []
        for label in labels:
            gaps = [ours[sample] - f1 for sample, f1 in methods[label].items() if sample in ours]
            error = stdev(gaps) / len(gaps) ** 0.5
            parts.append("" if label == "weighted" else f"{mean(gaps):+.3f} ± {error:.3f}")
        lines.append(f"| {kind}, weighted less this | " + " | ".join(parts) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[])
    parser.add_argument("--seeds", type=int, nargs="*", default=[])
    given = parser.parse_args()
    run(given.file, given.sizes, given.seeds)
    print(table(given.file))
    print(differences(given.file))
