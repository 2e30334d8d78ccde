"""Data cut into pieces, and results without times, for the tests of `mahc.cluster`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import mahc
from mahc.cluster import LocalRunner, Runner, ShardedRows, find_pieces
from mahc.cluster.opening import read_states
from mahc.cluster.pass_log import log_passes
from mahc.data import Dataset, ReadSettings

TIMES = ("seconds", "total_seconds", "timings", "passes")


def saved(learned: mahc.Learned, folder: Path) -> Any:
    """What `result.json` says, without times and passes, which say how the run went and not what it found."""
    learned.save(folder / "result.json")

    def without_times(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_times(one) for key, one in value.items() if key not in TIMES}
        return [without_times(one) for one in value] if isinstance(value, list) else value

    found = without_times(json.loads((folder / "result.json").read_text()))
    found["path"] = [step[:-1] if isinstance(step, list) else step for step in found.get("path", [])]
    return found


def as_frame(data: Dataset) -> pl.DataFrame:
    return pl.DataFrame(
        {
            name: [labels[code] for code in column]
            for name, labels, column in zip(data.names, data.labels, data.codes, strict=True)
        }
    )


def random_frame(rng: np.random.Generator, rows: int, weighted: bool) -> pl.DataFrame:
    """A few columns of several types: two are equal, and one value occurs in one row only."""
    a = rng.integers(0, 3, rows)
    rare = np.full(rows, "often", dtype=object)
    rare[rng.integers(0, rows)] = "once"
    frame = pl.DataFrame(
        {
            "a": a.astype(str),
            "b": np.where(rng.random(rows) < 0.8, a, rng.integers(0, 3, rows)).astype(str),
            "copy": a.astype(str),
            "number": rng.integers(-2, 2, rows),
            "flag": rng.random(rows) < 0.5,
            "rare": rare.astype(str),
        }
    )
    if not weighted:
        return frame
    weights = rng.integers(0, 4, rows)
    weights[0] = 2
    return frame.with_columns(pl.Series("w", weights))


def cut(frame: pl.DataFrame, cuts: list[int], folder: Path) -> Path:
    """The frame as Parquet files, cut at these rows; equal cuts give empty files."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.parquet"):
        old.unlink()
    ends = [0, *sorted(cuts), frame.height]
    for i, (start, end) in enumerate(itertools.pairwise(ends)):
        frame[start:end].write_parquet(folder / f"{i:03}.parquet")
    return folder


def by_passes_on(runner: Any, limit: int = 50) -> ShardedRows:
    """Counts by passes of a runner over its pieces, whatever the number of distinct rows."""
    return by_passes(runner, list(runner._pieces[0].column_types()), ReadSettings(), limit)


def sharded(folder: Path, reading: ReadSettings | None = None, limit: int = 50, memory: int = 0) -> ShardedRows:
    """Counts by passes over the pieces, whatever the number of distinct rows."""
    chosen = reading or ReadSettings()
    pieces = find_pieces(folder, chosen)
    runner = LocalRunner(pieces, threads=2, memory_bytes=memory, folder=folder.parent)
    weights = chosen.weights if isinstance(chosen.weights, str) else None
    names = tuple(name for name in pieces[0].column_types() if name != weights)
    return by_passes(runner, names, chosen, limit)


def by_passes(runner: Runner, names: Sequence[str], reading: ReadSettings, limit: int) -> ShardedRows:
    """Counts by passes of a runner."""
    runner = log_passes(runner)
    states = read_states(runner, names, reading)
    runner.open(states.coding)
    marginals = states.found.marginals
    total = int(marginals[0].sum())
    return ShardedRows(runner, states.coding, marginals, states.rows, total, limit, reading, states.audit.notes)


def same_network(first: Any, second: Any) -> bool:
    """Whether two networks have the same tables, to the bit."""
    return (
        (first.names, first.states, first.values, first.parents, first.origin)
        == (second.names, second.states, second.values, second.parents, second.origin)
    ) and all(np.array_equal(a, b) for a, b in zip(first.tables, second.tables, strict=True))


def graph_counts(found: mahc.GraphSample) -> Any:
    """What a bootstrap found, without times."""
    return found.size, found.graphs, found.patterns, found.members, found.data.fingerprint
