"""Prediction of one variable in complete rows, beside pyAgrum, in one run: rows per second.

    python benchmarks/bench_predict.py [--rows 1000000] [--json]

Ours reads the Markov blanket of the target in the core. pyAgrum (extra `inference`) predicts the first few rows in two
ways: by one lazy propagation per row, with the Markov blanket as evidence, and by its classifier
(`pyagrum.skbn.BNClassifier`, which needs pandas and scikit-learn), which reads the Markov blanket too.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import load_average

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
    """pyAgrum, one propagation per row; the values outside the Markov blanket say nothing more."""
    engine = gum.LazyPropagation(net)
    engine.addTarget(target)
    blanket = [net.variable(node).name() for node in gum.MarkovBlanket(net, target).nodes()]
    others = [(name, data.codes[data.index(name)]) for name in sorted(blanket) if name != target]
    found = []
    for row in range(rows):
        engine.setEvidence({name: int(column[row]) for name, column in others})
        engine.makeInference()
        found.append(int(np.argmax(engine.posterior(target).toarray())))
    return found


def make_classifier(net: Any, data: Dataset, target: str) -> Callable[[], list[str]]:
    """pyAgrum's classifier for the same network: what predicts all rows of a frame."""
    import pandas
    from pyagrum.skbn import createBNClassifier

    columns = {
        name: [labels[code] for code in codes]
        for name, labels, codes in zip(data.names, data.labels, data.codes, strict=True)
        if name != target
    }
    classifier = createBNClassifier()
    classifier.fromTrainedModel(bn=net, targetAttribute=target, copy=True)
    frame = pandas.DataFrame(columns)
    return lambda: [str(state) for state in classifier.predict(frame.copy())]


def measure(rows: int) -> list[dict[str, Any]]:
    """One entry per network."""
    found = []
    for name, target in CASES:
        model = Model.load(name)
        data = model.sample(rows, 1)
        entry: dict[str, Any] = {"network": name, "target": target, "rows": rows}
        few = Dataset.coded(data.names, data.labels, tuple(column[:FEW_ROWS] for column in data.codes))
        entry["mahc"] = rows_per_second(rows, lambda m=model, d=data, t=target: m.predict_proba(d, t))  # type: ignore[misc]
        try:
            gum = load_pyagrum()
        except MahcError:
            gum = None
        if gum is not None:
            net = to_pyagrum(model.network)
            coded = _in_codes_of(model, few)
            ours = model.predict_proba(few, target).argmax(axis=1)
            theirs = by_propagation(gum, net, coded, target, FEW_ROWS)
            classify = make_classifier(net, coded, target)
            labels = [model.states(target)[code] for code in ours]
            same = np.array([a == b and c == d for a, b, c, d in zip(ours, theirs, labels, classify(), strict=True)])
            entry["same"] = float(same.mean())
            entry["pyagrum"] = rows_per_second(
                FEW_ROWS,
                lambda g=gum, n=net, c=coded, t=target: by_propagation(g, n, c, t, FEW_ROWS),  # type: ignore[misc]
            )
            entry["classifier"] = rows_per_second(FEW_ROWS, classify)
        found.append(entry)
    return found


def _in_codes_of(model: Model, data: Dataset) -> Dataset:
    """The same rows with the states of the network, those that do not occur too."""
    columns = []
    for name in model.variables:
        place = data.index(name)
        codes = [model.states(name).index(label) for label in data.labels[place]]
        columns.append(np.array(codes)[data.codes[place]])
    return Dataset.coded(model.variables, model.network.states, tuple(columns))


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
    print(f"rows per second; load average {load_average()}")
    print(f"{'network':12} {'mahc':>12} {'propagation':>12} {'classifier':>12} {'ratio':>8} {'same state':>10}")
    for entry in found:
        theirs = [entry[name] for name in ("pyagrum", "classifier") if name in entry]
        shown = " ".join(f"{speed:>12,.0f}" for speed in theirs) if theirs else f"{'-':>12} {'-':>12}"
        ratio = f"{entry['mahc'] / max(theirs):,.0f}" if theirs else "-"
        same = f"{entry['same']:.1%}" if theirs else "-"
        print(f"{entry['network']:12} {entry['mahc']:>12,.0f} {shown} {ratio:>8} {same:>10}")


if __name__ == "__main__":
    main()
