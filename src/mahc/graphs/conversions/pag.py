"""MAG -> PAG: the marks that all equivalent MAGs share; PAG -> MAG: a member of the equivalence class."""

from __future__ import annotations

from collections.abc import Iterable

from mahc.errors import GraphError
from mahc.graphs.bitset import members, pack
from mahc.graphs.conversions.extension import extend
from mahc.graphs.conversions.mag import check_mag, check_mag_with, dag_to_mag
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import rank_by_name
from mahc.graphs.taking import take_directed
from mahc.graphs.walks import Check, never_stop


def mag_to_pag(mag: MixedGraph) -> MixedGraph:
    """Convert a MAG to its PAG, which has a circle wherever two equivalent MAGs differ.

    Parameters
    ----------
    mag : MixedGraph
        The MAG.

    Returns
    -------
    MixedGraph
        The PAG.

    Raises
    ------
    GraphError
        If the graph is not a MAG.

    Examples
    --------
    >>> mag_to_pag(MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("c", "-->", "b")])).edges
    (Edge(left='a', mark='o->', right='b'), Edge(left='c', mark='o->', right='b'))
    """
    check_mag(mag)
    state = PagMarks(pack(mag.marks > 0))
    arrows = pack((mag.marks == Mark.ARROW).T)
    for v, into in enumerate(arrows):  # R0: unshielded colliders
        for a in members(into):
            if state.nonadjacent(a, into):
                state.set_mark(a, v, Mark.ARROW)
    apply_zhang_rules(state, lambda start, middle, end: bool(mag.marks[end, middle] == Mark.TAIL))
    return MixedGraph.from_marks(mag.names, state.matrix())


def dag_to_pag(dag: DAG, latent: str | Iterable[str] = ()) -> MixedGraph:
    """Convert a DAG with latent variables to its PAG: what data on the observed variables can identify.

    Parameters
    ----------
    dag : DAG
        The graph.
    latent : str or iterable of str
        The latent variables.

    Returns
    -------
    MixedGraph
        The PAG over the observed variables.

    Raises
    ------
    GraphError
        If a latent variable is not in the DAG.

    Examples
    --------
    >>> dag_to_pag(DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])).edges
    (Edge(left='a', mark='o->', right='c'), Edge(left='b', mark='o->', right='c'))
    """
    dag = take_directed(dag)
    return mag_to_pag(dag_to_mag(dag, latent))


def pag_to_mag(pag: MixedGraph, strict: bool = True) -> MixedGraph:
    """Find a MAG of the equivalence class: `o->` and `--o` become arcs, `o-o` edges a DAG without new colliders.

    A PAG learned from data may represent no class of MAGs.

    Parameters
    ----------
    pag : MixedGraph
        The PAG.
    strict : bool
        Whether such a PAG is refused. Otherwise the graph that the same steps give is returned if it is a MAG.

    Returns
    -------
    MixedGraph
        The MAG.

    Raises
    ------
    GraphError
        If there is none.

    Examples
    --------
    >>> pag_to_mag(MixedGraph(["a", "b"], [("a", "o-o", "b")])).edges
    (Edge(left='a', mark='-->', right='b'),)
    """
    mag = find_mag(pag)
    if strict and mag_to_pag(mag) != pag:
        raise GraphError("no MAG belongs to this PAG: its marks are not shared by any class of MAGs")
    return mag


def find_mag(pag: MixedGraph, check: Check = never_stop) -> MixedGraph:
    """`pag_to_mag` that is not strict; `check` is called in each round."""
    circles = pag.where(Mark.CIRCLE, Mark.CIRCLE)
    nothing = [0] * len(pag.names)
    parents = extend(circles, nothing, nothing, rank_by_name(pag.names), check=check)
    if parents is None:
        raise GraphError("the 'o-o' edges contain a cycle without a chord: no MAG belongs to this PAG")
    marks = pag.marks.copy()
    circle, other = pag.marks == Mark.CIRCLE, pag.marks.T
    marks[circle & (other == Mark.ARROW)] = Mark.TAIL
    marks[circle & (other == Mark.TAIL)] = Mark.ARROW
    for v, bitset in enumerate(parents):
        for parent in members(bitset):
            marks[parent, v], marks[v, parent] = Mark.ARROW, Mark.TAIL
    mag = MixedGraph.from_marks(pag.names, marks)
    check_mag_with(mag, check)
    return mag
