"""What causal-learn and pyAgrum do where the textbook leaves a choice, spelt out slowly, to explain each difference.

PC leaves three choices open once the tests are made: which of several separating sets counts, what happens to
colliders that contradict each other, and how degrees of freedom are counted.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.constraint_based import Separation
from mahc.algorithms.constraint_based.fci import possible_d_sep
from mahc.algorithms.constraint_based.pc_stable import orient
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.graphs import Mark
from mahc.graphs.bitset import members, pack, to_bitset
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.independence import IndependenceOracle, IndependenceTest, Questions, TableOracle

Marks = NDArray[np.uint8]
Pair = tuple[int, int]
Asked = tuple[int, int, tuple[int, ...]]  # x, y, and what is given
Triple = tuple[int, int, int]  # x, z, y with z in the middle and x < y
ALPHA = 0.01


def codes_of(data: Dataset) -> NDArray[np.int64]:
    return np.stack([np.asarray(column) for column in data.codes], axis=1).astype(np.int64)


@dataclass(frozen=True)
class Separations:
    """The skeleton of PC-Stable, and for each pair without an edge ALL sets of its level that separate it."""

    adjacent: tuple[frozenset[int], ...]
    sets: Mapping[Pair, tuple[tuple[frozenset[int], float], ...]]

    def triples(self) -> list[Triple]:
        """x - z - y with x, y not adjacent, in the order of x, z, y."""
        found = [
            (x, z, y)
            for z, beside in enumerate(self.adjacent)
            for x, y in itertools.combinations(sorted(beside), 2)
            if y not in self.adjacent[x]
        ]
        return sorted(found)

    def kind(self, triple: Triple) -> str:
        """Whether z is in none, all or some of the sets that separate x from y."""
        x, z, y = triple
        held = [z in given for given, _ in self.sets[x, y]]
        return "collider" if not any(held) else "no collider" if all(held) else "ambiguous"


def all_separations(oracle: IndependenceOracle, alpha: float = ALPHA) -> Separations:
    """PC-Stable's skeleton as its authors wrote it down, but with every set that separates kept."""
    n = oracle.variables
    adjacent = [set(range(n)) - {v} for v in range(n)]
    sets: dict[Pair, tuple[tuple[frozenset[int], float], ...]] = {}
    size = 0
    while any(len(adjacent[x] - {y}) >= size for x in range(n) for y in adjacent[x]):
        asked = [
            (x, y, given)
            for x, y in itertools.combinations(range(n), 2)
            if y in adjacent[x]
            for given in sorted({*_subsets(adjacent[x] - {y}, size), *_subsets(adjacent[y] - {x}, size)})
        ]
        answers = oracle.log_p_values(Questions.of((x, [*given, y]) for x, y, given in asked))
        assert answers is not None
        found: dict[Pair, list[tuple[frozenset[int], float]]] = {}
        for (x, y, given), log_p in zip(asked, answers.tolist(), strict=True):
            if log_p > math.log(alpha):
                found.setdefault((x, y), []).append((frozenset(given), log_p))
        for (x, y), mine in found.items():
            sets[x, y] = tuple(mine)
            adjacent[x].discard(y)
            adjacent[y].discard(x)
        size += 1
    return Separations(tuple(map(frozenset, adjacent)), sets)


def _subsets(of: set[int], size: int) -> Iterator[tuple[int, ...]]:
    return itertools.combinations(sorted(of), size)


def marks_of(adjacent: tuple[frozenset[int], ...], arcs: set[Pair]) -> Marks:
    """Lines where nothing else is said."""
    marks = np.zeros((len(adjacent),) * 2, np.uint8)
    for x, beside in enumerate(adjacent):
        marks[x, list(beside)] = Mark.TAIL
    for tail, head in arcs:
        marks[tail, head] = Mark.ARROW
    return marks


