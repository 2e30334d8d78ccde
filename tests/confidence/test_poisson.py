"""Poisson resamples: their distribution, and the same bits however the data are cut into pieces."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut, graph_counts, random_frame

import mahc
from mahc.cluster import CompactRows, LocalRunner, ShardedRows, find_pieces
from mahc.cluster.opening import open_runner, open_shards
from mahc.data import Kind, ReadSettings
from mahc.engine.poisson_weights import MOST_BITS, PoissonWeights
from mahc.errors import DataError
from mahc.networks import load_network, sample

relaxed = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(
    seed=st.integers(0, 2**63 - 1),
    resample=st.integers(0, 10**6),
    first=st.integers(0, 10**12),
    cuts=st.lists(st.integers(0, 500), max_size=5),
    weighted=st.booleans(),
)
def test_weights_of_rows_do_not_depend_on_the_cut(
    seed: int, resample: int, first: int, cuts: list[int], weighted: bool
) -> None:
    drawn = PoissonWeights(seed)
    weights = np.random.default_rng(1).integers(0, 70, 500) if weighted else None
    whole = drawn.draw(resample, first, 500, weights)
    ends = [0, *sorted(cuts), 500]
    parts = [
        drawn.draw(resample, first + a, b - a, None if weights is None else weights[a:b])
        for a, b in itertools.pairwise(ends)
    ]
    assert np.array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("weight", [1, 2, 5, 64, 1000])
def test_weights_are_poisson(weight: int) -> None:
    """A chi-squared test of the counts against the probabilities, computed with logarithms of factorials."""
    rows = 100_000
    drawn = PoissonWeights(7).draw(3, 0, rows, np.full(rows, weight))
    counts = np.arange(drawn.max() + 200)
    expected = rows * np.exp(-weight + counts * math.log(weight) - np.array([math.lgamma(k + 1) for k in counts]))
    observed = np.bincount(drawn, minlength=len(counts))
    common = expected > 10
    chi2 = float(((observed - expected)[common] ** 2 / expected[common]).sum())
    freedom = int(common.sum())
    assert abs(chi2 - freedom) < 5 * math.sqrt(2 * freedom)


def test_resamples_and_seeds_are_uncorrelated() -> None:
    drawn = np.stack([PoissonWeights(seed).draw(r, 0, 50_000) for seed in (1, 2) for r in range(3)])
    assert np.abs(np.corrcoef(drawn) - np.eye(6)).max() < 0.02


def test_heavy_rows_are_refused() -> None:
    with pytest.raises(DataError, match="divide the weights"):
        PoissonWeights(1).draw(0, 0, 1, np.array([1 << MOST_BITS]))


def in_pieces(folder: Path, memory: int, reading: ReadSettings | None = None, kinds: Any = None) -> Any:
    chosen = reading or ReadSettings()
    pieces = find_pieces(folder, chosen)
    weights = chosen.weights if isinstance(chosen.weights, str) else None
    names = [name for name in pieces[0].column_types() if name != weights]
    taken = kinds or frozenset([Kind.DISCRETE])
    return open_runner(
        LocalRunner(pieces, memory_bytes=0), names, chosen, memory_bytes=memory, numbered=True, kinds=taken
    )


@given(seed=st.integers(0, 10_000), cuts=st.lists(st.integers(0, 300), max_size=4), weighted=st.booleans())
@relaxed
@pytest.mark.long
def test_the_bootstrap_of_pieces_is_that_of_one_table(
    seed: int, cuts: list[int], weighted: bool, tmp_path: Path
) -> None:
    frame = random_frame(np.random.default_rng(seed), 300, weighted)
    reading = {"weights": "w" if weighted else None}
    how: dict[str, Any] = {"resamples": 4, "how": "poisson", "seed": seed}
    expected = mahc.bootstrap(frame, "hc", **how, **reading)
    folder = cut(frame, cuts, tmp_path / "parts")
    compact = in_pieces(folder, 1 << 30, ReadSettings(**reading))
    assert isinstance(compact, CompactRows)
    assert graph_counts(mahc.bootstrap(compact, "hc", **how)) == graph_counts(expected)
    compact.close()
    assert graph_counts(mahc.bootstrap(folder, "hc", **how, **reading)) == graph_counts(expected)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ["mahc", "hc", "boss", "pc-stable"])
def test_resamples_share_passes(algorithm: str, tmp_path: Path) -> None:
    frame = as_frame(sample(load_network("alarm"), 2500, seed=3))
    folder = cut(frame, [400, 400, 1900], tmp_path / "parts")
    how: dict[str, Any] = {"resamples": 5, "how": "poisson"}
    expected = mahc.bootstrap(frame, algorithm, **how)
    source = in_pieces(folder, 0)
    assert isinstance(source, ShardedRows)
    source.budget = 1 << 28
    assert graph_counts(mahc.bootstrap(source, algorithm, **how)) == graph_counts(expected)
    together = source.passes
    source.close()
    alone = in_pieces(folder, 0)
    alone.budget = 1 << 26  # one search at a time
    assert graph_counts(mahc.bootstrap(alone, algorithm, **how)) == graph_counts(expected)
    assert together < 0.6 * alone.passes
    alone.close()


def test_numbers_in_passes(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"x": rng.normal(size=1500), "y": rng.normal(size=1500)})
    frame = frame.with_columns(z=pl.col("x") + 0.3 * pl.col("y"))
    folder = cut(frame, [700], tmp_path / "parts")
    how: dict[str, Any] = {"resamples": 3, "how": "poisson"}
    for score in ("bge", "smooth"):  # from moments and from rank bins
        source = in_pieces(folder, 0, kinds=frozenset(Kind))
        assert isinstance(source, ShardedRows)
        assert graph_counts(mahc.bootstrap(source, "hc", objective=score, **how)) == graph_counts(
            mahc.bootstrap(frame, "hc", objective=score, **how)
        )
        source.close()


def test_a_resumed_bootstrap_is_one_bootstrap(tmp_path: Path) -> None:
    frame = random_frame(np.random.default_rng(5), 300, False)
    folder = cut(frame, [100], tmp_path / "parts")
    first = mahc.bootstrap(folder, "hc", resamples=2, how="poisson")
    assert graph_counts(mahc.bootstrap(frame, "hc", resamples=5, how="poisson", resume=first)) == graph_counts(
        mahc.bootstrap(frame, "hc", resamples=5, how="poisson")
    )


def test_what_cannot_be_numbered_is_refused(tmp_path: Path) -> None:
    frame = random_frame(np.random.default_rng(5), 300, False)
    folder = cut(frame, [100], tmp_path / "parts")
    with pytest.raises(DataError, match="distinct rows with weights: give the files or the frame"):
        mahc.bootstrap(open_shards(folder), "hc", resamples=2, how="poisson")
    with pytest.raises(DataError, match="poisson needs 100: use how"):
        mahc.bootstrap(frame.head(50), "hc", resamples=2, how="poisson")
    with pytest.raises(DataError, match=r"the distinct rows do not fit into memory.*use how="):
        mahc.bootstrap(in_pieces(cut(as_frame(sample(load_network("alarm"), 2000, seed=1)), [], folder), 0), "hc")
