"""Work in Python that may take long looks at the clock in each round: a check that raises at its n-th call ends it.

No test waits or measures time. Each fails if the calls of `check` are taken out of the work that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

import mahc
from mahc.algorithms.constraint_based.extension import fit_cpdag, fit_pag
from mahc.algorithms.constraint_based.fci import fci
from mahc.algorithms.constraint_based.mmpc import find_neighbourhoods
from mahc.algorithms.constraint_based.pc_stable import orient, pc_stable
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.algorithms.hybrid.boss_pag import PagFromDag, separate_covered
from mahc.algorithms.hybrid.saiyanh_association import build_emsg
from mahc.engine import EngineRows, RowScorer
from mahc.graphs import DAG, Mark
from mahc.graphs.walks import Check, label_components
from mahc.independence import SeparationOracle
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.legality import find_violation
from mahc.learning.connecting import connect
from mahc.learning.control import Control, Stopped
from mahc.learning.problem import Problem
from mahc.scores import BIC


class Counting(Control):
    """A control that stops the run at its n-th look at the clock; the oracles of these tests do not have it."""

    def __init__(self, last: float = float("inf")) -> None:
        super().__init__()
        self.looks, self.last = 0, last

    def stop_reason(self) -> str | None:
        self.looks += 1
        return "time_limit" if self.looks >= self.last else None


@cache
def truth() -> DAG:
    """Colliders, chains and cycles; "h" is hidden from fci."""
    arcs = ["ac", "bc", "cd", "ce", "de", "df", "ef", "gf", "ha", "hg", "be"]
    return DAG([*"abcdefgh"], [(arc[0], arc[1]) for arc in arcs])


def oracle() -> SeparationOracle:
    return SeparationOracle(truth(), latent="h")


NAMES = [*"abcdefg"]
LEARNERS = pytest.mark.parametrize("learner", [pc_stable, fci])


def moments(total: int) -> Iterator[int]:
    """The first and the last look, and some between."""
    yield from sorted({1, 2, total // 4, total // 2, 3 * total // 4, total - 1, total} - {0})


@LEARNERS
def test_tests_and_orientation_stop_at_any_look_with_marks_that_the_whole_run_confirms(
    learner: Callable[..., object],
) -> None:
    whole_control = Counting()
    whole = learner(oracle(), no_constraints(NAMES), control=whole_control)
    skeleton = Counting()
    Skeleton(oracle(), no_constraints(NAMES), 0.01, skeleton.check).separate_by_neighbours(None)
    assert whole_control.looks > skeleton.looks + len(NAMES)  # the orientation looks as well
    for moment in moments(whole_control.looks):
        control = Counting(moment)
        found = learner(oracle(), no_constraints(NAMES), control=control)
        assert found.stop_reason == "time_limit"
        assert control.looks <= moment + 2
        undecided = Mark.CIRCLE if learner is fci else Mark.TAIL
        decided = (found.graph.marks != undecided) & (found.graph.marks > 0) & (whole.graph.marks > 0)
        assert (found.graph.marks[decided] == whole.graph.marks[decided]).all()


def stops_at_every_call(work: Callable[[Check], object]) -> int:
    """How often the work calls its check; it ends with Stopped whichever call raises."""
    calls, last = 0, 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls == last:
            raise Stopped

    work(check)
    total = calls
    for last in moments(total):
        calls = 0
        with pytest.raises(Stopped):
            work(check)
        assert calls == last
    return total


def test_a_dag_for_a_cpdag_or_a_pag_is_looked_for_until_the_time_is_up() -> None:
    pattern = pc_stable(SeparationOracle(truth()), no_constraints(truth().names)).graph
    free = no_constraints(truth().names)
    assert stops_at_every_call(lambda check: fit_cpdag(pattern, free, check)) > 2 * len(truth().names)
    graph = fci(SeparationOracle(truth()), free).graph
    assert stops_at_every_call(lambda check: fit_pag(graph, free, check)) > 3 * len(truth().names)


def test_orientation_that_is_stopped_says_so() -> None:
    free = no_constraints(NAMES)
    skeleton = Skeleton(oracle(), free, 0.01)
    skeleton.separate_by_neighbours(None)
    whole, finished = orient(skeleton.adjacent, skeleton.separations, free)
    assert finished
    looks = Counting()
    assert orient(skeleton.adjacent, skeleton.separations, free, looks.check)[0] == whole
    assert looks.looks > 2 * len(NAMES)  # colliders and rules, not only the variables
    for moment in moments(looks.looks):
        part, finished = orient(skeleton.adjacent, skeleton.separations, free, Counting(moment).check)
        assert not finished
        assert (part.marks > 0).tolist() == (whole.marks > 0).tolist()


def test_the_neighbours_of_mmpc_and_the_spanning_graph_of_saiyanh_are_looked_for_until_the_time_is_up() -> None:
    control = Counting(3)
    assert find_neighbourhoods(oracle(), no_constraints(NAMES), check=control.check) is None
    assert control.looks == 3
    strength = np.random.default_rng(1).random((6, 6))
    assert stops_at_every_call(lambda check: build_emsg((strength + strength.T) / 2, check)) == 6


def test_the_pag_of_a_dag_keeps_the_marks_found_so_far() -> None:
    dag = DAG([*"abcd"], [("a", "b"), ("c", "b"), ("b", "d"), ("a", "d")])
    free = no_constraints(dag.names)
    whole, finished = PagFromDag(dag.parent_bitsets, free).orient()
    looks = Counting()
    assert finished
    assert PagFromDag(dag.parent_bitsets, free).orient(looks.check)[1]
    assert looks.looks > len(dag.names)
    for moment in moments(looks.looks):
        marks, finished = PagFromDag(dag.parent_bitsets, free).orient(Counting(moment).check)
        assert not finished
        decided = (marks > 0) & (marks != Mark.CIRCLE)
        assert (marks[decided] == whole[decided]).all()
    state = PagFromDag(dag.parent_bitsets, free)
    assert not separate_covered(state, SeparationOracle(dag), 0.01, Counting(2).check)


def problem_of(variables: int, knowledge: Knowledge, control: Control) -> Problem:
    codes = np.random.default_rng(3).integers(0, 2, (60, variables)).astype(np.uint8)
    data = mahc.read(codes, names=[f"v{v}" for v in range(variables)])
    constraints = knowledge.check(data.names, 8)
    return Problem(RowScorer(EngineRows(data, threads=1), BIC()), constraints, (), control)


class LateClock(Control):
    """The time limit is over; each look at the clock is a second later than the one before."""

    def __init__(self) -> None:
        super().__init__(time_limit=1)
        self.now = 1.0

    def seconds(self) -> float:
        self.now += 1
        return self.now


def components(variables: int, arcs: list[tuple[int, int]]) -> int:
    return len(set(label_components(variables, arcs)))


@pytest.mark.parametrize(
    "knowledge",
    [
        Knowledge(),
        Knowledge(tiers=[["v1", "v3"], ["v0", "v2"], ["v4"]]),
        Knowledge(forbidden_arcs=[("v0", f"v{v}") for v in range(1, 12)] + [(f"v{v}", "v0") for v in range(2, 12)]),
    ],
)
def test_components_are_joined_by_legal_arcs_also_when_the_time_is_up(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(12, knowledge, LateClock())
    scored: list[int] = []
    score = RowScorer.score_families

    def counted(self: RowScorer, families: object, *rest: object) -> object:
        scored.append(len(families))  # type: ignore[arg-type]
        return score(self, families, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(RowScorer, "score_families", counted)
    arcs, cost = connect(problem, [], problem.constraints.names)
    assert sum(scored) < 12 * 11  # it did not score every pair
    assert components(12, arcs) == 1
    assert len(arcs) == 11
    assert find_violation(problem.constraints, arcs) is None
    parents = [[u for u, v in arcs if v == child] for child in range(12)]
    before, after = problem.local_scores([()] * 12).sum(), problem.local_scores(parents).sum()
    assert cost == pytest.approx(before - after)


def test_a_graph_too_large_for_the_costs_of_all_arcs_is_joined_all_the_same() -> None:
    problem = problem_of(12, Knowledge(), Control())
    problem.memory.bytes = 100
    assert components(12, connect(problem, [], problem.constraints.names)[0]) == 1
