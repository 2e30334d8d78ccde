"""Prediction of one variable in complete rows, beside pyAgrum, in one run: rows per second.

    python benchmarks/bench_predict.py [--rows 1000000] [--json]

Ours reads the Markov blanket of the target in the core. pyAgrum (extra `inference`) makes one lazy propagation per row,
with all other values as evidence, on the first few rows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mahc import Dataset, Model
from mahc.errors import MahcError
from mahc.networks.export import load_pyagrum, to_pyagrum

CASES = (("asia", "lung"), ("alarm", "HR"), ("insurance", "Accident"), ("hailfinder", "Scenario"))
FEW_ROWS = 300


def rows_per_second(rows: int, act: Callable[[], object], times: int = 3) -> float:
    """Of the fastest run."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - began)
    return rows / min(seconds)


def by_propagation(gum: Any, net: Any, data: Dataset, target: str, rows: int) -> list[int]:
    """pyAgrum, one propagation per row."""
    engine = gum.LazyPropagation(net)
    engine.addTarget(target)
    others = [(name, column) for name, column in zip(data.names, data.columns, strict=True) if name != target]
    found = []
    for row in range(rows):
        engine.setEvidence({name: int(column[row]) for name, column in others})
        engine.makeInference()
        found.append(int(np.argmax(engine.posterior(target).toarray())))
    return found


def measure(rows: int) -> list[dict[str, Any]]:
    """One entry per network."""
    found = []
    for name, target in CASES:
        model = Model.load(name)
        data = model.sample(rows, 1)
        entry: dict[str, Any] = {"network": name, "target": target, "rows": rows}
        few = Dataset(data.names, data.states, tuple(column[:FEW_ROWS] for column in data.columns))
        entry["mahc"] = rows_per_second(rows, lambda m=model, d=data, t=target: m.predict_proba(d, t))  # type: ignore[misc]
        try:
            gum = load_pyagrum()
        except MahcError:
            gum = None
        if gum is not None:
            net = to_pyagrum(model.network)
            coded = _in_codes_of(model, few)
            ours = model.predict_proba(few, target).argmax(axis=1).tolist()
            theirs = by_propagation(gum, net, coded, target, FEW_ROWS)
            entry["same"] = float(np.mean(np.array(ours) == np.array(theirs)))
            entry["pyagrum"] = rows_per_second(
                FEW_ROWS,
                lambda g=gum, n=net, c=coded, t=target: by_propagation(g, n, c, t, FEW_ROWS),  # type: ignore[misc]
                1,
            )
        found.append(entry)
    return found


def _in_codes_of(model: Model, data: Dataset) -> Dataset:
    """The same rows with the states of the network, those that do not occur too."""
    columns = []
    for name in model.variables:
        place = data.index(name)
        codes = [model.states(name).index(label) for label in data.states[place]]
        columns.append(np.array(codes)[data.columns[place]])
    return Dataset(model.variables, model.network.states, tuple(columns))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Prediction, rows per second.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.rows)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'network':12} {'mahc rows/s':>14} {'pyAgrum rows/s':>14} {'ratio':>10} {'same state':>10}")
    for entry in found:
        theirs = entry.get("pyagrum")
        shown = f"{theirs:,.0f}" if theirs else "-"
        ratio = f"{entry['mahc'] / theirs:,.0f}" if theirs else "-"
        same = f"{entry['same']:.1%}" if theirs else "-"
        print(f"{entry['network']:12} {entry['mahc']:>14,.0f} {shown:>14} {ratio:>10} {same:>10}")


if __name__ == "__main__":
    main()