def our_marks(found: Separations, choose: Callable[[Pair], frozenset[int]], names: tuple[str, ...]) -> Marks:
    """Our rule for contradicting colliders, with a set chosen for each pair."""
    separations = {pair: Separation(choose(pair), max(p for _, p in found.sets[pair])) for pair in found.sets}
    adjacent = [to_bitset(beside) for beside in found.adjacent]
    marks: Marks = orient(adjacent, separations, no_constraints(names))[0].marks
    return marks


def highest(found: Separations, pair: Pair) -> frozenset[int]:
    """Our choice: the set with the highest p-value."""
    return max(found.sets[pair], key=lambda one: one[1])[0]


def union(found: Separations, pair: Pair) -> frozenset[int]:
    """causal-learn's choice with `stable=True`: all sets of the level thrown together."""
    return frozenset().union(*(given for given, _ in found.sets[pair]))


def causal_learn_marks(found: Separations) -> Marks:
    """causal-learn with uc_rule=0, uc_priority=2: middle by middle, a collider that turns no arc round.

    A directed cycle is no obstacle to a collider; to an arc of Meek's rules it is.
    """
    arcs: set[Pair] = set()
    for triple in sorted(found.triples(), key=lambda triple: (triple[1], triple[0], triple[2])):
        x, z, y = triple
        if found.kind(triple) == "collider" and (z, x) not in arcs and (z, y) not in arcs:
            arcs |= {(x, z), (y, z)}
    ways = _walk_edges(found, arcs)
    paths = [(i, j, k) for i, j in ways for also, k in ways if also == j and k != i]
    while _follow(found, paths, arcs):
        pass
    return marks_of(found.adjacent, arcs)


def _walk_edges(found: Separations, arcs: set[Pair]) -> list[Pair]:
    """Both directions of every edge in causal-learn's order: lines and arcs walked backwards, then arcs forwards."""
    both = [(a, b) for b, beside in enumerate(found.adjacent) for a in sorted(beside)]
    return [pair for pair in both if pair not in arcs] + [pair for pair in both if pair in arcs]


def _follow(found: Separations, paths: list[Triple], arcs: set[Pair]) -> bool:
    """One round of Meek's first three rules over these paths; an arc that would close a cycle is left out."""
    before = len(arcs)

    def is_line(a: int, b: int) -> bool:
        return b in found.adjacent[a] and (a, b) not in arcs and (b, a) not in arcs

    def point(a: int, b: int) -> None:
        if not reaches(arcs, b, a):
            arcs.add((a, b))

    triangles = [(i, j, k) for i, j, k in paths if k in found.adjacent[i]]
    for i, j, k in paths:
        if k not in found.adjacent[i] and (i, j) in arcs and is_line(j, k):
            point(j, k)
    for i, j, k in triangles:
        if {(i, j), (j, k)} <= arcs and is_line(i, k):
            point(i, k)
    for (i, j, last), (other, k, end) in itertools.permutations(triangles, 2):
        kite = (i, last) == (other, end) and j < k and k not in found.adjacent[j]
        if kite and {(j, last), (k, last)} <= arcs and is_line(i, j) and is_line(i, k) and is_line(i, last):
            point(i, last)
    return len(arcs) > before


def reaches(arcs: set[Pair], start: int, end: int) -> bool:
    reached, fresh = {start}, {start}
    while fresh:
        fresh = {b for a, b in arcs if a in fresh} - reached
        reached |= fresh
    return end in reached


def causal_learn_pc(codes: NDArray[np.int64], test: str = "gsq") -> tuple[Marks, dict[Asked, float]]:
    """Its graph, and each p-value that it looked at."""
    from causallearn.search.ConstraintBased.PC import pc

    found = pc(codes, ALPHA, test, stable=True, uc_rule=0, uc_priority=2, show_progress=False)
    graph = found.G.graph  # [j, i] = 1: an arrow at j
    marks = np.where(graph == 0, 0, np.where(graph.T == 1, Mark.ARROW, Mark.TAIL)).astype(np.uint8)
    return marks, read_cache(found.test.pvalue_cache)


