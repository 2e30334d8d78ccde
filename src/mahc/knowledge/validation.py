"""From knowledge to constraints: names are looked up, contradictions refused, consequences derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from mahc.errors import InvalidSettingError, KnowledgeError, UnknownNameError
from mahc.knowledge.beliefs import sum_log_odds
from mahc.knowledge.conflicts.contradictions import ContradictionError, find_conflict
from mahc.knowledge.conflicts.statements import (
    Kind,
    Requirements,
    Statement,
    collect_requirements,
    enumerate_statements,
    list_statements,
)
from mahc.knowledge.constraints import (
    ARC,
    EDGE,
    Constraints,
    Pair,
    all_arcs,
    explain_tiers,
    hold_nothing,
    list_virtual_arcs,
)

if TYPE_CHECKING:
    from mahc.knowledge.knowledge import Knowledge

SHOWN = 12  # reasons and names that the message lists


def check_knowledge(knowledge: Knowledge, names: Sequence[str], search_in_degree: int) -> Constraints:
    """The constraints on these variables; unknown names and contradictions are errors."""
    if search_in_degree < 0:
        raise InvalidSettingError("search_in_degree", search_in_degree, "give a whole number, 0 or more")
    positions = {name: i for i, name in enumerate(names)}
    contexts = knowledge.contexts
    _refuse_contexts(contexts, positions)
    knowledge = forbid_causes(knowledge, names)
    statements = list_statements(knowledge, search_in_degree)
    _refuse_unknown(knowledge, statements, positions)
    requirements = collect_requirements(statements, positions)
    if requirements.unplaceable():
        conflict = find_conflict(statements)
        assert conflict is not None
        raise ContradictionError(conflict)
    arcs, edges = _direct_edges(requirements)
    reasons = _list_reasons(knowledge, statements, names, arcs)
    reasons |= {(a, b): explain_context(a, b, contexts) for b in contexts for a in names if a != b}
    virtual, nodes = list_virtual_arcs({positions[v]: t for v, t in knowledge.tier_of.items()}, len(names))
    divisors = knowledge.targets
    free = not (arcs or edges or knowledge.tier_of or knowledge.forbidden_arcs or knowledge.forbidden_edges)
    constraints = Constraints(
        allowed=all_arcs(len(names)) if free else _allow(knowledge, positions, arcs),
        hold=hold_nothing(len(names)) if free else _hold(arcs, edges, len(names)),
        limit=np.array(requirements.limit, dtype=np.int32),
        virtual_arcs=virtual,
        nodes=nodes,
        divisors=tuple(divisors.get(name, 1.0) for name in names) if divisors else None,
        all_relevant=knowledge.all_relevant,
        names=tuple(names),
        tier_of=knowledge.tier_of,
        strict_tiers=knowledge.strict_tiers,
        reasons=reasons,
        free=free,
        log_odds=sum_log_odds(knowledge.beliefs),
        contexts=contexts,
    )
    if knowledge.all_relevant:
        refuse_unconnectable(constraints)
    return constraints


def forbid_causes(knowledge: Knowledge, names: Sequence[str]) -> Knowledge:
    """The same knowledge with the arcs into contexts forbidden one by one.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> forbid_causes(Knowledge(contexts=["year"]), ["pain", "year"]).forbidden_arcs
    (('pain', 'year'),)
    """
    if not knowledge.contexts:
        return knowledge
    own = set(knowledge.contexts)
    arcs = [(a, b) for b in knowledge.contexts for a in names if a not in own]
    edges = combinations(knowledge.contexts, 2)
    return replace(
        knowledge,
        forbidden_arcs=(*knowledge.forbidden_arcs, *arcs),
        forbidden_edges=(*knowledge.forbidden_edges, *edges),
        contexts=(),
    )


def explain_context(a: str, b: str, contexts: Sequence[str]) -> str:
    """Why there is no arc a -> b into a context.

    >>> explain_context("pain", "year", ["year"])
    'year is a context, which nothing causes'
    """
    if a in contexts:
        return f"{a} and {b} are contexts, whose dependence is taken as given"
    return f"{b} is a context, which nothing causes"


def _refuse_contexts(contexts: Sequence[str], positions: Mapping[str, int]) -> None:
    for name in contexts:
        if name not in positions:
            raise UnknownNameError("variable", name, positions, f"context {name}")
    if contexts and len(contexts) == len(positions):
        raise KnowledgeError("every variable is a context, so there is nothing to learn: leave some out")


def _refuse_unknown(knowledge: Knowledge, statements: Sequence[Statement], positions: Mapping[str, int]) -> None:
    named = [(str(statement), name) for statement in statements for name in statement.variables]
    named += [(f"target {name}", name) for name in knowledge.targets]
    named += [(f"belief {belief}", name) for belief in knowledge.beliefs for name in (belief.first, belief.second)]
    for where, name in named:
        if name not in positions:
            raise UnknownNameError("variable", name, positions, where)


def _direct_edges(requirements: Requirements) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """All required arcs, and the required edges that may still have either direction."""
    arcs, edges = set(requirements.arcs), set(requirements.edges)
    for u, v in sorted(requirements.edges):
        for turned in ((u, v), (v, u)):
            if requirements.unplaceable(turned):
                edges.discard((u, v))
                arcs.add(turned[::-1])
    return arcs, edges


def _allow(knowledge: Knowledge, positions: Mapping[str, int], arcs: set[tuple[int, int]]) -> NDArray[np.bool_]:
    n = len(positions)
    tier = np.zeros(n, dtype=np.int64)  # 0: in no tier
    for name, number in knowledge.tier_of.items():
        tier[positions[name]] = number
    before, after = tier[:, None], tier[None, :]
    barred = (before > after) & (after > 0)
    if knowledge.strict_tiers:
        barred |= (before == after) & (after > 0)
    allowed = ~barred
    np.fill_diagonal(allowed, False)
    for a, b in (*knowledge.forbidden_arcs, *knowledge.forbidden_edges):
        allowed[positions[a], positions[b]] = False
    for a, b in knowledge.forbidden_edges:
        allowed[positions[b], positions[a]] = False
    for u, v in arcs:
        allowed[v, u] = False
    return allowed


def _hold(arcs: set[tuple[int, int]], edges: set[tuple[int, int]], variables: int) -> NDArray[np.uint8]:
    hold = np.zeros((variables, variables), dtype=np.uint8)
    for u, v in edges:
        hold[u, v] = hold[v, u] = EDGE
    for u, v in arcs:
        hold[u, v] = ARC
    return hold


def _list_reasons(
    knowledge: Knowledge,
    statements: Sequence[Statement],
    names: Sequence[str],
    arcs: set[tuple[int, int]],
) -> dict[Pair, str]:
    """The reason, in words, for every arc that is required or forbidden, or whose direction follows from the rest."""
    reasons: dict[Pair, str] = {}
    for a, b in knowledge.forbidden_edges:
        reasons[a, b] = reasons[b, a] = f"forbidden edge {a} - {b}"
    for a, b in knowledge.forbidden_arcs:
        reasons[a, b] = f"forbidden arc {a} -> {b}"
    for a, b in knowledge.required_arcs:
        reasons[a, b] = f"required arc {a} -> {b}"
        reasons.setdefault((b, a), reasons[a, b])
    settled = {(names[u], names[v]) for u, v in arcs} - set(knowledge.required_arcs)
    for pair in knowledge.required_edges:
        turned = next((arc for arc in (pair, pair[::-1]) if arc in settled), None)
        if turned is not None:
            a, b = turned
            why = _why_not(b, a, knowledge, statements, reasons)
            reasons[a, b] = f"required edge {pair[0]} - {pair[1]}, which must be {a} -> {b} because of {why}"
            reasons.setdefault((b, a), reasons[a, b])
        elif pair not in knowledge.required_arcs and pair[::-1] not in knowledge.required_arcs:
            for arc in (pair, pair[::-1]):
                reasons[arc] = f"required edge {pair[0]} - {pair[1]}, in either direction"
    return reasons


def _why_not(a: str, b: str, knowledge: Knowledge, statements: Sequence[Statement], reasons: Mapping[Pair, str]) -> str:
    """Why a -> b is impossible, although a and b must be joined."""
    direct = reasons.get((a, b)) or explain_tiers(a, b, knowledge.tier_of, knowledge.strict_tiers)
    if direct is not None:
        return direct
    supposed = Statement(Kind.REQUIRED_ARC, (a, b))
    conflict = find_conflict([supposed, *statements])
    assert conflict is not None
    return enumerate_statements([statement for statement in conflict if statement != supposed])


def refuse_unconnectable(constraints: Constraints) -> None:
    """Raise a KnowledgeError if some variables can never be joined to the rest."""
    joinable = constraints.allowed & (constraints.limit > 0)[None, :]
    parts = _components(joinable | joinable.T)
    if len(parts) < 2:
        return
    names = constraints.names
    inside = min(parts, key=lambda part: (len(part), sorted(names[v] for v in part)))
    outside = sorted(set(range(len(names))) - set(inside), key=names.__getitem__)
    inside.sort(key=names.__getitem__)
    reasons: list[str] = []
    for u, v in product(inside, outside):
        for arc in ((u, v), (v, u)):
            reason = constraints.reason(*arc) or f"at most 0 parents of {names[arc[1]]}"
            if reason not in reasons:
                reasons.append(reason)
        if len(reasons) > SHOWN:
            reasons[SHOWN:] = ["and so on"]
            break
    group = ", ".join(names[v] for v in inside[:SHOWN]) + (", ..." if len(inside) > SHOWN else "")
    raise KnowledgeError(
        f"all_relevant asks for one connected graph, but nothing may join {group} to the rest ({', '.join(reasons)}): "
        "allow an arc between them or remove all_relevant"
    )


def _components(adjacent: NDArray[np.bool_]) -> list[list[int]]:
    """The connected components of an undirected graph."""
    waiting = np.ones(len(adjacent), dtype=bool)
    parts: list[list[int]] = []
    while waiting.any():
        part = np.zeros(len(adjacent), dtype=bool)
        part[int(waiting.argmax())] = True
        while True:
            grown = part | adjacent[part].any(axis=0)
            if (grown == part).all():
                break
            part = grown
        waiting &= ~part
        parts.append(np.flatnonzero(part).tolist())
    return parts
