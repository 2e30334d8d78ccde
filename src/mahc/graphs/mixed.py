"""The mixed graph: each end of an edge has a tail, an arrow or a circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs.bitset import pack, to_bitset, unpack
from mahc.graphs.marks import EDGE_MARKS, Edge, Mark, canonical_edge, list_edges
from mahc.graphs.names import as_group, check_names, look_up
from mahc.graphs.pictures import PICTURES
from mahc.graphs.walks import MSeparation
from mahc.plurals import count, noun

if TYPE_CHECKING:
    from mahc.graphs.adjustment.sets import AdjustmentSets

Marks = NDArray[np.int8]
BLOCK = 256  # rows that are compared with columns at once


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MixedGraph:
    """An immutable graph with marks: a CPDAG, MAG or PAG; equal in any order of names.

    `marks[i, j]` is the mark at j of the edge between i and j, and 0 where there is none:
    i -> j has `marks[i, j] == Mark.ARROW` and `marks[j, i] == Mark.TAIL`.

    Parameters
    ----------
    names : iterable of str
        The variables, each once.
    edges : iterable of (left, marks, right)
        The edges, with marks such as "-->", "---", "<->", "o->".

    Raises
    ------
    GraphError
        If a name or an edge occurs twice, or a name or mark is unknown.

    Examples
    --------
    >>> graph = MixedGraph(["a", "b", "c"], [("a", "o->", "b"), ("c", "<->", "b")])
    >>> graph
    MixedGraph(3 variables, 2 edges: a o-> b, b <-> c)
    >>> graph.mark("b", "a")
    <Mark.CIRCLE: 3>
    """

    names: tuple[str, ...]
    marks: Marks

    def __init__(self, names: Iterable[str], edges: Iterable[tuple[str, str, str]] = ()) -> None:
        checked = check_names(names)
        positions = {name: i for i, name in enumerate(checked)}
        marks = np.zeros((len(checked), len(checked)), dtype=np.int8)
        for edge in edges:
            if not isinstance(edge, tuple | list) or len(edge) != 3:
                raise GraphError(f"the edge {edge!r} is not a triple like ('a', '-->', 'b')")
            left, text, right = edge
            if text not in EDGE_MARKS:
                raise UnknownNameError("edge mark", str(text), EDGE_MARKS)
            i, j = look_up(left, positions), look_up(right, positions)
            if marks[i, j]:
                raise GraphError(f"the edge between {left} and {right} is given twice")
            marks[j, i], marks[i, j] = EDGE_MARKS[text]
        self._initialise(checked, marks)

    @classmethod
    def from_marks(cls, names: Iterable[str], marks: ArrayLike) -> MixedGraph:
        """The graph with these marks (a copy is taken); see the class for what `marks[i, j]` means.

        Parameters
        ----------
        names : list of str
            The variables.
        marks : array of int
            marks[i, j] is the mark at j of the edge between i and j: 0 none, 1 tail, 2 arrow, 3 circle.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> MixedGraph.from_marks(["a", "b"], [[0, 2], [1, 0]]).edges[0].mark
        '-->'
        """
        graph = cls.__new__(cls)
        checked = check_names(names)
        array = np.array(marks)
        if array.shape != (len(checked), len(checked)):
            raise GraphError(f"the marks have shape {array.shape}, not {len(checked)} x {len(checked)}")
        if not _are_marks(array):
            raise GraphError("the marks may hold only 0 (none), 1 (tail), 2 (arrow) and 3 (circle)")
        graph._initialise(checked, array.astype(np.int8))
        return graph

    @classmethod
    def from_valid(cls, names: Iterable[str], marks: Marks) -> MixedGraph:
        """The graph of marks that are known to be valid, such as those of an algorithm: they are not checked or copied.

        Parameters
        ----------
        names : list of str
            The variables.
        marks : array of int8
            The marks, as `from_marks` takes them; nobody may change them afterwards.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> MixedGraph.from_valid(["a", "b"], np.array([[0, 2], [1, 0]], np.int8))
        MixedGraph(2 variables, 1 edge: a --> b)
        """
        return cls._of_valid(check_names(names), marks)

    @classmethod
    def reordered_from(cls, names: Sequence[str], marks: Marks, order: Sequence[int]) -> MixedGraph:
        """The graph of the marks of a valid graph whose variable i is `names[order[i]]`.

        Parameters
        ----------
        names : sequence of str
            The names of the new graph, in its order.
        marks : array of int8
            The marks of a valid graph; they are not checked again.
        order : sequence of int
            The place in `names` of each variable of the marks.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> MixedGraph.reordered_from(["a", "b"], np.array([[0, 2], [1, 0]], np.int8), [1, 0])
        MixedGraph(2 variables, 1 edge: b --> a)
        """
        place = np.argsort(np.asarray(order, np.int64))
        return cls._of_valid(check_names(names), np.take(marks[place], place, axis=1))

    @classmethod
    def _of_valid(cls, names: tuple[str, ...], marks: Marks) -> MixedGraph:
        graph = cls.__new__(cls)
        graph._set(names, marks)
        return graph

    @classmethod
    def from_arcs(cls, names: Iterable[str], parents: Sequence[int], lines: Sequence[int] | None = None) -> MixedGraph:
        """The graph with arcs from the bitset `parents[i]` to i, and undirected edges between i and `lines[i]`.

        Parameters
        ----------
        names : list of str
            The variables.
        parents : list of int
            For each variable the bitset of its parents.
        lines : list of int, optional
            For each variable the bitset of its neighbours by undirected edges.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> MixedGraph.from_arcs(["a", "b"], [0, 0b01]).edges[0].mark
        '-->'
        """
        graph = cls.__new__(cls)
        checked = check_names(names)
        marks = np.zeros((len(checked), len(checked)), dtype=np.int8)
        into = unpack(parents)
        marks[into] = Mark.TAIL
        marks[into.T] = Mark.ARROW
        if lines is not None:
            marks[unpack(lines)] = Mark.TAIL
        graph._initialise(checked, marks)
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> MixedGraph:
        """The graph of a networkx graph; see `to_networkx` for how marks are stored there.

        Parameters
        ----------
        graph : networkx.Graph
            A graph whose edges hold `marks`.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> MixedGraph.from_networkx(graph.to_networkx()) == graph
        True
        """
        from mahc.graphs.networkx_graphs import mixed_from_networkx

        return mixed_from_networkx(graph)

    def _initialise(self, names: tuple[str, ...], marks: Marks) -> None:
        if marks.diagonal().any():
            name = names[int(np.flatnonzero(marks.diagonal())[0])]
            raise GraphError(f"the edge between {name} and {name} connects a variable to itself")
        for first in range(0, len(marks), BLOCK):  # in blocks, because transposing a large matrix is slow
            rows, columns = marks[first : first + BLOCK], marks[:, first : first + BLOCK].T
            one_sided = (rows > 0) & (columns == 0)
            if not one_sided.any():
                continue
            i, j = np.argwhere(one_sided)[0] + (first, 0)
            raise GraphError(f"the edge between {names[i]} and {names[j]} has a mark at one end only")
        self._set(names, marks)

    def _set(self, names: tuple[str, ...], marks: Marks) -> None:
        marks.setflags(write=False)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "marks", marks)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Name -> index."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, each once with its arrow to the right, sorted by name."""
        return list_edges(self.names, self.marks)

    def index(self, name: str) -> int:
        """The index of a variable.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        int
            Its place in `names`.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> graph.index("c")
        2
        """
        return look_up(name, self.positions)

    def mark(self, start: str, end: str) -> Mark:
        """The mark at `end` of the edge between the two; `Mark.NONE` where there is no edge.

        Parameters
        ----------
        start, end : str
            The variables at the two ends.

        Returns
        -------
        Mark
            The mark at `end`.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> graph.mark("a", "b").name, graph.mark("a", "c").name
        ('ARROW', 'NONE')
        """
        return Mark(int(self.marks[self.index(start), self.index(end)]))

    def edge_text(self, i: int, j: int) -> str:
        """The edge between variables i and j as text, such as `a --> b`.

        Parameters
        ----------
        i, j : int
            Places of two variables that are joined.

        Returns
        -------
        str
            The edge.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> graph.edge_text(1, 0)
        'a --> b'
        """
        near, far = Mark(int(self.marks[j, i])), Mark(int(self.marks[i, j]))
        return " ".join(canonical_edge(self.names[i], near, far, self.names[j]))

    def where(self, near: Mark, far: Mark) -> tuple[int, ...]:
        """For each variable v, the bitset of its neighbours with `near` at v and `far` at the neighbour.

        Parameters
        ----------
        near, far : Mark
            The marks at the two ends.

        Returns
        -------
        tuple of int
            One bitset for each variable.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> from mahc.graphs import Mark
        >>> graph.where(Mark.ARROW, Mark.TAIL)  # parents
        (0, 1, 0)
        """
        at_v, at_other = self.marks.T, self.marks
        chosen = np.equal(at_v, near) & np.equal(at_other, far)
        return tuple(pack(chosen))

    def m_separated(
        self, first: str | Iterable[str], second: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` m-separates the two (sets of) variables; the graph must not have circles.

        Parameters
        ----------
        first, second : str or list of str
            The variables to separate.
        given : str or list of str
            The separating set; empty if left out.

        Returns
        -------
        bool
            Whether they are m-separated.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "<->", "c")])
        >>> graph.m_separated("a", "c"), graph.m_separated("a", "c", given="b")
        (True, False)
        """
        groups = [to_bitset(self.index(name) for name in as_group(group)) for group in (first, second, given)]
        return not self._separation.connected(groups[0], groups[1], groups[2])

    def adjustment_sets(
        self,
        cause: str,
        target: str,
        *,
        unmeasured: str | Iterable[str] = (),
        exclude: str | Iterable[str] = (),
        limit: int = 1000,
        hidden: bool | None = None,
    ) -> AdjustmentSets:
        """What identifies the effect of a cause on a target in all DAGs (or MAGs) that the graph stands for.

        The graph is a CPDAG, a CPDAG with more arcs directed by knowledge, a MAG or a PAG.

        Parameters
        ----------
        cause, target : str
            The variables.
        unmeasured : str or list of str
            Variables of the graph that were not measured.
        exclude : str or list of str
            Measured variables that are not to be used.
        limit : int
            The most sets that are listed.
        hidden : bool, optional
            Whether the graph allows for hidden common causes; if left out, whether it has circles or two-headed edges.
            A MAG of arcs alone needs True.

        Returns
        -------
        AdjustmentSets
            The minimal valid sets, the optimal one, and why there is none.

        Raises
        ------
        MahcError
            If a variable is unknown, the cause or target is unmeasured, or the graph stands for no DAG or MAG.

        Examples
        --------
        >>> MixedGraph(["x", "c", "y"], [("x", "---", "c"), ("c", "---", "y")]).adjustment_sets("x", "y").effect
        'unknown'
        >>> pag = MixedGraph(["w", "z", "x", "y"], [("w", "o->", "x"), ("z", "o->", "x"), ("x", "-->", "y")])
        >>> pag.adjustment_sets("x", "y").sets
        ((),)
        """
        from mahc.graphs.adjustment.sets import find_adjustment_sets

        return find_adjustment_sets(self, cause, target, unmeasured, exclude, limit, hidden)

    @cached_property
    def _separation(self) -> MSeparation:
        if bool((self.marks == Mark.CIRCLE).any()):
            raise GraphError("m-separation needs a graph without circles: turn the PAG into a MAG first")
        return MSeparation(
            parents=self.where(Mark.ARROW, Mark.TAIL),
            children=self.where(Mark.TAIL, Mark.ARROW),
            spouses=self.where(Mark.ARROW, Mark.ARROW),
            lines=self.where(Mark.TAIL, Mark.TAIL),
        )

    def to_networkx(self) -> Any:
        """A networkx Graph whose edges hold `marks`, a mapping from name to mark in lower case.

        Returns
        -------
        networkx.Graph
            The graph.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> graph.to_networkx().edges["a", "b"]["marks"]
        {'a': 'tail', 'b': 'arrow'}
        """
        from mahc.graphs.networkx_graphs import mixed_to_networkx

        return mixed_to_networkx(self)

    def reorder(self, names: Iterable[str]) -> MixedGraph:
        """The same graph with its variables in another order.

        Parameters
        ----------
        names : list of str
            All variables in the order wanted.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "o-o", "c")])
        >>> graph.reorder(["c", "a", "b"]).names
        ('c', 'a', 'b')
        """
        checked = check_names(names)
        if set(checked) != set(self.names):
            raise GraphError(f"an order of the {count(len(self.names), 'variable')} must name each of them once")
        places = [self.positions[name] for name in checked]
        return MixedGraph._of_valid(checked, self.marks[places][:, places])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixedGraph):
            return NotImplemented
        if self.names == other.names:
            return bool(np.array_equal(self.marks, other.marks))
        return self.positions.keys() == other.positions.keys() and self.edges == other.edges

    @cached_property
    def _hash(self) -> int:
        return hash((frozenset(self.names), self.edges))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = [" ".join(edge) for edge in self.edges[:8]] + (["..."] if len(self.edges) > 8 else [])
        listed = f": {', '.join(shown)}" if shown else ""
        n, edges = len(self.names), len(self.edges)
        return f"MixedGraph({n} {noun(n, 'variable')}, {edges} {noun(edges, 'edge')}{listed})"

    def _repr_svg_(self) -> str | None:
        drawn: str | None = PICTURES["sketch"](self)
        return drawn


def _are_marks(array: NDArray[Any]) -> bool:
    """Whether all values are 0, 1, 2 or 3; fast for whole numbers, of which there may be hundreds of millions."""
    if array.dtype.kind in "iu":
        return array.size == 0 or bool(array.min() >= 0 and array.max() <= 3)
    return bool(np.isin(array, (0, 1, 2, 3)).all())
