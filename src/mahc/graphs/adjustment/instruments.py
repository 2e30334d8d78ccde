"""Instruments of a DAG, given other variables (Brito and Pearl 2002).

z is an instrument for the effect of x on y given W if, with W and z no descendants of x and W ancestors of z or y,

    1   W leaves z and x connected
    2   W separates z and y in the graph without the first arcs of the causal paths from x to y

If some such W will do, so does the minimal separating set that is closest to y: it leaves most open to z (van der
Zander, Textor and Liśkiewicz 2015). A W of other variables could only make z an instrument by selecting rows by a
common effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from mahc.graphs.adjustment.separators import minimal_separators
from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.walks import MSeparation


def find_instruments(dag: MSeparation, rest: MSeparation, x: int, y: int, usable: int) -> Iterator[tuple[int, int]]:
    """Each instrument with a set W given which it is one; `rest` is the DAG without the first arcs of causal paths.

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
        given = next(minimal_separators(rest, y, z, usable & ~(1 << z)), None)  # the first is the closest to y
        if given is not None and rest.connected(1 << z, 1 << x, given):
            yield z, given
