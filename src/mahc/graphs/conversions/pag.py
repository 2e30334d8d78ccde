"""MAG -> PAG: the marks that every equivalent MAG shares; PAG -> MAG: a member of the class."""

from __future__ import annotations

from collections.abc import Iterable

from mahc.errors import GraphError
from mahc.graphs.bitset import members, pack
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.mag import check_mag, dag_to_mag
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import close_pag
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import by_name


def mag_to_pag(mag: MixedGraph) -> MixedGraph:
    """The PAG of a MAG: a circle wherever two equivalent MAGs differ.

    >>> mag_to_pag(MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("c", "-->", "b")])).edges
    (Edge(left='a', mark='o->', right='b'), Edge(left='c', mark='o->', right='b'))
    """
    check_mag(mag)
    state = PagMarks(pack(mag.marks > 0))
    arrows = pack((mag.marks == Mark.ARROW).T)
    for v, into in enumerate(arrows):  # R0: colliders whose ends are not adjacent
        for a in members(into):
            if state.apart(a, into):
                state.put(a, v, Mark.ARROW)
    close_pag(state, lambda start, middle, end: bool(mag.marks[end, middle] == Mark.TAIL))
    return MixedGraph.from_marks(mag.names, state.matrix())


def dag_to_pag(dag: DAG, latent: str | Iterable[str] = ()) -> MixedGraph:
    """The PAG that data without the latent variables can at best reveal of a DAG."""
    return mag_to_pag(dag_to_mag(dag, latent))


def pag_to_mag(pag: MixedGraph, strict: bool = True) -> MixedGraph:
    """A MAG of the class: `o->` and `--o` become arcs, the `o-o` edges a DAG without new colliders.

    A PAG learnt from data may stand for no class at all: then `strict` refuses it, and `strict=False` returns
    the graph made in the same way as long as that is a MAG.

    >>> pag_to_mag(MixedGraph(["a", "b"], [("a", "o-o", "b")])).edges
    (Edge(left='a', mark='-->', right='b'),)
    """
    circles = pag.where(Mark.CIRCLE, Mark.CIRCLE)
    nothing = [0] * len(pag.names)
    parents = extend(circles, nothing, nothing, by_name(pag.names))
    if parents is None:
        raise GraphError("the 'o-o' edges hold a cycle without a chord: no MAG belongs to this PAG")
    marks = pag.marks.copy()
    circle, other = pag.marks == Mark.CIRCLE, pag.marks.T
    marks[circle & (other == Mark.ARROW)] = Mark.TAIL
    marks[circle & (other == Mark.TAIL)] = Mark.ARROW
    for v, bits in enumerate(parents):
        for parent in members(bits):
            marks[parent, v], marks[v, parent] = Mark.ARROW, Mark.TAIL
    mag = MixedGraph.from_marks(pag.names, marks)
    check_mag(mag)
    if strict and mag_to_pag(mag) != pag:
        raise GraphError("no MAG belongs to this PAG: its marks are not those that one class of MAGs shares")
    return mag
