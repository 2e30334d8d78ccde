"""Columns of numbers: cut points against all partitions, the judge, the choice of a treatment, what stays the same."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.engine._native import CutChooser
from mahc.engine.smooth_rows import SmoothRows
from mahc.errors import MahcError
from mahc.learning.control import Control, Progress
from mahc.learning.numbers.cutting import BinnedColumns, points_between
from mahc.learning.numbers.judging import Judge
from mahc.networks import load_network, sample
from mahc.results.learned import Learned
from mahc.scores import QNML

Frame = dict[str, list[float] | list[str]]


def lines(rows: int = 400, seed: int = 1) -> Frame:
    """Numbers that depend on each other in straight lines."""
    draw = np.random.default_rng(seed).normal
    a, b = draw(size=rows), draw(size=rows)
    c = a + b + 0.5 * draw(size=rows)
    d = c - 0.5 * a + 0.7 * draw(size=rows)
    return {"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "d": d.tolist()}


def steps(rows: int = 600, seed: int = 1) -> Frame:
    """Asia, three of whose variables are seen as overlapping numbers."""
    data = sample(load_network("asia"), rows, seed)
    draw = np.random.default_rng(seed).normal
    found: Frame = {}
    for name, labels, codes in zip(data.names, data.labels, data.codes, strict=True):
        if name in ("smoke", "bronc", "dysp"):
            found[name] = np.exp(codes + 0.3 * draw(size=rows)).tolist()
        else:
            found[name] = [labels[code] for code in codes]
    return found


def beside(rows: int = 800, seed: int = 1) -> Frame:
    """Both kinds of truth in one table."""
    return {**lines(rows, seed), **steps(rows, seed)}


def skeleton(learned: Learned) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in learned.arcs}


# --- cut points against all partitions ---


def partitions(bins: int, most: int) -> Iterator[list[int]]:
    for cuts in itertools.product((0, 1), repeat=bins - 1):
        if sum(cuts) < most:
            yield [0, *np.cumsum(cuts).tolist()]


def slow_bits(codes: Sequence[np.ndarray], cuts: Sequence[list[int]], weights: np.ndarray) -> float:
    """qNML of a family of intervals above that of a child without parents, from tables of the score."""
    columns = [np.asarray(cut)[own] for cut, own in zip(cuts, codes, strict=True)]
    names = [f"v{i}" for i in range(len(columns))]
    states = [list(range(max(cut) + 1)) for cut in cuts]
    data = mahc.data.Dataset.coded(names, states, columns, weights)
    score = QNML()
    scorer = score.scorer(score.hold(data, threads=1))
    families = mahc.engine.Families.of([(0, list(range(1, len(columns)))), (0, [])])
    with_parents, alone = scorer.score_families(families)
    return float(with_parents - alone)


tables = st.integers(0, 10**6).map(lambda seed: np.random.default_rng(seed))


def chooser_of(
    generator: np.random.Generator, variables: int
) -> tuple[CutChooser, list[np.ndarray], np.ndarray, list[int]]:
    rows = int(generator.integers(20, 120))
    bins = generator.integers(2, 7, variables).tolist()
    base = generator.integers(0, 100, rows)
    codes = [((base + generator.integers(0, 60, rows)) * count // 160).astype(np.uint16) for count in bins]
    for own, count in zip(codes, bins, strict=True):
        own[:count] = np.arange(count)
    weights = generator.integers(1, 4, rows)
    chooser = CutChooser(np.concatenate(codes), rows, bins, [1] * variables, weights.astype(np.uint64))
    return chooser, codes, weights, bins


def price(bins: int, cut: list[int]) -> float:
    return math.log2(math.comb(bins - 1, max(cut)))


@given(tables)
def test_a_family_is_worth_its_qnml(generator: np.random.Generator) -> None:
    chooser, codes, weights, bins = chooser_of(generator, 3)
    cuts = [generator.permutation(list(partitions(count, 8)))[0].tolist() for count in bins]
    slow = slow_bits(codes, cuts, weights)
    assert chooser.family_bits([0, 1, 2], cuts, False) == pytest.approx(slow, abs=1e-7)
    prices = sum(price(count, cut) for count, cut in zip(bins, cuts, strict=True))
    assert chooser.family_bits([0, 1, 2], cuts, True) == pytest.approx(slow - prices, abs=1e-7)


@given(tables)
def test_the_best_intervals_are_those_of_all_partitions(generator: np.random.Generator) -> None:
    """Column 1 stands in two families: as a child of 0 and 2, and as a parent of 3 with 0."""
    chooser, codes, weights, bins = chooser_of(generator, 4)
    cuts = [list(range(count)) for count in bins]
    families = [[1, 0, 2], [3, 0, 1]]
    most = 4

    def worth(cut: list[int]) -> float:
        now = [*cuts[:1], cut, *cuts[2:]]
        bits = [slow_bits([codes[v] for v in family], [now[v] for v in family], weights) for family in families]
        return sum(bits) - price(bins[1], cut)

    found, _ = chooser.choose(1, families, cuts, most)
    assert worth(found) == pytest.approx(max(worth(cut) for cut in partitions(bins[1], most) if max(cut)), abs=1e-6)


@given(tables)
def test_turns_never_lower_a_family_and_end_at_a_best_one(generator: np.random.Generator) -> None:
    chooser, _, _, bins = chooser_of(generator, 2)
    start = [list(range(count)) for count in bins]
    members, bits = chooser.choose_family([0, 1], start, 8, 50)
    assert bits >= chooser.family_bits([0, 1], start, True)
    assert bits == pytest.approx(chooser.family_bits([0, 1], members, True), abs=1e-9)
    for place in (0, 1):  # no other partition of one member is better
        for other in partitions(bins[place], 8):
            now = [other if i == place else each for i, each in enumerate(members)]
            assert chooser.family_bits([0, 1], now, True) <= bits + 1e-6


@given(tables)
def test_bins_in_reverse_order_give_the_same_intervals_reversed(generator: np.random.Generator) -> None:
    chooser, codes, weights, bins = chooser_of(generator, 2)
    cuts = [list(range(count)) for count in bins]
    turned = (bins[0] - 1 - codes[0]).astype(np.uint16)
    other = CutChooser(np.concatenate([turned, codes[1]]), len(turned), bins, [1, 1], weights.astype(np.uint64))
    found, bits = chooser.choose(0, [[0, 1]], cuts, 8)
    back, same_bits = other.choose(0, [[0, 1]], cuts, 8)
    assert bits == same_bits
    assert len(set(found)) == len(set(back))


@given(st.lists(st.floats(-1e300, 1e300, allow_nan=False, allow_subnormal=False), min_size=2, unique=True), st.data())
def test_cut_points_separate_the_intervals(values: list[float], data: st.DataObject) -> None:
    numbers = np.sort(np.array(values))
    chosen = data.draw(st.sets(st.integers(1, len(numbers) - 1)))
    intervals = np.cumsum([int(i in chosen) for i in range(len(numbers))])
    points = points_between(numbers, intervals)
    if chosen:
        assert np.searchsorted(points, numbers, side="left").tolist() == intervals.tolist()


# --- which treatment is taken ---


@pytest.mark.parametrize(
    ("make", "treatments"), [(lines, {"smooth"}), (steps, {"cuts"}), (beside, {"smooth", "mixed"})]
)
def test_the_treatment_fits_the_data(make, treatments) -> None:  # type: ignore[no-untyped-def]
    learned = mahc.learn(make(2000), "boss")
    record = learned.run.numbers
    assert record is not None
    assert record.treatment in treatments
    assert record.margin is not None
    assert record.margin >= 0
    assert str(learned.run.score.name) in ("smooth", "mixed", "qnml")


@pytest.mark.long
def test_two_kinds_of_truth_are_treated_part_by_part() -> None:
    """Straight lines beside insurance, of which every other variable with three states or more is seen as a number."""
    rows = 4000
    data, draw = sample(load_network("insurance"), rows, 1), np.random.default_rng(1).normal
    frame: Frame = {}
    for place, (name, labels, codes) in enumerate(zip(data.names, data.labels, data.codes, strict=True)):
        number = len(labels) > 2 and place % 2 == 0
        frame[name] = (codes + 0.3 * draw(size=rows)).tolist() if number else [labels[code] for code in codes]
    before = draw(size=rows)
    for place in range(12):
        frame[f"line {place}"] = before.tolist()
        before = 0.9 * before + 0.4 * draw(size=rows)
    record = mahc.learn(frame, "boss").run.numbers
    assert record is not None
    assert record.treatment == "mixed"


def test_the_margin_is_the_difference_of_the_judge() -> None:
    table = mahc.read(lines())
    smooth, cut = (mahc.learn(table, "boss", numbers=how) for how in ("smooth", "cuts"))
    columns = BinnedColumns(table)
    judge = Judge(columns, SmoothRows(table, 31))
    bits = [
        judge.total(
            [[columns.data.index(u) for u, v in each.arcs if v == name] for name in columns.data.names], each is cut
        )
        for each in (smooth, cut)
    ]
    record = mahc.learn(table, "boss").run.numbers
    assert record is not None
    assert record.margin == pytest.approx(bits[0] - bits[1], abs=1e-4)


def test_a_family_without_parents_is_worth_nothing_to_the_judge() -> None:
    table = mahc.read(beside(200))
    judge = Judge(BinnedColumns(table), SmoothRows(table, 31))
    assert judge.of_family(3, []) == (0.0, 0.0)
    assert judge.total([[] for _ in range(12)]) == 0.0


@pytest.mark.parametrize("algorithm", ["hc", "mahc", "tabu", "boss", "exact"])
@pytest.mark.parametrize("numbers", ["auto", "smooth", "cuts"])
def test_every_score_based_algorithm_takes_numbers(algorithm: str, numbers: str) -> None:
    learned = mahc.learn(lines(), algorithm, numbers=numbers)
    assert {frozenset("ac"), frozenset("bc"), frozenset("cd")} <= skeleton(learned)
    assert learned.run.numbers is not None
    assert learned.run.numbers.treatment == ("smooth" if numbers == "auto" else numbers)


def test_a_score_of_states_implies_cuts() -> None:
    learned = mahc.learn(steps(), "hc", objective="bdeu")
    assert learned.run.numbers is not None
    assert (learned.run.numbers.treatment, learned.run.numbers.reason) == ("cuts", "score")
    assert learned.data.reading is not None
    assert set(learned.data.reading.cut_points) == {"smoke", "bronc", "dysp"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"objective": "bic", "numbers": "smooth"}, "bic is a score of states"),
        ({"objective": "smooth", "numbers": "cuts"}, "smooth is a score of numbers as they are"),
        ({"degree": 2, "numbers": "cuts"}, "smooth is a score of numbers as they are"),
        ({"numbers": "curves"}, "did you mean 'cuts'"),
    ],
)
def test_contradictions_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(MahcError, match=words):
        mahc.learn(lines(60), "hc", **settings)  # type: ignore[arg-type]


def test_a_degree_alone_means_the_smooth_score() -> None:
    learned = mahc.learn(lines(), "hc", degree=2)
    assert learned.run.score.name == "smooth"
    assert learned.run.score.degree == 2  # type: ignore[attr-defined]


def test_tables_of_states_are_not_concerned() -> None:
    table = sample(load_network("asia"), 500, 1)
    usual = mahc.learn(table, "boss")
    assert usual.run.numbers is None
    for numbers in ("smooth", "cuts"):
        other = mahc.learn(table, "boss", numbers=numbers)
        assert (other, other.score) == (usual, usual.score)


@pytest.mark.parametrize("searches", [2, 3])
def test_a_stopped_run_says_that_cuts_were_not_compared(searches: int) -> None:
    """Also where the clock runs out between two searches, each of which came to its end."""
    stop = threading.Event()
    ended = 0

    def cancel_late(now: Progress) -> None:
        nonlocal ended
        ended += now.phase == "finishing"
        if ended == searches - 1:
            stop.set()

    learned = mahc.learn(lines(300), "boss", cancel=stop, progress=cancel_late)
    assert learned.run.numbers is not None
    assert (learned.run.numbers.treatment, learned.run.numbers.reason) == ("smooth", "time")
    assert learned.stop_reason == "interrupted"


# --- what stays the same ---


@pytest.mark.parametrize("make", [lines, steps, beside])
@pytest.mark.parametrize("numbers", ["auto", "cuts"])
def test_orders_transformations_and_signs_change_nothing(make, numbers: str) -> None:  # type: ignore[no-untyped-def]
    frame = pl.DataFrame(make(300, 3))
    generator = np.random.default_rng(4)
    names = [frame.columns[i] for i in generator.permutation(len(frame.columns))]
    moved = frame.select(names)[generator.permutation(len(frame)).tolist()]
    usual, other = (mahc.learn(each, "boss", numbers=numbers) for each in (frame, moved))
    assert other.score == usual.score
    assert set(other.arcs) == set(usual.arcs)
    assert other.run.numbers == usual.run.numbers
    first = next(name for name, kind in frame.schema.items() if kind.is_float())
    for change in (pl.col(first).exp(), pl.col(first) * 1000, -pl.col(first)):
        turned = mahc.learn(frame.with_columns(change.alias(first)), "boss", numbers=numbers)
        assert set(turned.arcs) == set(usual.arcs)
        assert turned.score == pytest.approx(usual.score, abs=1e-6)


def test_weights_are_repeated_rows() -> None:
    frame = pl.DataFrame(steps(150, 5))
    weights = np.random.default_rng(6).integers(1, 4, len(frame))
    repeated = frame[np.repeat(np.arange(len(frame)), weights).tolist()]
    for numbers in ("auto", "cuts"):
        weighted = mahc.learn(frame, "boss", numbers=numbers, weights=weights)
        plain = mahc.learn(repeated, "boss", numbers=numbers)
        assert weighted.arcs == plain.arcs
        assert weighted.score == pytest.approx(plain.score, abs=1e-6)
        assert weighted.run.numbers == plain.run.numbers


def test_threads_change_nothing() -> None:
    one, two = (mahc.learn(beside(300), "boss", threads=threads) for threads in (1, 2))
    assert (one.arcs, one.score, one.run.numbers) == (two.arcs, two.score, two.run.numbers)


# --- a result with cuts is an ordinary discrete network ---


@pytest.fixture(scope="module")
def cut_result() -> tuple[Frame, Learned]:
    frame = steps(500, 7)
    return frame, mahc.learn(frame, "boss", numbers="cuts")


def test_it_is_fitted_and_asked(cut_result: tuple[Frame, Learned]) -> None:
    frame, learned = cut_result
    model = learned.fit(frame)
    assert learned.fit(mahc.read(frame)).network == model.network
    answer = model.query("lung", given={"smoke": float(np.median(np.asarray(frame["smoke"], float)))})
    assert sum(answer.values()) == pytest.approx(1)


def test_it_is_saved_and_replayed(cut_result: tuple[Frame, Learned], tmp_path) -> None:  # type: ignore[no-untyped-def]
    frame, learned = cut_result
    learned.save(tmp_path / "result.json")
    again = Learned.load(tmp_path / "result.json")
    assert again.run.numbers == learned.run.numbers
    assert mahc.replay(again, frame) == learned


def test_the_same_cut_points_by_hand_give_the_same_result(cut_result: tuple[Frame, Learned]) -> None:
    frame, learned = cut_result
    assert learned.data.reading is not None
    given = {name: list(cuts) for name, cuts in learned.data.reading.cut_points.items()}
    assert mahc.learn(frame, "boss", discretise=given) == learned


def test_the_summary_says_how_and_why(cut_result: tuple[Frame, Learned]) -> None:
    from mahc.results.summary import facts

    said = dict(facts(cut_result[1]))["Numbers"]
    assert said.startswith("cuts; smoke at ") or " at " in said
    smooth = dict(facts(mahc.learn(lines(), "boss")))["Numbers"]
    assert smooth.startswith("smooth, degree ")
    assert smooth.endswith("bits better than cuts")


def test_a_bootstrap_keeps_the_treatment() -> None:
    frame = steps(300, 8)
    sample_of_graphs = mahc.bootstrap(frame, "hc", resamples=4, numbers="cuts")
    learned = mahc.learn(frame, "hc", numbers="cuts")
    assert sample_of_graphs.data == learned.data
    assert sample_of_graphs.run.numbers == learned.run.numbers
    assert learned.with_confidence(sample_of_graphs).confidence is not None
    smooth = mahc.bootstrap(lines(200), "boss", resamples=4)
    assert smooth.run.score.degree is not None  # type: ignore[attr-defined]


def test_missing_numbers_stay_missing_when_they_are_cut() -> None:
    frame = steps(400, 9)
    frame["smoke"] = [None if i % 7 == 0 else value for i, value in enumerate(frame["smoke"])]  # type: ignore[misc]
    learned = mahc.learn(frame, "hc", objective="bic", missing="pairwise")
    assert learned.run.missing == "pairwise"
    assert learned.run.numbers is not None
    assert learned.run.numbers.treatment == "cuts"


def test_a_constant_column_of_numbers_has_no_edge() -> None:
    frame = {**lines(200), "same": [1.5] * 200}
    for numbers in ("auto", "smooth", "cuts"):
        assert all("same" not in arc for arc in mahc.learn(frame, "boss", numbers=numbers).arcs)


def test_progress_and_cancelling_reach_the_search_for_cuts() -> None:
    token = mahc.engine.CancelToken()
    token.cancel()
    learned = mahc.learn(steps(), "boss", numbers="cuts", cancel=token)
    assert learned.stop_reason.by_clock_or_user
    assert Control(None, None, None).stop_reason() is None
