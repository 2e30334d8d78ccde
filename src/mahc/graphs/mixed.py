"""The mixed graph: edges whose two ends carry a tail, an arrow or a circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mahc.errors import GraphError, UnknownNameError
from mahc.graphs.bitset import gather, pack, unpack
from mahc.graphs.marks import SPELLINGS, Edge, Mark, put_forward
from mahc.graphs.names import as_group, check_names, look_up
from mahc.graphs.pictures import PICTURES
from mahc.graphs.separation import Paths
from mahc.graphs.spelling import spell_edges

Marks = NDArray[np.int8]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MixedGraph:
    """An immutable graph with marks: a CPDAG, MAG or PAG; equal in any order of names.

    `marks[i, j]` is the mark at j of the edge between i and j, and 0 where there is none:
    i -> j has `marks[i, j] == Mark.ARROW` and `marks[j, i] == Mark.TAIL`.

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
            left, spelling, right = edge
            if spelling not in SPELLINGS:
                raise UnknownNameError("edge mark", str(spelling), SPELLINGS)
            i, j = look_up(left, positions), look_up(right, positions)
            if marks[i, j]:
                raise GraphError(f"the edge between {left} and {right} is given twice")
            marks[j, i], marks[i, j] = SPELLINGS[spelling]
        self._settle(checked, marks)

    @classmethod
    def from_marks(cls, names: Iterable[str], marks: ArrayLike) -> MixedGraph:
        """The graph with these marks (a copy is taken); see the class for what `marks[i, j]` means."""
        graph = cls.__new__(cls)
        checked = check_names(names)
        array = np.array(marks)
        if array.shape != (len(checked), len(checked)):
            raise GraphError(f"the marks have shape {array.shape}, not {len(checked)} x {len(checked)}")
        if not bool(np.isin(array, (0, 1, 2, 3)).all()):
            raise GraphError("the marks may hold only 0 (none), 1 (tail), 2 (arrow) and 3 (circle)")
        graph._settle(checked, array.astype(np.int8))
        return graph

    @classmethod
    def from_arcs(cls, names: Iterable[str], parents: Sequence[int], lines: Sequence[int] | None = None) -> MixedGraph:
        """The graph with an arc from each of `parents[i]` to i, and a line from each of `lines[i]`, as bits."""
        graph = cls.__new__(cls)
        checked = check_names(names)
        marks = np.zeros((len(checked), len(checked)), dtype=np.int8)
        into = unpack(parents)
        marks[into] = Mark.TAIL
        marks[into.T] = Mark.ARROW
        if lines is not None:
            marks[unpack(lines)] = Mark.TAIL
        graph._settle(checked, marks)
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> MixedGraph:
        """The same graph out of networkx; see `to_networkx` for how marks are written there."""
        from mahc.graphs.exchange import mixed_from_networkx

        return mixed_from_networkx(graph)

    def _settle(self, names: tuple[str, ...], marks: Marks) -> None:
        if marks.diagonal().any():
            name = names[int(np.flatnonzero(marks.diagonal())[0])]
            raise GraphError(f"the edge between {name} and {name} joins a variable to itself")
        lone = np.argwhere((marks > 0) & (marks.T == 0))
        if len(lone):
            i, j = lone[0]
            raise GraphError(f"the edge between {names[i]} and {names[j]} has a mark at one end only")
        marks.setflags(write=False)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "marks", marks)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Name -> index."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, each spelt once with its arrow to the right, sorted by name."""
        return spell_edges(self.names, self.marks)

    def index(self, name: str) -> int:
        """The index of a variable."""
        return look_up(name, self.positions)

    def mark(self, start: str, end: str) -> Mark:
        """The mark at `end` of the edge between the two; `Mark.NONE` where there is no edge."""
        return Mark(int(self.marks[self.index(start), self.index(end)]))

    def spell_edge(self, i: int, j: int) -> str:
        """The edge between variables i and j as it is read, such as `a --> b`."""
        near, far = Mark(int(self.marks[j, i])), Mark(int(self.marks[i, j]))
        return " ".join(put_forward(self.names[i], near, far, self.names[j]))

    def where(self, near: Mark, far: Mark) -> tuple[int, ...]:
        """For each variable v, the bit set of those joined to it with `near` at v and `far` at themselves."""
        at_v, at_other = self.marks.T, self.marks
        chosen = np.equal(at_v, near) & np.equal(at_other, far)
        return tuple(pack(chosen))

    def m_separated(
        self, first: str | Iterable[str], second: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Whether `given` blocks every path between the two (sets of) variables; no circles allowed."""
        groups = [gather(self.index(name) for name in as_group(group)) for group in (first, second, given)]
        return not self._paths.connected(groups[0], groups[1], groups[2])

    @cached_property
    def _paths(self) -> Paths:
        if bool((self.marks == Mark.CIRCLE).any()):
            raise GraphError("m-separation needs a graph without circles: turn the PAG into a MAG first")
        return Paths(
            parents=self.where(Mark.ARROW, Mark.TAIL),
            children=self.where(Mark.TAIL, Mark.ARROW),
            spouses=self.where(Mark.ARROW, Mark.ARROW),
            lines=self.where(Mark.TAIL, Mark.TAIL),
        )

    def to_networkx(self) -> Any:
        """A networkx Graph whose edges hold `marks`, a mapping name -> mark in small letters."""
        from mahc.graphs.exchange import mixed_to_networkx

        return mixed_to_networkx(self)

    def reorder(self, names: Iterable[str]) -> MixedGraph:
        """The same graph with its variables in another order."""
        checked = check_names(names)
        if set(checked) != set(self.names):
            raise GraphError(f"an order of the {len(self.names)} variables must name each of them once")
        places = [self.positions[name] for name in checked]
        return MixedGraph.from_marks(checked, self.marks[np.ix_(places, places)])

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
        return f"MixedGraph({len(self.names)} variables, {len(self.edges)} edges{listed})"

    def _repr_svg_(self) -> str | None:
        return PICTURES["sketch"](self)
