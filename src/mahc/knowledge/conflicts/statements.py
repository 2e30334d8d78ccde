"""Knowledge as the single statements that the user made and could remove, and what they require together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mahc.knowledge.constraints import list_virtual_arcs
from mahc.knowledge.edge_orientation import Arc, find_unplaceable
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.knowledge.knowledge import Knowledge


class Kind(Enum):
    """What a statement is about; the value is its text."""

    REQUIRED_ARC = "required arc {0} -> {1}"
    REQUIRED_EDGE = "required edge {0} - {1}"
    FORBIDDEN_ARC = "forbidden arc {0} -> {1}"
    FORBIDDEN_EDGE = "forbidden edge {0} - {1}"
    IN_TIER = "{0} in tier {number}"
    STRICT_TIERS = "strict tiers"
    MAX_PARENTS = "at most {count} of {0} (max_parents)"
    SEARCH_IN_DEGREE = "at most {count} of any variable (search_in_degree)"


@dataclass(frozen=True)
class Statement:
    """One thing that must hold; `number` is a tier, counted from 1, or the largest number of parents.

    >>> str(Statement(Kind.FORBIDDEN_ARC, ("smoke", "lung")))
    'forbidden arc smoke -> lung'
    >>> str(Statement(Kind.MAX_PARENTS, ("lung",), 1))
    'at most 1 parent of lung (max_parents)'
    """

    kind: Kind
    variables: tuple[str, ...] = ()
    number: int = 0

    def __str__(self) -> str:
        parents = count(self.number, "parent")
        return self.kind.value.format(*self.variables, number=self.number, count=parents)


def list_statements(knowledge: Knowledge, search_in_degree: int) -> list[Statement]:
    """All statements that decide which graphs are legal, by kind and then by name."""
    pairs = [
        (Kind.REQUIRED_ARC, knowledge.required_arcs),
        (Kind.REQUIRED_EDGE, knowledge.required_edges),
        (Kind.FORBIDDEN_ARC, knowledge.forbidden_arcs),
        (Kind.FORBIDDEN_EDGE, knowledge.forbidden_edges),
    ]
    found = [Statement(kind, pair) for kind, group in pairs for pair in group]
    found += [Statement(Kind.IN_TIER, (name,), tier) for name, tier in knowledge.tier_of.items()]
    if knowledge.strict_tiers:
        found.append(Statement(Kind.STRICT_TIERS))
    found += [Statement(Kind.MAX_PARENTS, (name,), most) for name, most in knowledge.max_parents.items()]
    found.append(Statement(Kind.SEARCH_IN_DEGREE, (), search_in_degree))
    return found


def enumerate_statements(statements: Sequence[Statement]) -> str:
    """The statements as part of a sentence.

    >>> enumerate_statements([Statement(Kind.STRICT_TIERS), Statement(Kind.IN_TIER, ("age",), 1)])
    'strict tiers and age in tier 1'
    """
    words = [str(statement) for statement in statements]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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