def read_cache(cache: Mapping[str, Any]) -> dict[Asked, float]:
    """`3;5|1.2` -> (3, 5, (1, 2))."""
    found = {}
    for key, p_value in cache.items():
        if ";" in key:
            ends, _, given = key.partition("|")
            x, y = map(int, ends.split(";"))
            found[x, y, tuple(map(int, given.split("."))) if given else ()] = float(p_value)
    return found


class PyAgrumOracle:
    """pyAgrum's own p-values as an oracle for our algorithms."""

    def __init__(self, learner: Any, names: tuple[str, ...], statistic: str) -> None:
        self._ask = learner.G2 if statistic == "g2" else learner.chi2
        self._names = names
        self._known: dict[tuple[int, int, frozenset[int]], float] = {}

    @property
    def variables(self) -> int:
        return len(self._names)

    def log_p_values(self, questions: Questions) -> NDArray[np.float64]:
        found = np.empty(len(questions))
        for i, (x, parents) in enumerate(questions):
            *given, y = parents
            key = (min(x, y), max(x, y), frozenset(given))
            if key not in self._known:
                p_value = self._ask(self._names[x], self._names[y], [self._names[v] for v in given])[1]
                self._known[key] = math.log(p_value) if p_value > 0 else -math.inf
            found[i] = self._known[key]
        return found


def pyagrum_learner(data: Dataset, statistic: str = "g2") -> Any:
    import pandas as pd
    import pyagrum as gum

    columns = {name: np.array(data.labels[v])[data.codes[v]] for v, name in enumerate(data.names)}
    learner = gum.BNLearner(pd.DataFrame(columns).astype("category"))
    learner.setNumberOfThreads(1)  # more are slower on a busy machine
    learner.usePC()
    (learner.useG2Test if statistic == "g2" else learner.useChi2Test)()
    learner.setPCAlpha(ALPHA)
    learner.setPCStable(True)
    return learner


def pyagrum_pc(data: Dataset, statistic: str = "g2") -> Marks:
    learner = pyagrum_learner(data, statistic)
    graph = learner.learnPDAG()
    place = [data.index(name) for name in learner.names()]
    marks = np.zeros((len(place),) * 2, np.uint8)
    for a, b in graph.edges():
        marks[place[a], place[b]] = marks[place[b], place[a]] = Mark.TAIL
    for tail, head in graph.arcs():
        marks[place[tail], place[head]] = Mark.ARROW
        marks[place[head], place[tail]] = Mark.TAIL
    return marks


def pyagrum_freedom(codes: NDArray[np.int64], x: int, y: int, given: tuple[int, ...]) -> int:
    """Plain degrees of freedom less every cell whose row or column is empty: too few (below), and at least one."""
    states = codes.max(axis=0) + 1
    plain = (states[x] - 1) * (states[y] - 1) * math.prod(int(states[v]) for v in given)
    cells = states[x] * states[y] * math.prod(int(states[v]) for v in given)
    for part in parts_of(codes, x, y, given):
        cells -= np.count_nonzero(part.any(axis=1)) * np.count_nonzero(part.any(axis=0))
    return max(1, int(plain - cells))


def parts_of(codes: NDArray[np.int64], x: int, y: int, given: tuple[int, ...]) -> Iterator[NDArray[np.int64]]:
    """The table of x and y within each configuration of the others that occurs."""
    shape = (int(codes[:, x].max()) + 1, int(codes[:, y].max()) + 1)
    _, at = (
        np.unique(codes[:, list(given)], axis=0, return_inverse=True) if given else (None, np.zeros(len(codes), int))
    )
    for key in range(int(at.max()) + 1):
        rows = at.reshape(-1) == key
        table = np.zeros(shape, np.int64)
        np.add.at(table, (codes[rows, x], codes[rows, y]), 1)
        yield table


