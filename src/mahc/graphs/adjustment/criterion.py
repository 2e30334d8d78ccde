"""The generalised adjustment criterion (Perković, Textor, Kalisch and Maathuis 2018).

A set Z gives the effect of x on y by sum_z P(y | x, z) P(z), in every DAG (or MAG) of the class, exactly if

    amenability   every possibly causal path from x to y begins with an arc out of x that cannot be confounded
    forbidden     no variable of Z is a possible descendant of a variable (other than x) on such a path
    blocking      Z blocks every other path of definite status between x and y

Where the first two hold, the third holds in one member of the class exactly if it holds in all, so it is checked in
one: without the first arcs of the causal paths, Z must m-separate x and y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mahc.errors import GraphError
from mahc.graphs.adjustment.possible_paths import find_path, reach
from mahc.graphs.bitset import members, transitive_closure
from mahc.graphs.conversions.cpdag import Orientation
from mahc.graphs.conversions.extension import find_extension
from mahc.graphs.conversions.mag import check_mag
from mahc.graphs.conversions.pag import mag_to_pag, pag_to_mag
from mahc.graphs.marks import Mark, join_marks
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.walks import MSeparation


def has_hidden(graph: MixedGraph) -> bool:
    """Whether a graph has edges that only hidden common causes explain: circles or two arrows.

    >>> has_hidden(MixedGraph(["a", "b"], [("a", "o->", "b")])), has_hidden(MixedGraph(["a", "b"], [("a", "---", "b")]))
    (True, False)
    """
    arrows = graph.marks == Mark.ARROW
    return bool((graph.marks == Mark.CIRCLE).any() or (arrows & arrows.T).any())


def close_orientation(graph: MixedGraph) -> MixedGraph:
    """A graph of arcs and undirected edges, with all directions that follow from those that it has (Meek 1995).

    >>> close_orientation(MixedGraph(["a", "b", "c"], [("a", "-->", "b"), ("b", "---", "c")]))
    MixedGraph(3 variables, 2 edges: a --> b, b --> c)
    """
    parents, lines = graph.where(Mark.ARROW, Mark.TAIL), graph.where(Mark.TAIL, Mark.TAIL)
    if not any(lines):
        return graph
    children = graph.where(Mark.TAIL, Mark.ARROW)
    state = Orientation([a | b | c for a, b, c in zip(parents, lines, children, strict=True)])
    state.close((tail, head) for head, tails in enumerate(parents) for tail in members(tails))
    return MixedGraph.from_arcs(graph.names, state.parents, state.lines)


@dataclass(frozen=True, eq=False)
class Criterion:
    """The criterion for one pair of variables.

    `graph` is a DAG, CPDAG, CPDAG with knowledge, MAG or PAG; `hidden` says whether hidden common causes are possible
    (a MAG or PAG). `x` and `y` are indices.

    >>> graph = MixedGraph(["c", "x", "y"], [("c", "-->", "x"), ("c", "-->", "y"), ("x", "-->", "y")])
    >>> criterion = Criterion(graph, False, 1, 2)
    >>> criterion.allows(0), criterion.allows(0b001)
    (False, True)
    """

    graph: MixedGraph
    hidden: bool
    x: int
    y: int
    note: str = ""

    @cached_property
    def adjacent(self) -> tuple[int, ...]:
        """The variables adjacent to each."""
        return tuple(a | b for a, b in zip(self._not_into, self._into, strict=True))

    @cached_property
    def _not_into(self) -> tuple[int, ...]:
        """Neighbours to which an edge without an arrow at v leads: it may begin a causal path."""
        tails = [self.graph.where(near, far) for near in (Mark.TAIL, Mark.CIRCLE) for far in Mark if far != Mark.NONE]
        return tuple(_unite(each) for each in zip(*tails, strict=True))

    @cached_property
    def _into(self) -> tuple[int, ...]:
        """Neighbours whose edge has an arrow at v."""
        arrows = [self.graph.where(Mark.ARROW, far) for far in Mark if far != Mark.NONE]
        return tuple(_unite(each) for each in zip(*arrows, strict=True))

    @cached_property
    def _not_from(self) -> tuple[int, ...]:
        """Neighbours from which an edge may lead to v."""
        tails = [self.graph.where(near, far) for far in (Mark.TAIL, Mark.CIRCLE) for near in Mark if near != Mark.NONE]
        return tuple(_unite(each) for each in zip(*tails, strict=True))

    @cached_property
    def children(self) -> tuple[int, ...]:
        """The children of each variable."""
        return self.graph.where(Mark.TAIL, Mark.ARROW)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The parents of each variable."""
        return self.graph.where(Mark.ARROW, Mark.TAIL)

    @cached_property
    def doubtful_path(self) -> list[int] | None:
        """A possibly causal path from x to y that breaks amenability; None where the graph is amenable."""
        x = self.x
        doubtful = self._not_into[x] & ~self.children[x]
        if self.hidden:
            for v in members(self.children[x]):
                doubtful |= 0 if self._is_visible(x, v) else 1 << v
        avoid = 1 << x | self._into[x]  # a later variable must not point back at x
        if not doubtful & reach(1 << self.y, self._not_from, self.adjacent, avoid):
            return None
        found = [find_path(v, self.y, self._not_into, self.adjacent, avoid) for v in members(doubtful & ~avoid)]
        return [x, *min((path for path in found if path is not None), key=len)]

    def _is_visible(self, a: int, b: int) -> bool:
        """Whether no hidden common cause of a and b is possible beside the arc a -> b (Zhang 2008)."""
        spouses = self.graph.where(Mark.ARROW, Mark.ARROW)
        inner = [mine & self.parents[b] for mine in spouses]
        chain = transitive_closure(1 << a, inner)  # a, and what collider paths of parents of b lead from
        return any(self._into[v] & ~self.adjacent[b] & ~(1 << b) & ~(1 << a) for v in members(chain))

    @cached_property
    def between(self) -> int:
        """The variables other than x on possibly causal paths from x to y, where the graph is amenable.

        Such a path begins with an arc, so all that follows is a descendant of x.
        """
        below = transitive_closure(1 << self.x, self.children) & ~(1 << self.x)
        above = reach(1 << self.y, self._not_from, self.adjacent, 1 << self.x)
        return below & above if below >> self.y & 1 else 0

    @cached_property
    def forbidden(self) -> int:
        """The possible descendants of the variables between."""
        return reach(self.between, self._not_into, self.adjacent) & ~(1 << self.x)

    @cached_property
    def rest(self) -> MSeparation:
        """A member of the class without the first arcs of the causal paths from x to y."""
        member = self.member
        first = member.children[self.x] & self.between
        parents, children = list(member.parents), list(member.children)
        children[self.x] &= ~first
        for v in members(first):
            parents[v] &= ~(1 << self.x)
        return MSeparation(tuple(parents), tuple(children), member.spouses, member.lines)

    @cached_property
    def member(self) -> MSeparation:
        """A DAG of the class; with hidden common causes a MAG."""
        if self.hidden:
            circles = bool((self.graph.marks == Mark.CIRCLE).any())
            mag = pag_to_mag(self.graph) if circles else self.graph
            check_mag(mag)
        else:
            mag = MixedGraph.from_arcs(self.graph.names, find_extension(self.graph))
        return MSeparation(
            parents=mag.where(Mark.ARROW, Mark.TAIL),
            children=mag.where(Mark.TAIL, Mark.ARROW),
            spouses=mag.where(Mark.ARROW, Mark.ARROW),
            lines=(0,) * len(mag.names),
        )

    def allows(self, given: int) -> bool:
        """Whether the set (a bitset without x and y) fulfils the criterion."""
        if self.doubtful_path is not None or given & self.forbidden:
            return False
        return not self.rest.connected(1 << self.x, 1 << self.y, given)

    def largest(self, usable: int) -> int:
        """The set that fulfils the criterion if any subset of `usable` does: the ancestors of x and y among these."""
        return transitive_closure(1 << self.x | 1 << self.y, self.rest.parents) & usable

    def show(self, path: list[int]) -> str:
        """A path with its marks in the graph, from left to right."""
        names, marks = self.graph.names, self.graph.marks
        text = names[path[0]]
        for u, v in pairwise(path):
            text += f" {join_marks(Mark(int(marks[v, u])), Mark(int(marks[u, v])))} {names[v]}"
        return text


