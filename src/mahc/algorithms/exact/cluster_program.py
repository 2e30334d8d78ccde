"""The most violated cluster, found by a separate small 0-1 program."""

from __future__ import annotations

from pyscipopt import Model, quicksum

from mahc.algorithms.exact.clusters import LEAST_VIOLATION, Weights, members

MOST_NODES = 40  # of the search tree: more are not worth their time; not a time limit, which would make results vary


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