def scipy_log_p(codes: NDArray[np.int64], x: int, y: int, given: tuple[int, ...], statistic: str) -> float:
    """The test as scipy makes it, configuration by configuration, statistics and degrees of freedom added up."""
    from scipy.stats import chi2, chi2_contingency

    total, freedom = 0.0, 0
    for part in parts_of(codes, x, y, given):
        seen = part[part.any(axis=1)][:, part.any(axis=0)]
        word = "log-likelihood" if statistic == "g2" else "pearson"
        result = chi2_contingency(seen, correction=False, lambda_=word)
        total, freedom = total + float(result.statistic), freedom + int(result.dof)
    return float(chi2.logsf(total, freedom)) if freedom else 0.0


def table_oracle(data: Dataset, statistic: str, threads: int | None = None) -> TableOracle:
    return TableOracle(EngineRows(data, threads=threads), IndependenceTest(statistic, "adjusted"))


@dataclass(frozen=True)
class CausalLearnFci:
    """Its PAG, the set of each ordered pair that it has one for, its possible-d-sep sets, and its p-values.

    `first` is the PAG of the first phase, on which possible-d-sep is defined.
    """

    marks: Marks
    first: Marks
    sets: Mapping[Pair, frozenset[int]]
    pools: Mapping[Pair, frozenset[int]]
    p_values: Mapping[Asked, float]


def causal_learn_fci(codes: NDArray[np.int64], test: str = "chisq") -> CausalLearnFci:
    """The sets are not handed out: they are looked at when its `fci` calls the second phase."""
    from causallearn.search.ConstraintBased import FCI

    second_phase = FCI.removeByPossibleDsep
    seen: dict[str, Any] = {}

    def look(graph: Any, asked: Any, alpha: float, sets: Mapping[Pair, Any]) -> None:
        place = {node: v for v, node in enumerate(graph.nodes)}
        seen["pools"] = {
            (place[a], place[b]): frozenset(place[c] for c in FCI.getPossibleDsep(a, b, graph, -1))
            for a in graph.nodes
            for b in graph.get_adjacent_nodes(a)
        }
        seen["first"] = as_marks(graph.graph)
        second_phase(graph, asked, alpha, sets)
        seen["sets"] = {pair: frozenset(map(int, given)) for pair, given in sets.items()}
        seen["p_values"] = read_cache(asked.pvalue_cache)

    FCI.removeByPossibleDsep = look
    try:
        with redirect_stdout(io.StringIO()):  # it prints arcs
            graph, _ = FCI.fci(codes, test, ALPHA, verbose=False, show_progress=False)
    finally:
        FCI.removeByPossibleDsep = second_phase
    return CausalLearnFci(marks=as_marks(graph.graph), **seen)


def as_marks(graph: NDArray[np.int64]) -> Marks:
    """Theirs has at [i, j] the mark at i, ours the mark at j."""
    meaning = {0: Mark.NONE, -1: Mark.TAIL, 1: Mark.ARROW, 2: Mark.CIRCLE}
    return np.array([[meaning[int(m)] for m in row] for row in graph.T], np.uint8)


def textbook_pool(marks: Marks, x: int) -> set[int]:
    """Possible-d-sep of x by its definition, as our FCI finds it on anybody's marks."""
    return set(members(possible_d_sep(_as_state(marks))[x]))


class ListeningOracle:
    """An oracle that remembers which of some questions it was asked."""

    def __init__(self, oracle: IndependenceOracle, of_interest: set[Asked]) -> None:
        self._oracle, self._of_interest = oracle, of_interest
        self.heard: set[Asked] = set()

    @property
    def variables(self) -> int:
        return self._oracle.variables

    def log_p_values(self, questions: Questions) -> NDArray[np.float64] | None:
        for x, (*given, y) in questions:
            key = asked_as(x, y, given)
            if key in self._of_interest:
                self.heard.add(key)
        return self._oracle.log_p_values(questions)


