"""Which variables a set that separates two others can need: those on paths between them that may be their ancestors.

Let S separate x and y in the true graph, whose edges are all in the skeleton, and let B be the variables on its paths
from x to y: their biconnected components. Then S without the variables outside B separates them too: a path that S
blocks at a non-collider is still blocked, because that variable is in B; a path that S blocks at a collider without
descendants in S stays blocked when S becomes smaller.

S needs to contain only ancestors of x and y. And where S separates x and y, and z, not in S, depends on both of them
given S, then z is not an ancestor of x, of y, or of any variable in S: otherwise the open paths from x to z and from z
to y would together make a path from x to y that S does not block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from mahc.algorithms.constraint_based.separations import Separations, unshielded_colliders
from mahc.graphs.bitset import members, to_bitset, transitive_closure, transpose
from mahc.graphs.walks import Check, never_stop
from mahc.independence import IndependenceOracle, Questions, independent


def find_biconnected_components(adjacent: Sequence[int], check: Check = never_stop) -> list[list[int]]:
    """For each variable its components, as bitsets; every edge is in exactly one component.

    `check` is called at each step of the walk.

    >>> find_biconnected_components([0b0110, 0b0101, 0b1011, 0b0100])
    [[7], [7], [12, 7], [12]]
    """
    found: list[list[int]] = [[] for _ in adjacent]
    for component in _components(adjacent, check):
        for v in members(component):
            found[v].append(component)
    return found


def _components(adjacent: Sequence[int], check: Check) -> Iterator[int]:
    # Hopcroft and Tarjan: `low[v]` is the earliest variable that one back edge from below v leads to.
    entered: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in range(len(adjacent)):
        if root in entered:
            continue
        entered[root] = low[root] = len(entered)
        walk = [(root, -1, members(adjacent[root]))]
        visited = [root]
        while walk:
            check()
            v, parent, neighbours = walk[-1]
            w = next(neighbours, None)
            if w is not None:
                if w not in entered:
                    entered[w] = low[w] = len(entered)
                    walk.append((w, v, members(adjacent[w])))
                    visited.append(w)
                elif w != parent:
                    low[v] = min(low[v], entered[w])
                continue
            walk.pop()
            if parent < 0:
                continue
            low[parent] = min(low[parent], low[v])
            if low[v] >= entered[parent]:
                start = visited.index(v)
                yield to_bitset(visited[start:]) | 1 << parent
                del visited[start:]


def find_non_ancestors(
    oracle: IndependenceOracle,
    alpha: float,
    adjacent: Sequence[int],
    separations: Separations,
    check: Check = never_stop,
) -> list[int] | None:
    """For each variable z, those that it is not an ancestor of, by unshielded colliders at z; None when stopped.

    Whether z depends on both ends given their separating set is tested here: it may have been tested with one only.

    >>> from mahc.algorithms.constraint_based.separations import Separation
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> find_non_ancestors(SeparationOracle(truth), 0.01, [4, 4, 3], {(0, 1): Separation(frozenset(), 0.0)})
    [0, 0, 3]
    """
    colliders = [
        (triple, found.given) for triple, found in unshielded_colliders(adjacent, separations, math.log(alpha), check)
    ]
    questions = ((end, (*sorted(given), z)) for (x, z, y), given in colliders for end in (x, y))
    log_p = oracle.log_p_values(Questions.of(questions))
    if log_p is None:
        return None
    dependent = ~independent(log_p, alpha)
    not_above = [0] * len(adjacent)
    for ((x, z, y), given), one, other in zip(colliders, dependent[::2], dependent[1::2], strict=True):
        if one and other:
            not_above[z] |= to_bitset((x, y, *given))
    return not_above


def possible_ancestors(adjacent: Sequence[int], not_above: Sequence[int], check: Check = never_stop) -> list[int]:
    """For each variable, itself and all others from which a directed path may lead to it.

    >>> possible_ancestors([0b010, 0b101, 0b010], [0, 0b001, 0])
    [1, 7, 7]
    """
    possible_children = [bits & ~not_above[v] for v, bits in enumerate(adjacent)]
    possible_parents = transpose(possible_children)
    found = []
    for v in range(len(possible_parents)):
        check()
        found.append(transitive_closure(1 << v, possible_parents))
    return found


def restrict_pools(
    pools: Sequence[int],
    components: Sequence[Sequence[int]],
    ancestors: Sequence[int],
    pending: Sequence[int],
    check: Check = never_stop,
) -> list[tuple[int, int, int]]:
    """For each x and the variables y to test it with, the part of its pool that may be needed to separate them.

    That is what is in their biconnected component and may be an ancestor of one of them. y stays in the pool, so that
    several y can share it; sets that contain y are not tested.

    >>> restrict_pools([0b1110, 0, 0, 0], [[0b0111], [], [], []], [0b0001, 0b0110, 0, 0], [0b0010, 0, 0, 0])
    [(0, 2, 6)]
    """
    found: dict[tuple[int, int], int] = {}
    for x, mine in enumerate(components):
        check()
        for component in mine:
            for y in members(pending[x] & component):
                pool = pools[x] & component & (ancestors[x] | ancestors[y])
                found[x, pool] = found.get((x, pool), 0) | 1 << y
    return [(x, bits, pool) for (x, pool), bits in found.items()]
