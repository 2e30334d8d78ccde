"""Who may be an ancestor of whom, as far as separations tell.

What separates two variables need hold only ancestors of them. And where S separates x and y while z, not in S,
depends on both of them given S, z is no ancestor of x, of y, or of anything in S: else the ways from x to z and from z
to y would join to a way from x to y that S leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence

from mahc.algorithms.constraint_based.separations import Separations, meeting_points
from mahc.graphs.bitset import members, to_bitset, transitive_closure, transpose
from mahc.independence import IndependenceOracle, Questions, independent


def rule_out_ancestors(
    oracle: IndependenceOracle,
    alpha: float,
    adjacent: Sequence[int],
    separations: Separations,
) -> list[int] | None:
    """For each variable those that it is no ancestor of, by where unmarried neighbours meet; None when stopped.

    That a neighbour depends on both given their set is asked again: the set may have been drawn beside one of them.

    >>> from mahc.algorithms.constraint_based.separations import Separation
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> rule_out_ancestors(SeparationOracle(truth), 0.01, [4, 4, 3], {(0, 1): Separation(frozenset(), 0.0)})
    [0, 0, 3]
    """
    met = [(place, found.given) for place, found in meeting_points(adjacent, separations)]
    asked = ((end, (*sorted(given), z)) for (x, z, y), given in met for end in (x, y))
    log_p = oracle.log_p_values(Questions.of(asked))
    if log_p is None:
        return None
    joined = ~independent(log_p, alpha)
    denied = [0] * len(adjacent)
    for ((x, z, y), given), one, other in zip(met, joined[::2], joined[1::2], strict=True):
        if one and other:
            denied[z] |= to_bitset((x, y, *given))
    return denied


def possible_ancestors(adjacent: Sequence[int], denied: Sequence[int]) -> list[int]:
    """For each variable itself and all from which a path may lead to it, each next to what it is not denied.

    >>> possible_ancestors([0b010, 0b101, 0b010], [0, 0b001, 0])
    [1, 7, 7]
    """
    ahead = [bits & ~denied[v] for v, bits in enumerate(adjacent)]
    back = transpose(ahead)
    return [transitive_closure(1 << v, back) for v in range(len(back))]


def needed_pools(
    pools: Sequence[int], blocks: Sequence[Sequence[int]], above: Sequence[int], ask: Sequence[int]
) -> list[tuple[int, int, int]]:
    """For each x and what it is to be asked about, what of its pool may be needed: in their block, above one of them.

    >>> needed_pools([0b1110, 0, 0, 0], [[0b0111], [], [], []], [0b0001, 0b0110, 0, 0], [0b0010, 0, 0, 0])
    [(0, 2, 4)]
    """
    found: dict[tuple[int, int], int] = {}
    for x, mine in enumerate(blocks):
        for block in mine:
            for y in members(ask[x] & block):
                pool = pools[x] & block & (above[x] | above[y]) & ~(1 << y)
                found[x, pool] = found.get((x, pool), 0) | 1 << y
    return [(x, bits, pool) for (x, pool), bits in found.items()]
