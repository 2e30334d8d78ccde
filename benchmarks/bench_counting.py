"""Counting and scoring compared with NumPy and pyAgrum, and two threads with one: each figure is a ratio in one run.

    python benchmarks/bench_counting.py [--rows 100000] [--rounds 5] [--only pairs families tables threads peer]

Contestants take turns; those with one thread are timed by processor time, the threads by wall time. NumPy only counts
(`bincount` of composed indices, codes widened beforehand), ours counts and scores. Writes
benchmarks/results/counting.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from timing import describe_machine, load_average, smallest

from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.scores import BIC

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Figure:
    """Our time and a peer's on one task."""

    task: str
    peer: str
    ours: float
    theirs: float
    bar: float | None = None

    @property
    def ratio(self) -> float:
        """How many times longer the peer takes."""
        return self.theirs / self.ours


def random_data(rng: np.random.Generator, states: Sequence[int], rows: int) -> Dataset:
    """Columns that depend on each other a little, so that tables are neither empty nor flat."""
    shared = rng.random(rows)
    mixed = ((0.7 * rng.random(rows) + 0.3 * shared, s) for s in states)
    columns = tuple(np.minimum((x * s).astype(np.int64), s - 1) for x, s in mixed)
    labels = tuple(tuple(f"s{k}" for k in range(s)) for s in states)
    return Dataset.coded(tuple(f"v{v}" for v in range(len(states))), labels, columns)


class NumpyCounter:
    """The fastest plain NumPy we know: codes widened once, indices composed in place, one bincount."""

    def __init__(self, data: Dataset) -> None:
        self.codes = [column.astype(np.intp) for column in data.codes]
        self.states = [len(labels) for labels in data.labels]
        self.index = np.empty(data.rows, np.intp)

    def count(self, child: int, parents: Sequence[int]) -> NDArray[np.intp]:
        """Counts of the cells of one family."""
        first, *others = (*parents, child)
        cells, source = self.states[first], self.codes[first]
        for v in others:
            np.multiply(source, self.states[v], out=self.index)
            np.add(self.index, self.codes[v], out=self.index)
            source, cells = self.index, cells * self.states[v]
        return np.bincount(source, minlength=cells)


def check(rows: EngineRows, numpy: NumpyCounter, child: int, parents: Sequence[int]) -> None:
    ours = rows.family_counts(child, parents)[0]
    theirs = numpy.count(child, parents)
    if sorted(ours[ours > 0].tolist()) != sorted(theirs[theirs > 0].tolist()):
        raise SystemExit(f"the counts of {child} given {list(parents)} differ: a figure would mean nothing")


def bench_pairs(rng: np.random.Generator, rows: int, rounds: int) -> list[Figure]:
    """All pairs of variables, both directions scored."""
    figures = []
    for variables in (37, 109):
        data = random_data(rng, rng.integers(2, 5, variables).tolist(), rows)
        engine, numpy = EngineRows(data, threads=1), NumpyCounter(data)
        check(engine, numpy, 0, [1])
        scorer = RowScorer(engine, BIC())

        def count_all(numpy: NumpyCounter = numpy, variables: int = variables) -> None:
            for child in range(variables):
                for parent in range(child + 1, variables):
                    numpy.count(child, [parent])

        seconds = smallest({"ours": scorer.score_pairs, "numpy": count_all}, rounds, process_time)
        figures.append(Figure(f"all pairs of {variables} variables", "NumPy", seconds["ours"], seconds["numpy"], 40))
    return figures


def random_families(
    rng: np.random.Generator, data: Dataset, count: int, least: int, most: int
) -> list[tuple[int, list[int]]]:
    """Children with three parents, `least` to `most` cells each."""
    states = data.state_counts
    found: list[tuple[int, list[int]]] = []
    while len(found) < count:
        child, *parents = rng.permutation(len(states))[:4].tolist()
        if least <= states[[child, *parents]].prod() <= most:
            found.append((child, parents))
    return found


def bench_batch(task: str, data: Dataset, families: list[tuple[int, list[int]]], rounds: int, bar: float) -> Figure:
    engine, numpy = EngineRows(data, threads=1), NumpyCounter(data)
    for child, parents in families[:3]:
        check(engine, numpy, child, parents)
    scorer, batch = RowScorer(engine, BIC()), Families.of(families)

    def count_all() -> None:
        for child, parents in families:
            numpy.count(child, parents)

    seconds = smallest({"ours": lambda: scorer.score_families(batch), "numpy": count_all}, rounds, process_time)
    return Figure(task, "NumPy", seconds["ours"] / len(families), seconds["numpy"] / len(families), bar)


