"""Threads: one pool kept alive, callers take turns, mistakes come back, a forked child begins anew."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from random_tables import RawTable, scorer_of

from mahc.engine import EngineRows, Families, RowScorer
from mahc.learning.control import Control
from mahc.scores import make_score


def random_table(rows: int = 20_000, variables: int = 10) -> RawTable:
    rng = np.random.default_rng(1)
    return RawTable(tuple(rng.integers(0, 3, rows).astype(np.uint8) for _ in range(variables)), (3,) * variables, None)


def all_triples(variables: int) -> Families:
    n = range(variables)
    return Families.of([(c, [p, q]) for c in n for p in n for q in n if len({c, p, q}) == 3])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_two_callers_of_one_scorer_take_turns(threads: int) -> None:
    scorer, families = scorer_of(random_table(), make_score("bic"), threads), all_triples(10)
    expected = scorer.score_families(families).tolist()
    found: list[list[float]] = []

    def ask() -> None:
        for _ in range(4):
            found.append(scorer.score_families(families).tolist())

    callers = [threading.Thread(target=ask) for _ in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [expected] * 12


def test_two_engines_work_side_by_side() -> None:
    table, families = random_table(), all_triples(10)
    scorers = [scorer_of(table, make_score(name), 2) for name in ("bic", "bdeu")]
    expected = [scorer.score_families(families).tolist() for scorer in scorers]
    found: dict[int, list[list[float]]] = {0: [], 1: []}

    def ask(which: int) -> None:
        for _ in range(4):
            found[which].append(scorers[which].score_families(families).tolist())

    callers = [threading.Thread(target=ask, args=(which,)) for which in (0, 1)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == {0: [expected[0]] * 4, 1: [expected[1]] * 4}


def test_python_goes_on_while_rows_are_counted() -> None:
    scorer, families = scorer_of(random_table(400_000), make_score("bic"), 1), all_triples(10)

    def count_ticks() -> int:
        spans: list[tuple[float, float]] = []

        def ask() -> None:
            start = time.perf_counter()
            scorer.score_families(families, "direct")
            spans.append((start, time.perf_counter()))

        caller = threading.Thread(target=ask)
        caller.start()
        ticks = []
        while caller.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)
        start, stop = spans[0]
        return sum(start < tick < stop for tick in ticks)

    # With the lock held throughout there is at most one tick, every time; a loaded machine may bring few at times.
    assert any(count_ticks() > 5 for _ in range(20))


def test_a_mistake_in_a_worker_comes_back_and_the_pool_lives_on() -> None:
    codes = np.array([0, 1], np.uint16)
    columns = (np.array([0, 1], np.uint8), *tuple(codes for _ in range(100)))
    scorer = scorer_of(RawTable(columns, (2,) + (60_000,) * 100, None), make_score("bic"), 3)
    too_wide = Families.of([(0, list(range(1, 101)))] * 40)
    for _ in range(5):
        with pytest.raises(ValueError, match="parent configurations"):
            scorer.score_families(too_wide)
        assert len(scorer.score_families(Families.of([(0, [v]) for v in range(1, 101)]))) == 100


def test_more_threads_than_work_or_processors_do_no_harm() -> None:
    table, families = random_table(500, 4), Families.of([(0, [1]), (1, [2, 3]), (2, [])])
    expected = scorer_of(table, make_score("bic"), 1).score_families(families).tolist()
    assert scorer_of(table, make_score("bic"), 40).score_families(families).tolist() == expected


def test_engines_come_and_go() -> None:
    data, score = random_table(2000, 6).dataset(), make_score("bic")
    for _ in range(30):
        RowScorer(EngineRows(data, threads=3), score).score_pairs()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("threads", [1, 3])
def test_a_forked_child_scores_and_cleans_up(threads: int) -> None:
    scorer, families = scorer_of(random_table(5000), make_score("bic"), threads), all_triples(10)
    expected = scorer.score_families(families).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forking with threads: the point here
        child = os.fork()
    if child == 0:
        signal.alarm(600)  # a hang would be the mistake to find
        same = scorer.score_families(families).tolist() == expected
        del scorer
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert scorer.score_families(families).tolist() == expected


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_forked_child_that_never_scores_ends_cleanly() -> None:
    scorer = scorer_of(random_table(5000), make_score("bic"), 3)
    scorer.score_pairs()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.alarm(600)
        del scorer
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_python_threads_that_share_a_scorer_have_their_own_controls() -> None:
    """The stop of one thread must not end the batch of another (tools/tsan.sh looks for the race itself)."""
    scorer = scorer_of(random_table(400, 30), make_score("bic"), 2)
    expected = scorer.score_pairs()
    assert expected is not None
    wrong: list[object] = []

    def work(limit: float | None) -> None:
        for _ in range(20):
            found = scorer.score_pairs(Control(limit))
            if (found is None and limit is None) or (found is not None and (found != expected).any()):
                wrong.append(found)

    workers = [threading.Thread(target=work, args=(limit,)) for limit in (None, 1e-9, None, 1e-9)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
