"""Front-door sets of a DAG (Pearl 1995): an effect through what the cause changes, where confounders are hidden.

Z is a front-door set of x and y if

    1   every directed path from x to y passes through Z
    2   no path that begins with an arrow into x is open between x and Z
    3   x blocks every path between Z and y that begins with an arrow into Z

Among usable variables there is a largest set with 2 and 3 (Jeong, Tian and Bareinboim 2022), and if it lacks 1, so do
all others. Whether usable variables hold a front-door set is therefore quickly known, and leaving out one variable
after another finds a minimal one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.graphs.walks import MSeparation

TRIES = 50  # sets of variables in which a minimal set is looked for


def front_door_sets(dag: MSeparation, x: int, y: int, usable: int) -> Iterator[int]:
    """Minimal front-door sets among the usable variables, as bitsets; none where y does not follow x.

    >>> chain = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> list(front_door_sets(chain, 0, 2, 0b010))
    [2]
    """
    if not transitive_closure(1 << x, dag.children) >> y & 1:
        return
    reached = _without_arcs(dag, 1 << x).reached(1 << x, 0)  # by paths that begin with an arrow into x
    yield from minimal_members(lambda group: _holds_one(dag, x, y, group), usable & ~reached & ~(1 << x) & ~(1 << y))


def minimal_members(holds: Callable[[int], bool], universe: int) -> Iterator[int]:
    """Minimal sets for which `holds`, which holds for every set that contains one of them; all if they are few.

    >>> [bin(found) for found in minimal_members(lambda group: bool(group & 1) or group & 6 == 6, 0b111)]
    ['0b110', '0b1']
    """
    if not holds(universe):
        return
    waiting, tried, found = [universe], {universe}, set()
    while waiting and len(tried) < TRIES:
        left = waiting.pop(0)
        smallest = _shrink(holds, left)
        if smallest not in found:
            found.add(smallest)
            yield smallest
        for v in members(smallest):  # every other minimal set lacks one of its variables
            rest = left & ~(1 << v)
            if rest not in tried and holds(rest):
                tried.add(rest)
                waiting.append(rest)


def _shrink(holds: Callable[[int], bool], group: int) -> int:
    """A minimal part for which `holds`: tries to leave out halves, then halves of these, at last single variables."""
    blocks = [list(members(group))]
    while blocks:
        block = blocks.pop()
        without = group & ~to_bitset(block)
        if holds(without):
            group = without
        elif len(block) > 1:
            middle = len(block) // 2
            blocks += [block[middle:], block[:middle]]
    return group


def _holds_one(dag: MSeparation, x: int, y: int, group: int) -> bool:
    while True:
        cut = _without_arcs(dag, group)
        connected = group & cut.reached(1 << y, 1 << x)
        if not connected:
            break
        group &= ~connected  # no smaller set separates these from y: it removes fewer arcs
    kept = [mine & ~group for mine in dag.children]
    return not transitive_closure(1 << x, kept) >> y & 1


def _without_arcs(dag: MSeparation, group: int) -> MSeparation:
    """The DAG without the arcs out of a group."""
    children = tuple(0 if group >> v & 1 else mine for v, mine in enumerate(dag.children))
    return MSeparation(tuple(mine & ~group for mine in dag.parents), children, dag.spouses, dag.lines)
