"""Scores from determinants: every instruction set gives the same bits, and bounds hold where the floor does not act."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import mahc
from mahc.engine import Families, _native, instruction_levels
from mahc.engine.determinants import DeterminantScores
from mahc.engine.mixed_scoring import MixedScores
from mahc.engine.smooth_rows import SmoothRows
from mahc.scores import QNML, Mixed, Smooth

FIRST = (0, 3, 4, 9, 9, 13, 14)  # where the columns of six variables begin; one has none


def correlations(seed: int, noise: float = 0.3, columns: int = FIRST[-1]) -> NDArray[np.float64]:
    """Of columns with a few common causes; the less noise, the nearer to singular."""
    draw = np.random.default_rng(seed).normal
    values = draw(size=(200, 4)) @ draw(size=(4, columns)) + noise * draw(size=(200, columns))
    return np.corrcoef(values.T)


def all_families(variables: int) -> list[tuple[int, list[int]]]:
    sets = [[u for u in range(variables) if 1 << u & bits] for bits in range(1 << variables)]
    return [(v, parents) for v in range(variables) for parents in sets if v not in parents]


@pytest.mark.parametrize("noise", [0.3, 1e-3])  # with hardly any noise pivots reach the floor
def test_every_instruction_set_gives_the_same_bits(noise: float) -> None:
    matrix, columns = correlations(1, noise).ravel(), FIRST[-1]
    families = Families.of(all_families(6))
    found = {}
    for level in instruction_levels():
        scorer = _native.DeterminantScorer(
            matrix, FIRST, [700.0] * (columns + 1), [0.0] * (columns + 1), [0.0] * 6, 1e-4, 2.0**-20, 1, level
        )
        scores = scorer.score_families(families.children, families.offsets, families.parents)
        bounds = [scorer.bound_additions(v, own, [u for u in range(6) if u not in (v, *own)]) for v, own in families]
        found[level] = scores.tobytes(), repr(bounds)
    assert len(set(found.values())) == 1
    assert len(found) == len(instruction_levels()) >= 1


@given(seed=st.integers(0, 10_000), size=st.integers(30, 100_000), noise=st.sampled_from([1.0, 0.3, 0.05]))
def test_bounds_are_not_below_the_scores_and_close_to_them(seed: int, size: int, noise: float) -> None:
    scorer = DeterminantScores(correlations(seed, noise), FIRST, size, 1.0)
    finite = 0
    for child, parents in all_families(6):
        others = [u for u in range(6) if u not in (child, *parents)]
        if not parents or not others:
            continue
        scores = scorer.score_families(Families.of([(child, sorted([*parents, u])) for u in others]))
        bounds = np.array(scorer.native.bound_additions(child, parents, others))
        known = np.isfinite(bounds)
        finite += int(known.sum())
        assert (bounds >= scores).all()
        # Where columns nearly determine each other a score may have a pivot at its floor that the bound has not.
        assert noise < 1 or (bounds[known] <= scores[known] + 1e-6 * size + 1e-4).all()
    assert finite or noise < 1 or size < 1000


def test_a_search_with_bounds_finds_what_one_without_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3).normal
    values = draw(size=(500, 10)) @ np.triu(draw(size=(10, 10)))
    table = {f"x{v}": (values[:, v] ** (1 + v % 2)).tolist() for v in range(10)}
    fast = mahc.learn(table, "boss", objective="smooth")
    monkeypatch.setattr(DeterminantScores, "native", None, raising=False)
    monkeypatch.setattr(DeterminantScores, "__init__", _without_native)
    slow = mahc.learn(table, "boss", objective="smooth")
    assert (fast.arcs, fast.score, fast.run.score) == (slow.arcs, slow.score, slow.run.score)


_made = DeterminantScores.__init__


def _without_native(self: DeterminantScores, *given: object, **named: object) -> None:
    """The core then asks Python for every score, and has no bounds."""
    _made(self, *given, **named)  # type: ignore[arg-type]
    native = self.__dict__.pop("native")
    self.score_families = lambda families: native.score_families(  # type: ignore[method-assign]
        families.children, families.offsets, families.parents
    )


def test_the_core_mixes_scores_as_python_does() -> None:
    draw = np.random.default_rng(4)
    codes = draw.integers(0, 3, (300, 3))
    table = {f"s{v}": [f"k{c}" for c in codes[:, v]] for v in range(3)}
    table |= {f"x{v}": (codes[:, v] + draw.normal(size=300)).tolist() for v in range(3)}
    rows = SmoothRows(mahc.read(table), 31)
    families = Families.of(all_families(6))
    core = Mixed(degree=2).scorer(rows)
    assert isinstance(core, MixedScores)
    assert core.native is not None
    python = MixedScores(Smooth(degree=2).scorer(rows), QNML().scorer(rows.source), rows.ranked)
    python.native = None
    np.testing.assert_array_equal(core.score_families(families), python.score_families(families))
