"""Whether all statements can hold in one graph, and the smallest set of them that cannot."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import count

from mahc.errors import KnowledgeError
from mahc.knowledge.conflicts.minimal_subset import find_irreducible, find_smallest
from mahc.knowledge.conflicts.statements import Kind, Statement, collect_requirements, enumerate_statements

Conflict = tuple[Statement, ...]
LIMITS = (Kind.MAX_PARENTS, Kind.SEARCH_IN_DEGREE)


class ContradictionError(KnowledgeError):
    """Statements that no graph fulfils together; if any one of them is removed, some graph does.

    >>> both = (Statement(Kind.REQUIRED_ARC, ("a", "b")), Statement(Kind.FORBIDDEN_EDGE, ("a", "b")))
    >>> str(ContradictionError(both))
    'required arc a -> b and forbidden edge a - b contradict each other: remove one'
    """

    def __init__(self, conflict: Conflict) -> None:
        super().__init__(f"{enumerate_statements(conflict)} contradict each other: remove one")
        self.conflict = conflict


def find_conflict(statements: Sequence[Statement]) -> Conflict | None:
    """The smallest set of statements that no graph fulfils together; None where some graph fulfils them all.

    It is the smallest where in-degrees play no part. Where they do, the search for a smaller set ends when its budget
    is used up (`minimal_subset.EFFORT`); the set is then still irreducible: without any of its statements some graph
    fulfils the rest.
    """
    names = sorted({name for statement in statements for name in statement.variables})
    positions = {name: i for i, name in enumerate(names)}
    unplaceable = {names[v] for v in collect_requirements(statements, positions).unplaceable()}
    if not unplaceable:
        return None
    # With fewer statements more variables can be placed, so every conflict is among those that cannot.
    near = [statement for statement in statements if unplaceable.issuperset(statement.variables)]
    plain = _smallest(near, [*_conflicts_on_pairs(near), *_conflicts_on_paths(near)])
    if plain is not None and (len(plain) == 2 or not _in_degrees_matter(near)):
        return plain

    def conflicts(some: Sequence[Statement]) -> bool:
        return bool(collect_requirements(some, positions).unplaceable())

    known = _smallest(near, [*([plain] if plain else []), *_conflicts_on_in_degrees(near)])
    return tuple(find_smallest(near, conflicts, find_irreducible(known or near, conflicts)))


def _smallest(statements: Sequence[Statement], found: Sequence[Conflict]) -> Conflict | None:
    """The smallest of these conflicts; among equals the first by the order of its statements."""
    rank = {statement: i for i, statement in enumerate(statements)}
    conflicts = [tuple(sorted(set(conflict), key=rank.__getitem__)) for conflict in found]
    return min(conflicts, key=lambda conflict: (len(conflict), [rank[s] for s in conflict]), default=None)


def _in_degrees_matter(statements: Sequence[Statement]) -> bool:
    """Whether any variable would have too many parents if all required edges at it pointed to it."""
    coming: Counter[str] = Counter()
    for statement in statements:
        if statement.kind is Kind.REQUIRED_ARC:
            coming[statement.variables[1]] += 1
        elif statement.kind is Kind.REQUIRED_EDGE:
            coming.update(statement.variables)
    return any(any(coming[name] > s.number for name in s.variables or coming) for s in statements if s.kind in LIMITS)


def _conflicts_on_pairs(statements: Sequence[Statement]) -> Iterator[Conflict]:
    """Statements about one pair of variables that contradict each other."""
    given = {(s.kind, s.variables): s for s in statements}
    tier = {s.variables[0]: s for s in statements if s.kind is Kind.IN_TIER}
    strict = given.get((Kind.STRICT_TIERS, ()))
    for wanted in statements:
        if wanted.kind not in (Kind.REQUIRED_ARC, Kind.REQUIRED_EDGE):
            continue
        a, b = wanted.variables
        edge = given.get((Kind.FORBIDDEN_EDGE, (min(a, b), max(a, b))))
        there, back = given.get((Kind.FORBIDDEN_ARC, (a, b))), given.get((Kind.FORBIDDEN_ARC, (b, a)))
        if edge:
            yield wanted, edge
        if there and wanted.kind is Kind.REQUIRED_ARC:
            yield wanted, there
        elif there and back:
            yield wanted, there, back
        if strict and a in tier and b in tier and tier[a].number == tier[b].number:
            yield wanted, tier[a], tier[b], strict


def _conflicts_on_paths(statements: Sequence[Statement]) -> Iterator[Conflict]:
    """Cycles of forced arcs, and paths of forced arcs from a later tier to an earlier one.

    A cycle that uses the order of the tiers more than once contains a smaller one that uses it once.
    """
    forced = _list_forced_arcs(statements)
    tier = {s.variables[0]: s for s in statements if s.kind is Kind.IN_TIER}
    best = len(statements) + 1
    for start in sorted(forced):
        for end, path in _walk(forced, start, best):
            if end == start:
                conflict = path
            elif start in tier and end in tier and tier[start].number > tier[end].number:
                conflict = (*path, tier[start], tier[end])
            else:
                continue
            best = min(best, len(conflict))
            yield conflict


ForcedArcs = dict[str, dict[str, Conflict]]


def _list_forced_arcs(statements: Sequence[Statement]) -> ForcedArcs:
    """The arcs that statements force, each with the smallest set of statements that does."""
    back = {s.variables[::-1]: s for s in statements if s.kind is Kind.FORBIDDEN_ARC}
    forced: ForcedArcs = {}
    for statement in statements:
        a, b = statement.variables if len(statement.variables) == 2 else ("", "")
        if statement.kind is Kind.REQUIRED_ARC:
            forced.setdefault(a, {})[b] = (statement,)
        elif statement.kind is Kind.REQUIRED_EDGE:
            for u, v in ((a, b), (b, a)):
                if (u, v) in back:
                    forced.setdefault(u, {}).setdefault(v, (statement, back[u, v]))
    return forced


def _conflicts_on_in_degrees(statements: Sequence[Statement]) -> Iterator[Conflict]:
    """More forced arcs into one variable than its in-degree allows."""
    into: defaultdict[str, list[Conflict]] = defaultdict(list)
    for after in _list_forced_arcs(statements).values():
        for child, because in after.items():
            into[child].append(because)
    for limit in statements:
        if limit.kind not in LIMITS:
            continue
        for child in limit.variables or sorted(into):
            cheapest = sorted(into[child], key=len)[: limit.number + 1]
            if len(cheapest) > limit.number:
                yield (*(statement for because in cheapest for statement in because), limit)


def _walk(forced: ForcedArcs, start: str, shorter_than: int) -> Iterator[tuple[str, Conflict]]:
    """Every variable that forced arcs lead to from `start`, itself included, with the fewest statements for it."""
    order_found = count()  # among paths of equal length the one found first
    heap: list[tuple[int, int, str, Conflict]] = [(0, next(order_found), start, ())]
    done: set[str] = set()
    while heap:
        length, _, variable, path = heapq.heappop(heap)
        if variable in done:
            continue
        if path:
            done.add(variable)
            yield variable, path
        for after, because in forced.get(variable, {}).items() if variable != start or not path else ():
            if after not in done and length + len(because) < shorter_than:
                heapq.heappush(heap, (length + len(because), next(order_found), after, (*path, *because)))
