"""The tiers as arcs on extra nodes, so that one check for cycles covers acyclicity and tiers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

Arc = tuple[int, int]


def list_virtual_arcs(tiers: Mapping[int, int], variables: int) -> tuple[tuple[Arc, ...], int]:
    """Virtual arcs for the tiers of some of the variables 0..n-1, and the number of nodes with the virtual ones.

    A graph has a cycle with these arcs exactly if it has a cycle without them or a path from a later tier to an
    earlier one. Between two tiers there is one virtual node: every variable of the earlier tier points to it, and it
    points to every variable of the later tier and to the next virtual node.

    >>> list_virtual_arcs({0: 1, 2: 5}, 3)
    (((0, 3), (3, 2)), 4)
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for v in sorted(tiers):
        members[tiers[v]].append(v)
    levels = [members[tier] for tier in sorted(members)]
    arcs: list[Arc] = []
    for step, (earlier, later) in enumerate(pairwise(levels)):
        between = variables + step
        arcs += [(v, between) for v in earlier]
        arcs += [(between, v) for v in later]
        if step + 2 < len(levels):
            arcs.append((between, between + 1))
    return tuple(arcs), variables + max(0, len(levels) - 1)
