"""The 0-1 program: one parent set for each variable, no cycles, the highest score (as GOBNILP, by SCIP)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from pyscipopt import SCIP_HEURTIMING, SCIP_PARAMSETTING, Model, quicksum

from mahc.algorithms.exact.acyclicity import Acyclicity, Columns, Rounding
from mahc.algorithms.exact.candidates import Candidates
from mahc.algorithms.score_based.climb import climb
from mahc.knowledge.constraints import EDGE
from mahc.knowledge.legality import Legality
from mahc.learning.connecting import parents_of
from mahc.learning.problem import Problem

Arc = tuple[int, int]
PROVEN = 1e-6  # SCIP's own tolerance: a gap this small counts as 0


@dataclass(frozen=True)
class Solved:
    """The best graph found, and how much higher than its score any can be (0: it is proven to be the best)."""

    parents: tuple[tuple[int, ...], ...]
    gap: float


def solve_by_program(problem: Problem, candidates: Candidates, first: Sequence[tuple[int, ...]]) -> Solved:
    """Solve to proven optimality, or until the control says stop; `first` is a legal graph to start from."""
    rounder = Rounder(problem, candidates, first)
    model = _make_model(problem.control.seconds_left())
    # Costs, not scores: how much lower a set scores than the best of its child.
    variables = [model.addVar(vtype="B", obj=cost) for cost in rounder.cost]
    arrows = _add_choice(model, problem, rounder, variables)
    _add_packings(model, rounder, variables)

    def fill(solution: Any, chosen: Sequence[int]) -> None:
        for k in chosen:
            model.setSolVal(solution, variables[k], 1.0)
            for u in rounder.parents[k]:
                model.setSolVal(solution, arrows[u, rounder.child[k]], 1.0)

    def stop(running: Model) -> bool:
        best = candidates.ceiling - running.getPrimalbound()
        if problem.control.should_stop(int(running.getNNodes()), best):
            running.interruptSolve()
            return True
        return False

    acyclicity = Acyclicity(_list_columns(problem, rounder), variables, stop, problem.control.seconds_left)
    model.includeConshdlr(
        acyclicity, "acyclic", "cluster cuts", sepapriority=1000, enfopriority=-10, chckpriority=-10, sepafreq=1,
        needscons=False,
    )  # fmt: skip
    heuristic = Rounding(acyclicity, rounder.improve, fill)
    model.includeHeur(heuristic, "climbing", "round and climb", "Y", timingmask=SCIP_HEURTIMING.DURINGLPLOOP, freq=1)
    start = model.createSol()
    fill(start, rounder.best)
    model.addSol(start)
    model.optimize()
    return _read(model, rounder, variables)


def _make_model(seconds_left: float) -> Model:
    model = Model("exact")
    model.hideOutput()
    model.setParam("misc/catchctrlc", False)  # the control notices Ctrl-C
    model.setHeuristics(SCIP_PARAMSETTING.OFF)  # rounding.py does better on graphs
    model.setParam("conflict/enable", False)
    model.setParam("presolving/maxrestarts", 0)  # they would discard the cuts
    model.setParam("presolving/donotmultaggr", True)  # so that there are arrows to branch on
    model.setParam("branching/relpscost/sbiterquot", 0.1)  # strong branching cost more than it saved
    model.setParam("branching/relpscost/sbiterofs", 5000)
    model.setParam("limits/time", min(seconds_left, 1e9))
    return model


def _list_columns(problem: Problem, rounder: Rounder) -> Columns:
    virtual = range(problem.variables, problem.constraints.nodes)
    fixed = tuple((node, rounder.above[node]) for node in virtual)
    return Columns(problem.constraints.nodes, tuple(rounder.child), tuple(rounder.mask), fixed)


def _add_choice(model: Model, problem: Problem, rounder: Rounder, variables: Sequence[Any]) -> dict[Arc, Any]:
    """One parent set each; required edges once; no two variables the parents of each other. Returns the arrows."""
    using: dict[Arc, list[Any]] = {}
    of: list[list[Any]] = [[] for _ in range(problem.variables)]
    for k, (v, parents) in enumerate(zip(rounder.child, rounder.parents, strict=True)):
        of[v].append(variables[k])
        for u in parents:
            using.setdefault((u, v), []).append(variables[k])
    for mine in of:
        model.addCons(quicksum(mine) == 1)
    arrows = {}
    for arc in sorted(using):
        arrows[arc] = model.addVar(vtype="B")
        model.addCons(arrows[arc] == quicksum(using[arc]))
        # Branching on an arc splits the graphs more evenly than branching on a parent set.
        model.chgVarBranchPriority(arrows[arc], 10)
    for u, v in combinations(range(problem.variables), 2):
        both = [arrows[arc] for arc in ((u, v), (v, u)) if arc in arrows]
        if problem.constraints.hold[u, v] == EDGE:
            model.addCons(quicksum(both) == 1)
        elif len(both) == 2:
            model.addCons(quicksum(both) <= 1)
    return arrows


def _add_packings(model: Model, rounder: Rounder, variables: Sequence[Any]) -> None:
    """Of three or four variables at most one has all the others as parents."""
    holding: dict[tuple[int, ...], list[Any]] = {}
    for k, (v, parents) in enumerate(zip(rounder.child, rounder.parents, strict=True)):
        for size in (2, 3):
            for others in combinations(parents, size):
                holding.setdefault(tuple(sorted((v, *others))), []).append((v, variables[k]))
    for group in sorted(holding):
        if len({v for v, _ in holding[group]}) > 1:
            model.addCons(quicksum(variable for _, variable in holding[group]) <= 1)


def _read(model: Model, rounder: Rounder, variables: Sequence[Any]) -> Solved:
    found = [list(rounder.best)]
    best = model.getBestSol() if model.getNSols() else None
    if best is not None:
        found.append([k for k, variable in enumerate(variables) if model.getSolVal(best, variable) > 0.5])
    cost, chosen = min((math.fsum(rounder.cost[k] for k in chosen), chosen) for chosen in found)
    # No cost is negative, so 0 bounds them all until SCIP finds a better bound.
    gap = 0.0 if model.getStatus() == "optimal" else cost - max(0.0, model.getDualbound())
    parents = {rounder.child[k]: rounder.parents[k] for k in chosen}
    return Solved(tuple(parents[v] for v in range(len(parents))), gap if gap > PROVEN else 0.0)


class Rounder:
    """The columns that can improve on a known graph, and better graphs made from fractional solutions.

    A set that costs more than the known graph loses in all cannot be in a better one and gets no column.
    `best` are the columns of the best graph so far.
    """

    def __init__(self, problem: Problem, candidates: Candidates, first: Sequence[tuple[int, ...]]) -> None:
        self.problem, self.candidates = problem, candidates
        self.tops = [float(mine.scores.max()) for mine in candidates.of]
        known = [self._cover(v, set(parents)) for v, parents in enumerate(first)]
        budget = math.fsum(self._cost(v, k) for v, k in enumerate(known)) + 1e-6
        self.child: list[int] = []
        self.parents: list[tuple[int, ...]] = []
        self.cost: list[float] = []
        self._column: dict[tuple[int, int], int] = {}
        for v, mine in enumerate(candidates.of):
            for k in np.flatnonzero(self.tops[v] - mine.scores <= budget).tolist():
                self._column[v, k] = len(self.child)
                self.child.append(v)
                self.parents.append(mine.sets[k])
                self.cost.append(self._cost(v, k))
        self.best = [self._column[v, k] for v, k in enumerate(known)]
        constraints = problem.constraints
        self.above = [0] * constraints.nodes  # parents that never change: those of and among virtual nodes
        for a, b in constraints.virtual_arcs:
            self.above[b] |= 1 << a
        self.mask = [self.above[v] | sum(1 << u for u in s) for v, s in zip(self.child, self.parents, strict=True)]
        self._cheapest = sorted(range(len(self.cost)), key=lambda k: (self.cost[k], k))
        self._seen: set[tuple[tuple[int, int], ...]] = set()

    def improve(self, values: Sequence[float]) -> list[int] | None:
        """The columns of a better graph than the best so far; None where rounding finds none."""
        arcs = self._round(values)
        if arcs is None or arcs in self._seen:
            return None
        self._seen.add(arcs)
        problem = self.problem.starting(arcs)
        reached = climb(problem, problem.constraints.allowed, averaging=False).arcs
        sets = parents_of(problem.variables, reached)
        columns = [self._column.get((v, self._cover(v, set(mine)))) for v, mine in enumerate(sets)]
        chosen = [k for k in columns if k is not None]
        if len(chosen) < len(columns) or self._total(chosen) >= self._total(self.best) - problem.tolerance:
            return None
        self.best = chosen
        return chosen

    def _round(self, values: Sequence[float]) -> tuple[tuple[int, int], ...] | None:
        """Parent sets by their share, then by cost, each if it is legal with those before it."""
        graph = Legality(self.problem.constraints)
        used = sorted((k for k, x in enumerate(values) if x > 1e-6), key=lambda k: (-values[k], self.cost[k], k))
        arcs: list[tuple[int, int]] = []
        left = set(range(self.problem.variables))
        for k in (*used, *self._cheapest):
            v = self.child[k]
            if v in left and graph.may_add_parents(self.parents[k], v):
                left.discard(v)
                for u in self.parents[k]:
                    graph.add(u, v)
                    arcs.append((u, v))
                if not left:
                    break
        return None if left or graph.find_missing() is not None else tuple(sorted(arcs))

    def _total(self, chosen: Sequence[int]) -> float:
        return math.fsum(self.cost[k] for k in chosen)

    def _cost(self, v: int, k: int) -> float:
        return self.tops[v] - float(self.candidates.of[v].scores[k])

    def _cover(self, v: int, parents: set[int]) -> int:
        """The best candidate of v within these parents that has all of them that knowledge holds."""
        held = {u for u in parents if self.problem.constraints.hold[u, v]}
        mine = self.candidates.of[v]
        fitting = [k for k, s in enumerate(mine.sets) if parents.issuperset(s) and held.issubset(s)]
        return max(fitting, key=lambda k: (mine.scores[k], -k))
