"""The directed acyclic graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mahc.errors import GraphError
from mahc.graphs.bitset import members, to_bitset, transitive_closure, transpose
from mahc.graphs.names import as_group, check_names, look_up
from mahc.graphs.pictures import PICTURES
from mahc.graphs.walks import sort_topologically
from mahc.plurals import count, noun

if TYPE_CHECKING:
    from mahc.graphs.adjustment.sets import AdjustmentSets
    from mahc.graphs.mixed import MixedGraph


@dataclass(frozen=True, init=False, eq=False, repr=False)
class DAG:
    """An immutable directed acyclic graph; equal to another with the same names and arcs in any order.

    `parent_sets[i]` holds the sorted indices of the parents of variable i; all other methods use names.

    Parameters
    ----------
    names : iterable of str
        The variables, each once.
    arcs : iterable of (from, to)
        The arcs, by name.

    Attributes
    ----------
    names : tuple of str
        The variables in the order given.
    parent_sets : tuple of tuples of int
        The sorted indices of the parents of each variable.

    Raises
    ------
    GraphError
        If a name or an arc occurs twice, a name is unknown, or the arcs form a cycle.

    Examples
    --------
    >>> dag = DAG(["smoke", "lung", "bronc"], [("smoke", "lung"), ("smoke", "bronc")])
    >>> dag
    DAG(3 variables, 2 arcs: smoke -> bronc, smoke -> lung)
    >>> dag.parents("lung")
    ('smoke',)
    >>> dag.d_separated("lung", "bronc", given="smoke")
    True
    """

    names: tuple[str, ...]
    parent_sets: tuple[tuple[int, ...], ...]

    def __init__(self, names: Iterable[str], arcs: Iterable[tuple[str, str]] = ()) -> None:
        checked = check_names(names)
        positions = {name: i for i, name in enumerate(checked)}
        parents: list[list[int]] = [[] for _ in checked]
        for arc in arcs:
            if not isinstance(arc, tuple | list) or len(arc) != 2:
                raise GraphError(f"the arc {arc!r} is not a pair of names (from, to)")
            parents[look_up(arc[1], positions)].append(look_up(arc[0], positions))
        self._initialise(checked, parents)

    @classmethod
    def from_parents(cls, names: Iterable[str], parents: Sequence[Sequence[int]]) -> DAG:
        """The graph in which variable i has the parents `parents[i]`, given as indices.

        Parameters
        ----------
        names : list of str
            The variables.
        parents : list of lists of int
            For each variable the numbers of its parents, counted from 0.

        Returns
        -------
        DAG
            The graph.

        Examples
        --------
        >>> DAG.from_parents(["a", "b"], [[], [0]]).arcs
        (('a', 'b'),)
        """
        checked = check_names(names)
        if len(parents) != len(checked):
            sets = count(len(parents), "parent set")
            raise GraphError(f"{sets} for {count(len(checked), 'variable')}: give one for each")
        for chosen in parents:
            for parent in chosen:
                if not 0 <= parent < len(checked):
                    raise GraphError(f"parent {parent} is not an index from 0 to {len(checked) - 1}")
        dag = cls.__new__(cls)
        dag._initialise(checked, parents)
        return dag

    @classmethod
    def from_adjacency(cls, names: Iterable[str], matrix: ArrayLike) -> DAG:
        """The graph with an arc i -> j wherever `matrix[i, j]` is 1 (or True), and none where it is 0.

        Parameters
        ----------
        names : list of str
            The variables.
        matrix : array of 0 and 1
            A[i, j] = 1 means i -> j.

        Returns
        -------
        DAG
            The graph.

        Examples
        --------
        >>> DAG.from_adjacency(["a", "b"], [[0, 1], [0, 0]]).arcs
        (('a', 'b'),)
        """
        checked = check_names(names)
        try:
            array = np.asarray(matrix)
        except ValueError:
            raise GraphError("the adjacency has rows of different lengths: give a square matrix") from None
        if array.shape != (len(checked), len(checked)):
            raise GraphError(f"the adjacency has shape {array.shape}, not {len(checked)} x {len(checked)}")
        if not bool(np.isin(array, (0, 1)).all()):
            raise GraphError("the adjacency may hold only 0 and 1: A[i, j] = 1 means i -> j")
        columns = array.astype(bool).T
        return cls.from_parents(checked, [np.flatnonzero(column).tolist() for column in columns])

    @classmethod
    def from_networkx(cls, graph: Any) -> DAG:
        """The graph of a networkx DiGraph whose nodes are names.

        Parameters
        ----------
        graph : networkx.DiGraph
            A graph whose nodes are names.

        Returns
        -------
        DAG
            The graph.

        Examples
        --------
        >>> import networkx
        >>> DAG.from_networkx(networkx.DiGraph([("rain", "wet")])).arcs
        (('rain', 'wet'),)
        """
        from mahc.graphs.networkx_graphs import dag_from_networkx

        return dag_from_networkx(graph)

    @classmethod
    def from_modelstring(cls, text: str) -> DAG:
        """The graph of a model string of the R package bnlearn.

        Parameters
        ----------
        text : str
            The model string.

        Returns
        -------
        DAG
            The graph.

        Raises
        ------
        GraphError
            If the text is no model string.

        Examples
        --------
        >>> DAG.from_modelstring("[rain][wet|rain]").arcs
        (('rain', 'wet'),)
        """
        from mahc.graphs.exchange import from_modelstring

        return from_modelstring(text)

    def _initialise(self, names: tuple[str, ...], parents: Sequence[Sequence[int]]) -> None:
        sets = tuple(tuple(sorted(int(p) for p in chosen)) for chosen in parents)
        _check_arcs(names, sets)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "parent_sets", sets)
        _ = self.order  # raises if there is a cycle

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices with parents first; among those that are ready, the first by name."""
        return sort_topologically(self.names, self.parent_sets)

    @cached_property
    def parent_bitsets(self) -> tuple[int, ...]:
        """`parent_sets` as bitsets."""
        return tuple(to_bitset(chosen) for chosen in self.parent_sets)

    @cached_property
    def child_bitsets(self) -> tuple[int, ...]:
        """The children of each variable as bitsets."""
        return tuple(transpose(self.parent_bitsets))

    @cached_property
    def positions(self) -> dict[str, int]:
        """Name -> index."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs as (from, to), sorted by name."""
        names = self.names
        return tuple(sorted((names[p], names[c]) for c, chosen in enumerate(self.parent_sets) for p in chosen))

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
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.index("wet")
        2
        """
        return look_up(name, self.positions)

    def _sorted_names(self, bitset: int) -> tuple[str, ...]:
        return tuple(sorted(self.names[i] for i in members(bitset)))

    def _bitset(self, names: str | Iterable[str]) -> int:
        return to_bitset(self.index(name) for name in as_group(names))

    def parents(self, name: str) -> tuple[str, ...]:
        """The parents of a variable, sorted by name.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        tuple of str
            Its parents.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.parents("wet")
        ('rain', 'sprinkler')
        """
        return self._sorted_names(self.parent_bitsets[self.index(name)])

    def children(self, name: str) -> tuple[str, ...]:
        """The children of a variable, sorted by name.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        tuple of str
            Its children.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.children("rain")
        ('wet',)
        """
        return self._sorted_names(self.child_bitsets[self.index(name)])

    def ancestors(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """All variables with a directed path to one of these, without these, sorted by name.

        Parameters
        ----------
        names : str or list of str
            The variables.

        Returns
        -------
        tuple of str
            The ancestors.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.ancestors("wet")
        ('rain', 'sprinkler')
        """
        start = self._bitset(names)
        return self._sorted_names(transitive_closure(start, self.parent_bitsets) & ~start)

    def descendants(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """All variables with a directed path from one of these, without these, sorted by name.

        Parameters
        ----------
        names : str or list of str
            The variables.

        Returns
        -------
        tuple of str
            The descendants.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.descendants(["rain", "sprinkler"])
        ('wet',)
        """
        start = self._bitset(names)
        return self._sorted_names(transitive_closure(start, self.child_bitsets) & ~start)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Parents, children and the other parents of the children, sorted by name.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        tuple of str
            The Markov blanket.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.markov_blanket("rain")
        ('sprinkler', 'wet')
        """
        i = self.index(name)
        blanket = self.parent_bitsets[i] | self.child_bitsets[i]
        for child in members(self.child_bitsets[i]):
            blanket |= self.parent_bitsets[child]
        return self._sorted_names(blanket & ~(1 << i))

    def topological_order(self) -> tuple[str, ...]:
        """Names with parents first; among those that are ready, the first by name.

        Returns
        -------
        tuple of str
            All variables.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.topological_order()
        ('rain', 'sprinkler', 'wet')
        """
        return tuple(self.names[i] for i in self.order)

    def adjacency(self) -> NDArray[np.bool_]:
        """A fresh matrix with A[i, j] True where i -> j.

        Returns
        -------
        array of bool
            The matrix, in the order of `names`.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.adjacency().astype(int).tolist()
        [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
        """
        matrix = np.zeros((len(self.names), len(self.names)), dtype=np.bool_)
        for child, chosen in enumerate(self.parent_sets):
            matrix[list(chosen), child] = True
        return matrix

    def d_separated(
        self, first: str | Iterable[str], second: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` d-separates the two (sets of) variables.

        Parameters
        ----------
        first, second : str or list of str
            The variables to separate.
        given : str or list of str
            The separating set; empty if left out.

        Returns
        -------
        bool
            Whether they are d-separated.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.d_separated("rain", "sprinkler"), graph.d_separated("rain", "sprinkler", given="wet")
        (True, False)
        """
        return self.to_mixed().m_separated(first, second, given)

    def adjustment_sets(
        self,
        cause: str,
        target: str,
        *,
        unmeasured: str | Iterable[str] = (),
        exclude: str | Iterable[str] = (),
        limit: int = 1000,
    ) -> AdjustmentSets:
        """What identifies the effect of a cause on a target: adjustment sets, front-door sets, instruments.

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

        Returns
        -------
        AdjustmentSets
            The minimal valid sets, the optimal one, and why there is none.

        Raises
        ------
        MahcError
            If a variable is unknown, or the cause or target is unmeasured.

        Examples
        --------
        >>> dag = DAG(["u", "x", "m", "y"], [("u", "x"), ("u", "y"), ("x", "m"), ("m", "y")])
        >>> dag.adjustment_sets("x", "y").sets
        (('u',),)
        >>> dag.adjustment_sets("x", "y", unmeasured="u").front_door
        (('m',),)
        """
        from mahc.graphs.adjustment.sets import find_adjustment_sets

        return find_adjustment_sets(self.to_mixed(), cause, target, unmeasured, exclude, limit, hidden=False)

    def moral_graph(self) -> MixedGraph:
        """The undirected graph that also connects the parents of each child.

        Returns
        -------
        MixedGraph
            The moral graph.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> [" ".join(edge) for edge in graph.moral_graph().edges]
        ['rain --- sprinkler', 'rain --- wet', 'sprinkler --- wet']
        """
        from mahc.graphs.mixed import MixedGraph

        lines = [0] * len(self.names)
        for child, parents in enumerate(self.parent_bitsets):
            lines[child] |= parents
            for parent in members(parents):
                lines[parent] |= (parents | 1 << child) & ~(1 << parent)
        return MixedGraph.from_arcs(self.names, [0] * len(self.names), lines)

    def to_mixed(self) -> MixedGraph:
        """The same graph as a MixedGraph: every arc has a tail and an arrow.

        Returns
        -------
        MixedGraph
            The graph.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.to_mixed().edges[0]
        Edge(left='rain', mark='-->', right='wet')
        """
        return self._mixed

    @cached_property
    def _mixed(self) -> MixedGraph:
        from mahc.graphs.mixed import MixedGraph

        return MixedGraph.from_arcs(self.names, self.parent_bitsets)

    def to_networkx(self) -> Any:
        """The same graph as a networkx DiGraph (needs networkx).

        Returns
        -------
        networkx.DiGraph
            The graph; its nodes are the names.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> sorted(graph.to_networkx().edges)
        [('rain', 'wet'), ('sprinkler', 'wet')]
        """
        from mahc.graphs.networkx_graphs import dag_to_networkx

        return dag_to_networkx(self)

    def to_modelstring(self) -> str:
        """The model string, which `model2network` of the R package bnlearn reads.

        Returns
        -------
        str
            One bracket per variable, parents before their children.

        Raises
        ------
        GraphError
            If a name has a bracket, a bar or a colon.

        Examples
        --------
        >>> DAG(["rain", "wet"], [("rain", "wet")]).to_modelstring()
        '[rain][wet|rain]'
        """
        from mahc.graphs.exchange import to_modelstring

        return to_modelstring(self)

    def reorder(self, names: Iterable[str]) -> DAG:
        """The same graph with its variables in another order.

        Parameters
        ----------
        names : list of str
            All variables in the order wanted.

        Returns
        -------
        DAG
            The graph.

        Examples
        --------
        >>> graph = DAG(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
        >>> graph.reorder(["wet", "rain", "sprinkler"]).names
        ('wet', 'rain', 'sprinkler')
        """
        checked = check_names(names)
        if set(checked) != set(self.names):
            raise GraphError(f"an order of the {count(len(self.names), 'variable')} must name each of them once")
        return DAG(checked, self.arcs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DAG):
            return NotImplemented
        return self.positions.keys() == other.positions.keys() and self.arcs == other.arcs

    @cached_property
    def _hash(self) -> int:
        return hash((frozenset(self.names), self.arcs))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = [f"{a} -> {b}" for a, b in self.arcs[:8]] + (["..."] if len(self.arcs) > 8 else [])
        listed = f": {', '.join(shown)}" if shown else ""
        n, arcs = len(self.names), len(self.arcs)
        return f"DAG({n} {noun(n, 'variable')}, {arcs} {noun(arcs, 'arc')}{listed})"

    def _repr_svg_(self) -> str | None:
        drawn: str | None = PICTURES["sketch"](self)
        return drawn


def _check_arcs(names: tuple[str, ...], parents: Sequence[Sequence[int]]) -> None:
    for child, chosen in enumerate(parents):
        for place, parent in enumerate(chosen):
            if parent == child:
                raise GraphError(f"the arc {names[child]} -> {names[child]} leads from a variable to itself")
            if place and chosen[place - 1] == parent:
                raise GraphError(f"the arc {names[parent]} -> {names[child]} is given twice")