def asked_as(x: int, y: int, given: Iterable[int]) -> Asked:
    """One form of a question, whichever of the two was named first."""
    return min(x, y), max(x, y), tuple(sorted(given))


Ask = Callable[[int, int, set[int]], bool]


def our_pag_rules(
    joined: NDArray[np.bool_], sets: Mapping[Pair, frozenset[int]], ask: Ask | None = None, in_file_order: bool = False
) -> Marks:
    """Our R0 to R10 on anybody's skeleton and separating sets; with `ask`, R4 tests anew as causal-learn's does.

    `in_file_order` lets R1 and R2 do all they can before, as causal-learn does it; where nothing contradicts, no
    order matters.
    """
    state = _meet_unmarried(joined, sets)
    if in_file_order:
        state = _as_state(_away_in_file_order(state.matrix()))

    def separates(start: int, middle: int, end: int) -> bool:
        if ask is not None:
            path = discriminating_path(state.matrix(), start, middle, end)
            if ask(start, end, {*path, middle}):
                return True
            if ask(start, end, set(path)):
                return False
        return middle in sets[min(start, end), max(start, end)]

    apply_zhang_rules(state, separates)
    marks: Marks = state.matrix()
    return marks


def _away_in_file_order(marks: Marks) -> Marks:
    """R1 and R2 middle by middle and pair by pair of its neighbours; R1 writes over whatever stood at the far end."""
    before = None
    while before is None or (before != marks).any():
        before = marks.copy()
        for b in range(len(marks)):
            for pair in itertools.combinations(np.flatnonzero(marks[b]).tolist(), 2):
                for a, c in (pair, pair[::-1]):
                    if not marks[a, c] and marks[a, b] == Mark.ARROW and marks[c, b] == Mark.CIRCLE:
                        marks[b, c], marks[c, b] = Mark.ARROW, Mark.TAIL
                for a, c in (pair, pair[::-1]):
                    into = marks[a, b] == marks[b, c] == Mark.ARROW
                    if marks[a, c] == Mark.CIRCLE and into and Mark.TAIL in (marks[b, a], marks[c, b]):
                        marks[a, c] = Mark.ARROW
    return marks


def _as_state(marks: Marks) -> PagMarks:
    state = PagMarks(pack(marks > 0))
    for mark in (Mark.ARROW, Mark.TAIL):
        for a, b in np.argwhere(marks == mark).tolist():
            state.set_mark(a, b, mark)
    return state


def _meet_unmarried(joined: NDArray[np.bool_], sets: Mapping[Pair, frozenset[int]]) -> PagMarks:
    state = PagMarks(pack(joined))
    for x, y in itertools.combinations(range(len(joined)), 2):
        if joined[x, y] or (x, y) not in sets:
            continue
        for z in np.flatnonzero(joined[x] & joined[y]).tolist():
            if z not in sets[x, y]:
                state.set_mark(x, z, Mark.ARROW)
                state.set_mark(y, z, Mark.ARROW)
    return state


def discriminating_path(marks: Marks, start: int, middle: int, end: int) -> list[int]:
    """The inner variables before `middle` of a shortest path: each a collider on it and a parent of `end`."""
    parents = {v for v in range(len(marks)) if marks[v, end] == Mark.ARROW and marks[end, v] == Mark.TAIL}
    paths = [[start, v] for v in sorted(parents) if marks[start, v] == Mark.ARROW]
    while paths:
        for path in paths:
            if marks[middle, path[-1]] == Mark.ARROW and middle not in path:
                return path[1:]
        paths = [
            [*path, v]
            for path in paths
            for v in sorted(parents - set(path))
            if marks[path[-1], v] == marks[v, path[-1]] == Mark.ARROW
        ]
    raise LookupError(f"no discriminating path from {start} over {middle} to {end}")
