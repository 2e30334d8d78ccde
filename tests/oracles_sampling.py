"""Slow, obvious counterparts of the sampler: all DAGs, sums over DAGs by inclusion and exclusion, kernels of moves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Set = frozenset[int]
Graph = tuple[Set, ...]  # the parents of each variable
Lists = Sequence[Mapping[Set, float]]  # of each variable: parent sets and their scores in nats


@dataclass(frozen=True)
class Rules:
    """What a graph obeys besides its lists: edges that must be there in either direction, arcs of virtual nodes."""

    edges: tuple[tuple[int, int], ...] = ()
    virtual_arcs: tuple[tuple[int, int], ...] = ()

    def obeyed(self, graph: Graph) -> bool:
        joined = all(u in graph[v] or v in graph[u] for u, v in self.edges)
        return joined and not has_cycle(graph, self.virtual_arcs)


FREE = Rules()


def has_cycle(graph: Graph, more: Sequence[tuple[int, int]] = ()) -> bool:
    arcs = {(u, v) for v, parents in enumerate(graph) for u in parents} | set(more)
    while arcs:
        heads = {v for _, v in arcs}
        left = {(u, v) for u, v in arcs if u in heads}
        if left == arcs:
            return True
        arcs = left
    return False


def all_graphs(lists: Lists, rules: Rules = FREE) -> dict[Graph, float]:
    """The probability of every legal DAG."""
    found = {
        graph: math.fsum(lists[v][parents] for v, parents in enumerate(graph))
        for graph in itertools.product(*(list(mine) for mine in lists))
        if rules.obeyed(graph)
    }
    top = max(found.values())
    total = math.fsum(math.exp(score - top) for score in found.values())
    return {graph: math.exp(score - top) / total for graph, score in found.items()}


def arcs_by_enumeration(lists: Lists, rules: Rules = FREE) -> dict[tuple[int, int], float]:
    n = len(lists)
    graphs = all_graphs(lists, rules)
    return {
        (u, v): math.fsum(p for graph, p in graphs.items() if u in graph[v])
        for u, v in itertools.permutations(range(n), 2)
    }


def total_weight(weights: Sequence[Mapping[int, float]]) -> float:
    """The sum over all DAGs of the product of weights, by inclusion and exclusion over sinks (Tian and He 2009).

    `weights[v]` has the weight of every parent set, as bits.
    """
    n = len(weights)
    inside = [[0.0] * (1 << n) for _ in range(n)]  # [v][S]: the sum over the parent sets within S
    for v, mine in enumerate(weights):
        row = inside[v]
        for parents, weight in mine.items():
            row[parents] += weight
        for u in range(n):
            for some in range(1 << n):
                if some >> u & 1:
                    row[some] += row[some ^ (1 << u)]
    sums = [0.0] * (1 << n)
    sums[0] = 1.0
    for some in range(1, 1 << n):
        found, sinks = 0.0, some
        while sinks:
            rest = some ^ sinks
            product = sums[rest]
            for v in range(n):
                if sinks >> v & 1:
                    product *= inside[v][rest]
            found += product if bin(sinks).count("1") % 2 else -product
            sinks = (sinks - 1) & some
        sums[some] = found
    return sums[-1]


def arc_by_inclusion(lists: Lists, arcs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """The probabilities of some arcs over all DAGs, without a list of these."""
    weights = [
        {sum(1 << u for u in parents): math.exp(score - max(mine.values())) for parents, score in mine.items()}
        for mine in lists
    ]
    total = total_weight(weights)
    found = {}
    for u, v in arcs:
        with_arc = [*weights]
        with_arc[v] = {parents: weight for parents, weight in weights[v].items() if parents >> u & 1}
        found[u, v] = total_weight(with_arc) / total
    return found


def _fitting(lists: Lists, rules: Rules, graph: Graph, v: int, must: Set = frozenset()) -> dict[Set, float]:
    """The weights of the sets that v may have in this graph."""
    found = {}
    for parents, score in lists[v].items():
        changed = (*graph[:v], parents, *graph[v + 1 :])
        own = Rules(tuple(edge for edge in rules.edges if v in edge), rules.virtual_arcs)
        if must <= parents and own.obeyed(changed):
            found[parents] = math.exp(score)
    return found


def redraw_kernel(lists: Lists, rules: Rules, graph: Graph) -> Iterator[tuple[Graph, float]]:
    n = len(lists)
    for v in range(n):
        fitting = _fitting(lists, rules, graph, v)
        total = sum(fitting.values())
        for parents, weight in fitting.items():
            yield (*graph[:v], parents, *graph[v + 1 :]), weight / total / n


def flip_kernel(lists: Lists, rules: Rules, graph: Graph) -> Iterator[tuple[Graph, float]]:
    arcs = [(u, v) for v, parents in enumerate(graph) for u in parents]
    if not arcs:
        yield graph, 1.0
    for i, j in arcs:
        other = list(graph)
        other[j], other[i] = graph[j] - {i}, graph[i] | {j}
        chance = 0.0
        if all(other[w] in lists[w] for w in (i, j)) and rules.obeyed(tuple(other)):
            change = sum(lists[w][other[w]] - lists[w][graph[w]] for w in (i, j))
            chance = min(1.0, math.exp(change))
        yield tuple(other), chance / len(arcs)
        yield graph, (1 - chance) / len(arcs)


def reverse_kernel(lists: Lists, rules: Rules, graph: Graph) -> Iterator[tuple[Graph, float]]:
    """The REV move of Grzegorczyk and Husmeier (2008)."""
    arcs = [(u, v) for v, parents in enumerate(graph) for u in parents]
    if not arcs:
        yield graph, 1.0
    none: Set = frozenset()

    def put(start: Graph, v: int, parents: Set) -> Graph:
        return (*start[:v], parents, *start[v + 1 :])

    for i, j in arcs:
        bare = put(put(graph, i, none), j, none)
        there, back = _fitting(lists, rules, bare, i, frozenset({j})), _fitting(lists, rules, bare, j, frozenset({i}))
        any_i = sum(_fitting(lists, rules, put(bare, j, graph[j]), i).values())
        if not there:
            yield graph, 1 / len(arcs)
        for new_i, weight in there.items():
            middle = put(bare, i, new_i)
            after = _fitting(lists, rules, middle, j)
            drawn = weight / sum(there.values()) / len(arcs)
            if not after:
                yield graph, drawn
            for new_j, final in after.items():
                found = put(middle, j, new_j)
                arcs_now = sum(len(parents) for parents in found)
                odds = len(arcs) / arcs_now * sum(there.values()) / sum(back.values()) * sum(after.values()) / any_i
                chance = min(1.0, odds)
                step = drawn * final / sum(after.values())
                yield found, step * chance
                yield graph, step * (1 - chance)


def pair_kernel(lists: Lists, rules: Rules, graph: Graph) -> Iterator[tuple[Graph, float]]:
    """The parents of two variables from all pairs of sets that fit; the last variable is a candidate of none."""
    n = len(lists)
    for i in range(n):
        others = [u for u in range(n - 1) if u != i]
        for j in others:
            chance = 1 / n / len(others)
            if (i, j) in rules.edges or (j, i) in rules.edges:
                yield graph, chance
                continue
            fitting: dict[Graph, float] = {}
            for mine, theirs in itertools.product(lists[i], lists[j]):
                found = tuple(mine if v == i else theirs if v == j else parents for v, parents in enumerate(graph))
                if rules.obeyed(found):
                    fitting[found] = math.exp(lists[i][mine] + lists[j][theirs])
            for found, weight in fitting.items():
                yield found, chance * weight / sum(fitting.values())


KERNELS = {"redraw": redraw_kernel, "flip": flip_kernel, "reverse": reverse_kernel, "pair": pair_kernel}
