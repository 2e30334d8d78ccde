"""What makes a move illegal, in a word for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mahc.graphs.bitset import members
from mahc.graphs.names import rank_by_name
from mahc.graphs.walks import find_path
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.knowledge.legality import Legality


class ObstacleKind(Enum):
    """What makes a move illegal; where several do, the first of this list is reported."""

    PRESENT = "present"  # the arc to add is in the graph already
    ABSENT = "absent"  # the arc to remove or reverse is not in the graph
    REQUIRED = "required"  # the arc is required
    REQUIRED_EDGE = "required_edge"  # the edge is required, in either direction
    FORBIDDEN = "forbidden"  # knowledge forbids the arc
    CYCLE = "cycle"
    TIERS = "tiers"  # a path would lead from a later tier to an earlier one
    IN_DEGREE = "in_degree"  # the child has as many parents as it may have


@dataclass(frozen=True)
class Obstacle:
    """Why a move is illegal: the kind, the words, and the path where a cycle or a tier is the reason."""

    kind: ObstacleKind
    text: str
    path: tuple[int, ...] = ()


def explain_presence(graph: Legality, kind: ObstacleKind, u: int, v: int) -> Obstacle:
    """Why u -> v cannot be removed or reversed as it is: it is not there, or it is required."""
    arc = _spell(graph, (u, v))
    if kind is ObstacleKind.ABSENT:
        return Obstacle(kind, f"{arc} is not in the graph")
    return Obstacle(kind, graph.constraints.reason(u, v) or f"{arc} must stay")


def explain_addition(graph: Legality, kind: ObstacleKind, u: int, v: int) -> Obstacle:
    """Why u -> v cannot be added."""
    if kind is ObstacleKind.PRESENT:
        return Obstacle(kind, f"{_spell(graph, (u, v))} is already in the graph")
    if kind is ObstacleKind.CYCLE:
        path = _find_path(graph, v, u)
        return Obstacle(kind, f"it would close a cycle with {_spell(graph, path)}", path)
    if kind is ObstacleKind.TIERS:
        return _explain_tiers(graph, u, v)
    if kind is ObstacleKind.IN_DEGREE:
        parents = count(graph.parents[v].bit_count(), "parent")
        return Obstacle(kind, f"{graph.constraints.names[v]} already has {parents}, the most allowed")
    if u == v:
        return Obstacle(kind, "no variable is its own parent")
    return Obstacle(kind, graph.constraints.reason(u, v) or f"{_spell(graph, (u, v))} is not allowed")


def _explain_tiers(graph: Legality, u: int, v: int) -> Obstacle:
    """The path from the latest tier above u to the earliest tier below v that u -> v would complete."""
    names, tiers = graph.constraints.names, graph.constraints.tier_order.tiers
    rank = rank_by_name(names)
    above = [w for w in members(graph.ancestors(u)) if tiers[w]]
    below = [w for w in members(graph.descendants(v)) if tiers[w]]
    first = min(above, key=lambda w: (-tiers[w], rank[w]))
    last = min(below, key=lambda w: (tiers[w], rank[w]))
    path = (*_find_path(graph, first, u), *_find_path(graph, v, last))
    text = (
        f"tiers: it would lead from {names[first]} (tier {tiers[first]}) to {names[last]} (tier {tiers[last]}), "
        f"{_spell(graph, path)}"
    )
    return Obstacle(ObstacleKind.TIERS, text, path)


def _find_path(graph: Legality, start: int, goal: int) -> tuple[int, ...]:
    """A shortest path; names, not the order of the variables, decide between several."""
    rank = rank_by_name(graph.constraints.names)
    parents = [sorted(members(bits), key=rank.__getitem__) for bits in graph.parents]
    return tuple(find_path(parents, start, goal) or [start])


def _spell(graph: Legality, path: Sequence[int]) -> str:
    return " -> ".join(graph.constraints.names[v] for v in path)
