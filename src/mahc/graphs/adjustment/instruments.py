"""Instruments of a DAG, given other variables (Brito and Pearl 2002).

z is an instrument for the effect of x on y given W if, with W and z no descendants of x,

    1   W leaves z and x connected
    2   W separates z and y in the graph without the first arcs of the causal paths from x to y
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mahc.graphs.adjustment.separators import minimal_separators
from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.walks import MSeparation

TRIED = 100  # separating sets for each variable


def find_instruments(dag: MSeparation, rest: MSeparation, x: int, y: int, usable: int) -> Iterator[tuple[int, int]]:
    """Each instrument with the first set W, small ones first, given which it is one.

    `rest` is the DAG without the first arcs of the causal paths. W is a minimal separating set of z and y.

    >>> dag = MSeparation(parents=(0, 1, 2), children=(2, 4, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> rest = MSeparation(parents=(0, 1, 0), children=(2, 0, 0), spouses=(0, 0, 0), lines=(0, 0, 0))
    >>> list(find_instruments(dag, rest, 1, 2, 0b001))
    [(0, 0)]
    """
    below = transitive_closure(1 << x, dag.children)
    if not below >> y & 1:
        return
    usable &= ~below
    for z in members(usable):
        for given in islice(minimal_separators(rest, z, y, usable & ~(1 << z)), TRIED):
            if rest.connected(1 << z, 1 << x, given):
                yield z, given
                break
