"""What the engine cannot count it refuses with an exception, never with a crash."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from random_tables import RawTable, scorer_of

from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import DataError, SettingError
from mahc.scores import make_score

pytestmark = pytest.mark.long

CODES = np.array([0, 1, 1, 0], np.uint8)


BAD_FAMILIES: dict[str, tuple[int, list[int]]] = {
    "a negative child": (-1, [0]),
    "a child beyond the last": (3, [0]),
    "a negative parent": (0, [-1]),
    "a parent beyond the last": (0, [1, 3]),
    "an enormous parent": (0, [2**31 - 1]),
    "the child among its parents": (0, [1, 0]),
    "a parent named twice": (0, [1, 2, 1]),
}


def small_table() -> RawTable:
    return RawTable((CODES, CODES, CODES), (2, 2, 2), None)


@pytest.mark.parametrize("case", BAD_FAMILIES)
def test_a_bad_family_is_refused(case: str) -> None:
    child, parents = BAD_FAMILIES[case]
    table = small_table()
    with pytest.raises(ValueError, match=r"a child|a parent|twice"):
        scorer_of(table, make_score("bic")).score_families(Families.of([(0, [1]), (child, parents)]))
    with pytest.raises(ValueError, match=r"a child|a parent|twice"):
        table.engine().family_counts(child, parents, "")


@pytest.mark.parametrize(
    ("children", "offsets", "parents"),
    [
        ([0], [0], []),
        ([0], [1, 1], [1]),
        ([0], [0, 2], [1]),
        ([0, 1], [0, 100, 1], [1]),
        ([0, 1], [0, -5, 1], [1]),
        ([0], [0, 0], [1]),
        ([], [], []),
    ],
)
def test_offsets_that_do_not_fit_are_refused(children: list[int], offsets: list[int], parents: list[int]) -> None:
    batch = Families(np.array(children, np.int32), np.array(offsets, np.int64), np.array(parents, np.int32))
    with pytest.raises(ValueError, match="offsets"):
        scorer_of(small_table(), make_score("bic")).score_families(batch)


@pytest.mark.parametrize("children", [np.array([0.7]), np.array([2**32]), np.array([True]), np.array(["a"])])
def test_a_batch_of_wrong_types_is_refused_and_not_converted(children: NDArray[np.int32]) -> None:
    batch = Families(children, np.array([0, 1], np.int64), np.array([1], np.int32))
    with pytest.raises(TypeError):
        scorer_of(small_table(), make_score("bic")).score_families(batch)


def test_an_empty_batch_has_no_scores() -> None:
    scorer = scorer_of(small_table(), make_score("bic"))
    assert scorer.score_families(Families.of([])).tolist() == []


def test_a_family_without_parents_has_no_table_of_counts() -> None:
    with pytest.raises(ValueError, match="at least one parent"):
        small_table().engine().family_counts(0, [], "")


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="no counting method is called 'magic'"):
        small_table().engine().family_counts(0, [1], "magic")
    with pytest.raises(ValueError, match="no counting method is called 'magic'"):
        scorer_of(small_table(), make_score("bic")).score_families(Families.of([(0, [1])]), "magic")


@pytest.mark.parametrize("candidates", [[[1], [0]], [[3], [], []], [[-1], [], []], [[1], [0], [], []]])
def test_candidates_that_do_not_fit_are_refused(candidates: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="candidate"):
        scorer_of(small_table(), make_score("bic")).focus(candidates)


def test_unusual_but_sound_candidates_are_taken() -> None:
    rng = np.random.default_rng(0)
    table = RawTable(tuple(rng.integers(0, 2, 3000).astype(np.uint8) for _ in range(3)), (2, 2, 2), None)
    scorer = scorer_of(table, make_score("bic"))
    families = Families.of([(0, [1, 2]), (1, [2]), (2, [])])
    expected = scorer.score_families(families).tolist()
    scorer.focus([[0, 1, 1, 2], [2, 0], []])  # the child itself, a candidate twice, none at all
    assert scorer.score_families(families).tolist() == expected


@pytest.mark.parametrize("divisors", [[1.0], [1.0, 0.0, 1.0], [1.0, -2.0, 1.0], [1.0, float("nan"), 1.0]])
def test_penalty_divisors_that_make_no_sense_are_refused(divisors: list[float]) -> None:
    with pytest.raises((ValueError, SettingError), match="divisor"):
        RowScorer(EngineRows(small_table().dataset()), make_score("bic"), divisors)


def test_penalty_divisors_need_a_penalty() -> None:
    with pytest.raises(SettingError, match="targets need a score with a penalty"):
        RowScorer(EngineRows(small_table().dataset()), make_score("bdeu"), [1.0, 1.0, 1.0])


def test_settings_out_of_range_are_refused_in_one_sentence() -> None:
    data = small_table().dataset()
    for wrong in ({"threads": 0}, {"threads": -3}, {"cache_mebibytes": 0}, {"level": "mmx"}):
        with pytest.raises(SettingError, match=r"threads is|cache_mebibytes is|no instruction set level"):
            EngineRows(data, **wrong)  # type: ignore[arg-type]


def test_more_weight_than_the_engine_counts_is_refused() -> None:
    data = Dataset.coded(("a",), (("x", "y"),), (CODES,), np.full(4, 1 << 31, np.int64))
    with pytest.raises(DataError, match="more than the engine counts"):
        EngineRows(data)


@pytest.mark.parametrize("name", ["bic", "loglik", "bdeu", "fnml", "qnml"])
def test_more_configurations_than_a_double_holds_are_refused(name: str) -> None:
    columns = (CODES, *tuple(np.zeros(4, np.uint16) for _ in range(100)))
    scorer = scorer_of(RawTable(columns, (2,) + (60_000,) * 100, None), make_score(name))
    assert np.isfinite(scorer.score_families(Families.of([(0, list(range(1, 61)))])))
    with pytest.raises(ValueError, match="parent configurations"):
        scorer.score_families(Families.of([(0, list(range(1, 101)))]))


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300])
def test_bdeu_is_finite_for_any_prior(size: float) -> None:
    scorer = scorer_of(small_table(), make_score("bdeu", equivalent_sample_size=size))
    assert np.isfinite(scorer.score_families(Families.of([(0, []), (0, [1]), (0, [1, 2])]))).all()
