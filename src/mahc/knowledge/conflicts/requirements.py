"""What a set of statements requires of a graph: arcs, edges, in-degrees, an order of tiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mahc.knowledge.conflicts.statements import Kind, Statement
from mahc.knowledge.edge_orientation import Arc, find_unplaceable
from mahc.knowledge.virtual_arcs import list_virtual_arcs


@dataclass(frozen=True)
class Requirements:
    """Arcs and edges (u < v) that must exist, the in-degree limit of each variable, the tiers as virtual arcs.

    A required edge with one direction forbidden, by a statement or by the tiers, is an arc here; an arc that is both
    forbidden and required is a cycle of two arcs. Edges whose direction follows only from longer paths or from
    in-degrees are still edges.
    """

    limit: tuple[int, ...]
    arcs: frozenset[Arc]
    edges: frozenset[Arc]
    virtual_arcs: tuple[Arc, ...]

    def unplaceable(self, turned: Arc | None = None) -> list[int]:
        """The variables that keep any legal graph from existing, with one edge turned as asked; none: there is one."""
        arcs, edges = self.arcs, self.edges
        if turned is not None:
            arcs, edges = arcs | {turned}, edges - {turned, turned[::-1]}
        nodes = find_unplaceable(self.limit, arcs, edges, self.virtual_arcs)
        return [v for v in nodes if v < len(self.limit)]


def collect_requirements(statements: Iterable[Statement], positions: Mapping[str, int]) -> Requirements:
    """What these statements require of the variables numbered by `positions`."""
    required: set[Arc] = set()
    adjacent: set[Arc] = set()
    forbidden: set[Arc] = set()
    tiers: dict[int, int] = {}
    strict = False
    limit = [len(positions)] * len(positions)
    for statement in statements:
        kind = statement.kind
        at = tuple(positions[name] for name in statement.variables)
        if kind is Kind.IN_TIER:
            tiers[at[0]] = statement.number
        elif kind is Kind.STRICT_TIERS:
            strict = True
        elif kind is Kind.MAX_PARENTS:
            limit[at[0]] = min(limit[at[0]], statement.number)
        elif kind is Kind.SEARCH_IN_DEGREE:
            limit = [min(most, statement.number) for most in limit]
        elif kind is Kind.FORBIDDEN_ARC:
            forbidden.add((at[0], at[1]))
        elif kind is Kind.FORBIDDEN_EDGE:
            forbidden |= {(at[0], at[1]), (at[1], at[0])}
        else:
            adjacent.add((min(at), max(at)))
            if kind is Kind.REQUIRED_ARC:
                required.add((at[0], at[1]))
    for u, v in adjacent:
        if u in tiers and v in tiers and (strict or tiers[u] != tiers[v]):
            forbidden |= {(a, b) for a, b in ((u, v), (v, u)) if tiers[a] >= tiers[b]}
    arcs = required | {(v, u) for u, v in forbidden if (min(u, v), max(u, v)) in adjacent}
    edges = {(u, v) for u, v in adjacent if (u, v) not in arcs and (v, u) not in arcs}
    # A variable without required arcs or edges is on no required path: its tier does not matter.
    joined = {v for pair in adjacent for v in pair}
    virtual, _ = list_virtual_arcs({v: tier for v, tier in tiers.items() if v in joined}, len(positions))
    return Requirements(tuple(limit), frozenset(arcs), frozenset(edges), virtual)