def bench_families(rng: np.random.Generator, rows: int, rounds: int) -> list[Figure]:
    """Three parents, at most 300 cells."""
    data = random_data(rng, rng.integers(2, 5, 37).tolist(), rows)
    families = random_families(rng, data, 200, 1, 300)
    return [bench_batch("a family of 3 parents, <= 300 cells", data, families, rounds, 10)]


def bench_tables(rng: np.random.Generator, rows: int, rounds: int) -> list[Figure]:
    """Three parents, thousands of cells."""
    figures = []
    for least, most, states in ((2_000, 20_000, (6, 13)), (20_000, 100_000, (12, 19))):
        data = random_data(rng, rng.integers(*states, 20).tolist(), rows)
        families = random_families(rng, data, 60, least, most)
        task = f"a family of 3 parents, {least:,} to {most:,} cells"
        figures.append(bench_batch(task, data, families, rounds, 3))
    return figures


def bench_threads(rng: np.random.Generator, rows: int, rounds: int) -> list[Figure]:
    """A batch of 5,000 families of three parents, shared by two threads."""
    data = random_data(rng, rng.integers(2, 5, 37).tolist(), rows)
    batch = Families.of(random_families(rng, data, 5_000, 1, 300))
    scorers = {threads: RowScorer(EngineRows(data, threads=threads), BIC()) for threads in (1, 2)}
    acts = {str(threads): partial(scorer.score_families, batch) for threads, scorer in scorers.items()}
    seconds = smallest(acts, max(3, rounds))
    return [Figure("5,000 families, two threads", "one thread", seconds["2"], seconds["1"], 1.7)]


def bench_peer(rng: np.random.Generator, rows: int, rounds: int) -> list[Figure]:
    """pyAgrum's own local score of the same families; it caches scores, so each is computed once."""
    try:
        import pandas
        import pyagrum
    except ImportError:
        return []
    data = random_data(rng, rng.integers(2, 5, 37).tolist(), rows)
    families = random_families(rng, data, 100, 1, 300)
    batch, scorer = Families.of(families), RowScorer(EngineRows(data, threads=1), BIC())
    frame = pandas.DataFrame({name: np.array(data.labels[v])[data.codes[v]] for v, name in enumerate(data.names)})
    learner = pyagrum.BNLearner(frame)
    learner.useScoreBIC()
    learner.setNumberOfThreads(1)

    def score_all() -> None:
        for child, parents in families:
            learner.score(data.names[child], [data.names[p] for p in parents])

    theirs = smallest({"peer": score_all}, 1, process_time)["peer"]
    ours = smallest({"ours": lambda: scorer.score_families(batch)}, 1, process_time)["ours"]
    return [Figure("a family of 3 parents, <= 300 cells", "pyAgrum", ours / 100, theirs / 100)]


BENCHES = {
    "pairs": bench_pairs,
    "families": bench_families,
    "tables": bench_tables,
    "threads": bench_threads,
    "peer": bench_peer,
}


def tabulate(figures: list[Figure]) -> str:
    lines = ["| task | peer | ours | peer's | times faster | bar |", "|---|---|---|---|---|---|"]
    for f in figures:
        bar = "" if f.bar is None else f"{f.bar:g}x {'met' if f.ratio >= f.bar else 'MISSED'}"
        lines.append(
            f"| {f.task} | {f.peer} | {1e3 * f.ours:.4g} ms | {1e3 * f.theirs:.4g} ms | {f.ratio:.2f} | {bar} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Counting and scoring beside NumPy and pyAgrum.")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=list(BENCHES), default=list(BENCHES))
    options = parser.parse_args()
    machine = describe_machine()
    figures: list[Figure] = []
    for name in options.only:
        figures += BENCHES[name](np.random.default_rng(options.seed), options.rows, options.rounds)
    text = f"{options.rows:,} rows; {machine}; load average {load_average()} at the end.\n\n{tabulate(figures)}\n"
    if len(options.only) == len(BENCHES):
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "counting.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
