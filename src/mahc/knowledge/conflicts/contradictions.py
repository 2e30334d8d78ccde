"""Whether statements can all hold in one graph, and which few of them cannot."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import count

from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.minimal_subset import find_irreducible, find_smallest
from mahc.knowledge.conflicts.requirements import collect_demand
from mahc.knowledge.conflicts.statements import Kind, Statement, enumerate_statements

Clash = tuple[Statement, ...]
LIMITS = (Kind.MAX_PARENTS, Kind.SEARCH_IN_DEGREE)


class ContradictionError(KnowledgeError):
    """Statements that no graph fulfils together; without any one of them there is a graph.

    >>> both = (Statement(Kind.REQUIRED_ARC, ("a", "b")), Statement(Kind.FORBIDDEN_EDGE, ("a", "b")))
    >>> str(ContradictionError(both))
    'required arc a -> b and forbidden edge a - b cannot hold together: take one of them back'
    """

    def __init__(self, clash: Clash) -> None:
        super().__init__(f"{enumerate_statements(clash)} cannot hold together: take one of them back")
        self.clash = clash


def find_clash(statements: Sequence[Statement]) -> Clash | None:
    """The fewest statements that no graph fulfils together, or None where one fulfils them all.

    Fewest without reservation where in-degrees play no part; where they do, the search for fewer is cut short
    when it takes too long (`smallest.EFFORT`), and then only none of them can be left out.
    """
    names = sorted({name for statement in statements for name in statement.variables})
    positions = {name: i for i, name in enumerate(names)}
    stuck = {names[v] for v in collect_demand(statements, positions).stuck()}
    if not stuck:
        return None
    # Leaving statements out only gets more variables unstuck: every clash lies among the stuck ones.
    near = [statement for statement in statements if stuck.issuperset(statement.variables)]
    plain = _fewest(near, [*_clash_on_pairs(near), *_clash_on_ways(near)])
    if plain is not None and (len(plain) == 2 or not _crowded(near)):
        return plain

    def clashes(some: Sequence[Statement]) -> bool:
        return bool(collect_demand(some, positions).stuck())

    known = _fewest(near, [*([plain] if plain else []), *_clash_on_parents(near)])
    return tuple(find_smallest(near, clashes, find_irreducible(known or near, clashes)))


def _fewest(statements: Sequence[Statement], found: Sequence[Clash]) -> Clash | None:
    """The smallest of these clashes, and among equals the first by its statements."""
    rank = {statement: i for i, statement in enumerate(statements)}
    clashes = [tuple(sorted(set(clash), key=rank.__getitem__)) for clash in found]
    return min(clashes, key=lambda clash: (len(clash), [rank[s] for s in clash]), default=None)


def _crowded(statements: Sequence[Statement]) -> bool:
    """Whether any variable could have more parents than it may when required edges all point to it."""
    coming: Counter[str] = Counter()
    for statement in statements:
        if statement.kind is Kind.REQUIRED_ARC:
            coming[statement.variables[1]] += 1
        elif statement.kind is Kind.REQUIRED_EDGE:
            coming.update(statement.variables)
    return any(any(coming[name] > s.number for name in s.variables or coming) for s in statements if s.kind in LIMITS)


def _clash_on_pairs(statements: Sequence[Statement]) -> Iterator[Clash]:
    """What one pair of variables is asked to be and not to be."""
    said = {(s.kind, s.variables): s for s in statements}
    tier = {s.variables[0]: s for s in statements if s.kind is Kind.IN_TIER}
    strict = said.get((Kind.STRICT_TIERS, ()))
    for wanted in statements:
        if wanted.kind not in (Kind.REQUIRED_ARC, Kind.REQUIRED_EDGE):
            continue
        a, b = wanted.variables
        edge = said.get((Kind.FORBIDDEN_EDGE, (min(a, b), max(a, b))))
        there, back = said.get((Kind.FORBIDDEN_ARC, (a, b))), said.get((Kind.FORBIDDEN_ARC, (b, a)))
        if edge:
            yield wanted, edge
        if there and wanted.kind is Kind.REQUIRED_ARC:
            yield wanted, there
        elif there and back:
            yield wanted, there, back
        if strict and a in tier and b in tier and tier[a].number == tier[b].number:
            yield wanted, tier[a], tier[b], strict


def _clash_on_ways(statements: Sequence[Statement]) -> Iterator[Clash]:
    """Directed ways that come round, or that lead from a later tier to an earlier one.

    A cycle that uses the order of the tiers more than once holds a smaller one that uses it once.
    """
    ways = _list_ways(statements)
    tier = {s.variables[0]: s for s in statements if s.kind is Kind.IN_TIER}
    best = len(statements) + 1
    for start in sorted(ways):
        for end, way in _walk(ways, start, best):
            if end == start:
                clash = way
            elif start in tier and end in tier and tier[start].number > tier[end].number:
                clash = (*way, tier[start], tier[end])
            else:
                continue
            best = min(best, len(clash))
            yield clash


Ways = dict[str, dict[str, Clash]]


def _list_ways(statements: Sequence[Statement]) -> Ways:
    """The arcs that statements force, each with the fewest statements that do."""
    back = {s.variables[::-1]: s for s in statements if s.kind is Kind.FORBIDDEN_ARC}
    ways: Ways = {}
    for statement in statements:
        a, b = statement.variables if len(statement.variables) == 2 else ("", "")
        if statement.kind is Kind.REQUIRED_ARC:
            ways.setdefault(a, {})[b] = (statement,)
        elif statement.kind is Kind.REQUIRED_EDGE:
            for u, v in ((a, b), (b, a)):
                if (u, v) in back:
                    ways.setdefault(u, {}).setdefault(v, (statement, back[u, v]))
    return ways


def _clash_on_parents(statements: Sequence[Statement]) -> Iterator[Clash]:
    """More arcs into one variable than it may have."""
    into: defaultdict[str, list[Clash]] = defaultdict(list)
    for after in _list_ways(statements).values():
        for child, because in after.items():
            into[child].append(because)
    for limit in statements:
        if limit.kind not in LIMITS:
            continue
        for child in limit.variables or sorted(into):
            cheapest = sorted(into[child], key=len)[: limit.number + 1]
            if len(cheapest) > limit.number:
                yield (*(statement for because in cheapest for statement in because), limit)


def _walk(ways: Ways, start: str, shorter_than: int) -> Iterator[tuple[str, Clash]]:
    """Every place on a way from `start` (itself too), with the fewest statements that lead there."""
    ticket = count()  # among equally short ways the one found first
    heap: list[tuple[int, int, str, Clash]] = [(0, next(ticket), start, ())]
    done: set[str] = set()
    while heap:
        length, _, place, way = heapq.heappop(heap)
        if place in done:
            continue
        if way:
            done.add(place)
            yield place, way
        for after, because in ways.get(place, {}).items() if place != start or not way else ():
            if after not in done and length + len(because) < shorter_than:
                heapq.heappush(heap, (length + len(because), next(ticket), after, (*way, *because)))
