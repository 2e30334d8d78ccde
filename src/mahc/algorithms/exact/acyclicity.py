"""Acyclicity inside SCIP: cluster cuts for fractional and whole solutions, and graphs made from fractional ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyscipopt import SCIP_RESULT, Model, quicksum
from pyscipopt.scip import Conshdlr, Heur

from mahc.algorithms.exact.clusters import (
    LEAST_VIOLATION,
    Weights,
    find_cyclic_parts,
    find_short_cycles,
    grow_clusters,
    members,
)

MOST_CUTS = 60  # of one round
Result = dict[str, Any]
MOST_NODES = 40  # of the search tree: more are not worth their time; not a time limit, which would make results vary


@dataclass(frozen=True)
class Columns:
    """The 0-1 variables: column k gives `child[k]` the parents in `mask[k]`, virtual ones included.

    Virtual nodes, which represent the tiers, have parents that never change: `fixed`, as (node, mask).
    """

    nodes: int
    child: tuple[int, ...]
    mask: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...]

    def weigh(self, values: Sequence[float]) -> Weights:
        """A solution with its virtual nodes, without values close to 0 and empty parent sets."""
        used = [(v, mask, x) for v, mask, x in zip(self.child, self.mask, values, strict=True) if x > 1e-6 and mask]
        used += [(node, mask, 1.0) for node, mask in self.fixed if mask]
        child, masks, weights = zip(*used, strict=True) if used else ((), (), ())
        return Weights(self.nodes, child, masks, weights)

    def cut(self, cluster: int) -> tuple[list[int], int]:
        """The columns that give a member of the cluster a parent inside it, and how many of them may be chosen."""
        hit = [
            k
            for k, (v, mask) in enumerate(zip(self.child, self.mask, strict=True))
            if cluster >> v & 1 and mask & cluster
        ]
        spent = sum(1 for node, mask in self.fixed if cluster >> node & 1 and mask & cluster)
        return hit, cluster.bit_count() - 1 - spent


class Acyclicity(Conshdlr):
    """Restricts SCIP to acyclic graphs; `stop` is called often and ends the solving when it returns True."""

    def __init__(
        self,
        columns: Columns,
        variables: Sequence[Any],
        stop: Callable[[Model], bool],
        seconds_left: Callable[[], float],
    ) -> None:
        super().__init__()
        self.seconds_left = seconds_left
        self.columns = columns
        self.variables = variables
        self.stop = stop

    def values(self, solution: Any) -> list[float]:
        """The value of every column in a solution, or in that of the linear relaxation."""
        return [self.model.getSolVal(solution, variable) for variable in self.variables]

    def conscheck(self, constraints: Any, solution: Any, *_: Any) -> Result:
        """Is a whole solution acyclic?"""
        cyclic = bool(self._cyclic_parts(solution))
        return {"result": SCIP_RESULT.INFEASIBLE if cyclic else SCIP_RESULT.FEASIBLE}

    def consenfolp(self, *_: Any) -> Result:
        """Cut off a whole solution of the relaxation that is cyclic."""
        parts = self._cyclic_parts(None)
        if not parts:
            return {"result": SCIP_RESULT.FEASIBLE}
        return {"result": self._add(parts)}

    def consenfops(self, *_: Any) -> Result:
        """Refuse a cyclic solution where there is no relaxation."""
        return {"result": SCIP_RESULT.INFEASIBLE if self._cyclic_parts(None) else SCIP_RESULT.FEASIBLE}

    def conssepalp(self, *_: Any) -> Result:
        """Cut off a fractional solution: short cycles, then grown clusters, then the search for the worst one."""
        if self.stop(self.model):
            return {"result": SCIP_RESULT.DIDNOTRUN}
        weights = self.columns.weigh(self.values(None))
        found = find_short_cycles(weights) or grow_clusters(weights)
        if not found and self.model.getDepth() == 0:
            found = search_clusters(weights, self.seconds_left())  # slow: at the root only
        if not found:
            return {"result": SCIP_RESULT.DIDNOTFIND}
        found.sort(key=lambda cluster: (-weights.violation(cluster), cluster))
        return {"result": self._add(found[:MOST_CUTS])}

    def conslock(self, constraint: Any, locktype: Any, nlockspos: int, nlocksneg: int) -> None:
        """More parents can break acyclicity; fewer cannot."""
        for variable in self.variables:
            self.model.addVarLocksType(variable, locktype, nlocksneg, nlockspos)

    def _cyclic_parts(self, solution: Any) -> list[int]:
        parents = [0] * self.columns.nodes
        for k, x in enumerate(self.values(solution)):
            if x > 0.5:
                parents[self.columns.child[k]] = self.columns.mask[k]
        for node, mask in self.columns.fixed:
            parents[node] = mask
        return find_cyclic_parts(self.columns.nodes, parents)

    def _add(self, clusters: Sequence[int]) -> Any:
        result = SCIP_RESULT.SEPARATED
        for cluster in clusters:
            hit, most = self.columns.cut(cluster)
            row = self.model.createEmptyRowUnspec("cluster", lhs=None, rhs=float(most), local=False)
            self.model.cacheRowExtensions(row)
            for k in hit:
                self.model.addVarToRow(row, self.model.getTransformedVar(self.variables[k]), 1.0)
            self.model.flushRowExtensions(row)
            if self.model.addCut(row, forcecut=True):
                result = SCIP_RESULT.CUTOFF
            self.model.releaseRow(row)
        return result


class Rounding(Heur):
    """Offers SCIP the graphs that `improve` makes of a fractional solution; `fill` writes columns into a solution."""

    def __init__(
        self,
        acyclicity: Acyclicity,
        improve: Callable[[Sequence[float]], Sequence[int] | None],
        fill: Callable[[Any, Sequence[int]], None],
    ) -> None:
        super().__init__()
        self.acyclicity = acyclicity
        self.improve = improve
        self.fill = fill

    def heurexec(self, heurtiming: Any, nodeinfeasible: Any) -> Result:
        """Round, climb, offer."""
        chosen = self.improve(self.acyclicity.values(None))
        if chosen is None:
            return {"result": SCIP_RESULT.DIDNOTFIND}
        solution = self.model.createSol(self)
        self.fill(solution, chosen)
        accepted = self.model.trySol(solution)
        return {"result": SCIP_RESULT.FOUNDSOL if accepted else SCIP_RESULT.DIDNOTFIND}


def search_clusters(weights: Weights, seconds: float) -> list[int]:
    """Violated clusters: at least one if there is any, unless the search reaches its limit."""
    model = Model("cluster")
    model.hideOutput()
    model.setParam("misc/catchctrlc", False)
    model.setParam("limits/nodes", MOST_NODES)
    model.setParam("limits/time", min(seconds, 1e9))
    model.setParam("limits/solutions", 20)
    inside = [model.addVar(vtype="B", obj=-1.0) for _ in range(weights.nodes)]
    for v, mask, x in zip(weights.child, weights.mask, weights.value, strict=True):
        hit = model.addVar(vtype="C", lb=0.0, ub=1.0, obj=x)
        model.addCons(hit <= inside[v])
        model.addCons(hit <= quicksum(inside[u] for u in members(mask)))
    model.addCons(quicksum(inside) >= 2)
    model.setMaximize()
    model.setObjlimit(LEAST_VIOLATION - 1.0)
    model.optimize()
    found = set()
    for solution in model.getSols():
        cluster = sum(1 << v for v, chosen in enumerate(inside) if model.getSolVal(solution, chosen) > 0.5)
        if weights.violation(cluster) > LEAST_VIOLATION:
            found.add(cluster)
    return sorted(found)