def make_criterion(graph: MixedGraph, cause: str, target: str, hidden: bool | None) -> Criterion:
    """The criterion of two variables by name; variables are in the order of their names.

    >>> make_criterion(MixedGraph(["y", "x"], [("x", "-->", "y")]), "x", "y", None).graph.names
    ('x', 'y')
    """
    graph = graph.reorder(sorted(graph.names))
    latent = has_hidden(graph) if hidden is None else hidden
    _refuse_edges(graph, latent)
    ends, note = (graph.index(cause), graph.index(target)), ""
    if not latent:
        graph = close_orientation(graph)
    elif (graph.marks == Mark.CIRCLE).any():
        graph, note = _without_knowledge(graph)
    return Criterion(graph, latent, *ends, note)


def _without_knowledge(pag: MixedGraph) -> tuple[MixedGraph, str]:
    """The PAG of the class, whose marks all members share, and a note where these are fewer."""
    shared = mag_to_pag(pag_to_mag(pag, strict=False))
    if shared == pag:
        return pag, ""
    if bool(((shared.marks != pag.marks) & (shared.marks != Mark.CIRCLE)).any()):
        raise GraphError("no MAG belongs to this PAG: its marks are not shared by any class of MAGs")
    return shared, "marks that only knowledge gives were not used"


def _refuse_edges(graph: MixedGraph, hidden: bool) -> None:
    for edge in graph.edges:
        if hidden and edge.mark in ("---", "o--"):
            raise GraphError(
                f"the edge {' '.join(edge)} stands for selection of rows, which adjustment does not allow for"
            )
        if not hidden and edge.mark not in ("-->", "---"):
            raise GraphError(f"the edge {' '.join(edge)} allows for hidden common causes: leave out hidden=False")


def _unite(sets: tuple[int, ...]) -> int:
    found = 0
    for each in sets:
        found |= each
    return found
