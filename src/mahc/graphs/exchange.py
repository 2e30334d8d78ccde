"""Graphs as other programs hold them: matrices of pcalg and causal-learn, DAGitty code, bnlearn model strings.

ours           marks[i, j] is the mark at j: 1 tail, 2 arrow, 3 circle
amat.cpdag     1 at [i, j] means an arrow at i, and 1 at both places an undirected edge
amat.pag       the mark at j: 1 circle, 2 arrow, 3 tail
causal-learn   the mark at i: -1 tail, 1 arrow, 2 circle
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs.dag import DAG
from mahc.graphs.files.dagitty import Dagitty
from mahc.graphs.files.graph_format import Graph
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import as_group, check_names
from mahc.graphs.taking import take_graph

_MODEL_MARKS = frozenset("[]|:")
PCALG = ("cpdag", "pag")
_PAG = {Mark.CIRCLE: 1, Mark.ARROW: 2, Mark.TAIL: 3}
_CAUSAL_LEARN = {Mark.TAIL: -1, Mark.ARROW: 1, Mark.CIRCLE: 2}
Matrix = NDArray[np.int64]


def to_pcalg(graph: DAG | MixedGraph, kind: str | None = None) -> Matrix:
    """Return the matrix of a graph in the R package pcalg.

    Parameters
    ----------
    graph : DAG, MixedGraph or Learned
        The graph.
    kind : str, optional
        "cpdag" for `amat.cpdag` (DAGs and CPDAGs) or "pag" for `amat.pag` (MAGs and PAGs); by default "pag" where the
        graph has circles or two-headed edges.

    Returns
    -------
    array of int
        The matrix, in the order of `names`.

    Raises
    ------
    MahcError
        If the graph has marks that `amat.cpdag` cannot hold.

    Examples
    --------
    >>> to_pcalg(DAG(["a", "b"], [("a", "b")])).tolist()
    [[0, 0], [1, 0]]
    >>> to_pcalg(MixedGraph(["a", "b"], [("a", "o->", "b")])).tolist()
    [[0, 2], [1, 0]]
    """
    mixed = _mixed(graph)
    odd = next((edge for edge in mixed.edges if edge.mark not in ("-->", "---")), None)
    chosen = kind if kind is not None else "cpdag" if odd is None else "pag"
    _check_kind(chosen)
    if chosen == "pag":
        return _translate(mixed.marks, _PAG)
    if odd is not None:
        raise GraphError(f"the edge {' '.join(odd)} is not one of a CPDAG: give the kind 'pag'")
    arrow_at_row = (mixed.marks.T == Mark.ARROW) | ((mixed.marks == Mark.TAIL) & (mixed.marks.T == Mark.TAIL))
    matrix: Matrix = arrow_at_row.astype(np.int64)
    return matrix


def from_pcalg(names: Iterable[str], matrix: ArrayLike, kind: str) -> MixedGraph:
    """Return the graph of a matrix of the R package pcalg.

    Parameters
    ----------
    names : list of str
        The variables.
    matrix : array of int
        The matrix.
    kind : str
        "cpdag" for `amat.cpdag`, "pag" for `amat.pag`: the same numbers mean different edges.

    Returns
    -------
    MixedGraph
        The graph.

    Raises
    ------
    MahcError
        If the matrix is not of that kind.

    Examples
    --------
    >>> from_pcalg(["a", "b"], [[0, 0], [1, 0]], "cpdag")
    MixedGraph(2 variables, 1 edge: a --> b)
    >>> from_pcalg(["a", "b"], [[0, 2], [1, 0]], "pag")
    MixedGraph(2 variables, 1 edge: a o-> b)
    """
    _check_kind(kind)
    checked, array = _square(names, matrix)
    if kind == "pag":
        return MixedGraph.from_marks(checked, _back(array, _PAG, "0, 1, 2 and 3"))
    if not bool(np.isin(array, (0, 1)).all()):
        raise GraphError("amat.cpdag may hold only 0 and 1: give the kind 'pag' for amat.pag")
    arrow = array.astype(bool)
    marks = np.zeros(array.shape, np.int8)
    marks[arrow | arrow.T] = Mark.TAIL
    marks[arrow.T & ~arrow] = Mark.ARROW
    return MixedGraph.from_marks(checked, marks)


def to_causal_learn(graph: DAG | MixedGraph) -> Matrix:
    """Return the matrix of a graph in causal-learn, as `GeneralGraph.graph` holds it.

    Parameters
    ----------
    graph : DAG, MixedGraph or Learned
        The graph.

    Returns
    -------
    array of int
        The matrix, in the order of `names`.

    Examples
    --------
    >>> to_causal_learn(DAG(["a", "b"], [("a", "b")])).tolist()
    [[0, -1], [1, 0]]
    """
    return _translate(_mixed(graph).marks.T, _CAUSAL_LEARN)


def from_causal_learn(graph: Any, names: Iterable[str] | None = None) -> MixedGraph:
    """Return the graph of causal-learn.

    Parameters
    ----------
    graph : GeneralGraph, CausalGraph or array of int
        A graph of causal-learn, or its matrix.
    names : list of str, optional
        The variables; those of the graph if left out.

    Returns
    -------
    MixedGraph
        The graph.

    Raises
    ------
    MahcError
        If the matrix holds other numbers, or names are lacking.

    Examples
    --------
    >>> from_causal_learn([[0, -1], [1, 0]], ["a", "b"])
    MixedGraph(2 variables, 1 edge: a --> b)
    """
    held = getattr(graph, "G", graph)  # a CausalGraph holds a GeneralGraph
    nodes = getattr(held, "get_node_names", None)
    if names is None and nodes is None:
        raise GraphError("a matrix of causal-learn has no names: give the names of the variables")
    chosen = list(nodes()) if names is None and nodes is not None else names
    assert chosen is not None
    checked, array = _square(chosen, getattr(held, "graph", held))
    return MixedGraph.from_marks(checked, _back(array, _CAUSAL_LEARN, "-1, 0, 1 and 2").T)


def to_dagitty(
    graph: Graph, exposure: str | None = None, outcome: str | None = None, unmeasured: str | Iterable[str] = ()
) -> str:
    """Return DAGitty code, to be pasted into dagitty.net or read by its R package.

    Parameters
    ----------
    graph : DAG, MixedGraph or Learned
        The graph.
    exposure, outcome : str, optional
        The cause and the target.
    unmeasured : str or list of str
        Variables that were not measured.

    Returns
    -------
    str
        The code.

    Raises
    ------
    MahcError
        If a name is unknown or cannot be written.

    Examples
    --------
    >>> print(to_dagitty(DAG(["x", "y"], [("x", "y")]), "x", "y"))
    dag {
    x [exposure]
    y [outcome]
    x -> y
    }
    <BLANKLINE>
    """
    held = take_graph(graph)
    roles = {held.names[held.index(name)]: "latent" for name in as_group(unmeasured)}
    for name, role in ((exposure, "exposure"), (outcome, "outcome")):
        if name is not None:
            roles[held.names[held.index(name)]] = role
    return Dagitty().render_with_roles(held, roles)


def from_dagitty(code: str) -> DAG | MixedGraph:
    """Return the graph of DAGitty code; positions and roles are ignored.

    Parameters
    ----------
    code : str
        The code.

    Returns
    -------
    DAG or MixedGraph
        The graph.

    Raises
    ------
    MahcError
        If the code is damaged.

    Examples
    --------
    >>> from_dagitty("dag { x [exposure]; y [outcome]; x -> y }")
    DAG(2 variables, 1 arc: x -> y)
    """
    return Dagitty().parse(code)


def to_modelstring(graph: Any) -> str:
    """Return the model string of a DAG, which `model2network` of the R package bnlearn reads.

    Parameters
    ----------
    graph : DAG or Learned
        The graph; of a learned CPDAG or PAG give `learned.dag`.

    Returns
    -------
    str
        One bracket per variable, parents before their children.

    Raises
    ------
    GraphError
        If the graph is no DAG, or a name has a bracket, a bar or a colon.

    Examples
    --------
    >>> to_modelstring(DAG(["wet", "rain", "hose"], [("rain", "wet"), ("hose", "wet")]))
    '[hose][rain][wet|hose:rain]'
    """
    held = take_graph(graph)
    if not isinstance(held, DAG):
        raise GraphError("a model string holds a DAG, and this graph has other edges: give a DAG, such as learned.dag")
    odd = next((name for name in held.names if _MODEL_MARKS & set(name)), None)
    if odd is not None:
        raise GraphError(f"the name {odd!r} cannot stand in a model string: rename it without [ ] | and :")
    parts = []
    for name in held.topological_order():
        parents = sorted(held.parents(name))
        parts.append(f"[{name}|{':'.join(parents)}]" if parents else f"[{name}]")
    return "".join(parts)


def from_modelstring(text: str) -> DAG:
    """Return the DAG of a model string, as `modelstring` of the R package bnlearn writes it.

    Parameters
    ----------
    text : str
        The model string.

    Returns
    -------
    DAG
        The graph; its variables are in the order of the string.

    Raises
    ------
    GraphError
        If the text is no model string, a variable is missing or given twice, or there is a cycle.

    Examples
    --------
    >>> from_modelstring("[rain][hose][wet|rain:hose]")
    DAG(3 variables, 2 arcs: hose -> wet, rain -> wet)
    """
    if not isinstance(text, str):
        raise GraphError(f"{type(text).__name__} is no model string: give a text such as [A][B|A]")
    found: dict[str, list[str]] = {}
    for part in text.strip().removesuffix("]").removeprefix("[").split("]["):
        name, bar, parents = part.partition("|")
        chosen = parents.split(":") if bar else []
        if not text.strip().startswith("[") or not text.strip().endswith("]") or _odd_part(name, chosen):
            raise GraphError(f"'[{part}]' is no part of a model string: write [A] or [B|A:C], one for each variable")
        if name in found:
            raise GraphError(f"the model string has the variable '{name}' twice: write it once, with all its parents")
        found[name] = chosen
    for name, chosen in found.items():
        unknown = next((parent for parent in chosen if parent not in found), None)
        if unknown is not None:
            raise GraphError(f"'{unknown}', a parent of '{name}', has no bracket of its own: add [{unknown}]")
    return DAG(found, [(parent, name) for name, chosen in found.items() for parent in chosen])


def _odd_part(name: str, parents: list[str]) -> bool:
    return any(not one or _MODEL_MARKS & set(one) for one in (name, *parents)) or len({*parents}) < len(parents)


def _mixed(graph: Any) -> MixedGraph:
    held = take_graph(graph)
    found: MixedGraph = held.to_mixed() if isinstance(held, DAG) else held
    return found


def _check_kind(kind: str) -> None:
    if kind not in PCALG:
        raise UnknownNameError("kind of pcalg matrix", str(kind), PCALG)


def _square(names: Iterable[str], matrix: Any) -> tuple[tuple[str, ...], NDArray[Any]]:
    checked = check_names(names)
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise GraphError("the matrix has rows of different lengths: give a square matrix") from None
    if array.shape != (len(checked), len(checked)):
        raise GraphError(f"the matrix has shape {array.shape}, not {len(checked)} x {len(checked)}")
    return checked, array


def _translate(marks: NDArray[np.int8], table: dict[Mark, int]) -> Matrix:
    return np.array([0, *(table[mark] for mark in (Mark.TAIL, Mark.ARROW, Mark.CIRCLE))], np.int64)[marks]


def _back(array: NDArray[Any], table: dict[Mark, int], allowed: str) -> NDArray[np.int8]:
    found = np.zeros(array.shape, np.int8)
    for mark, number in table.items():
        found[array == number] = mark
    if bool(((found == 0) & (array != 0)).any()):
        raise GraphError(f"the matrix may hold only {allowed}")
    return found
