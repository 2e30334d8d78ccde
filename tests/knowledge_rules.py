"""Knowledge as the rules of the slow searches."""

from __future__ import annotations

import itertools

import numpy as np
import oracles_search as slow

from mahc.knowledge.knowledge import Knowledge


def rules_of(knowledge: Knowledge, names: list[str], in_degree: int) -> slow.Rules:
    place = {name: i for i, name in enumerate(names)}
    barred = {(place[a], place[b]) for a, b in knowledge.forbidden_arcs}
    for a, b in knowledge.forbidden_edges:
        barred |= {(place[a], place[b]), (place[b], place[a])}
    tier = {place[name]: t for t, group in enumerate(knowledge.tiers) for name in group}
    for a, b in itertools.permutations(tier, 2):
        if tier[a] > tier[b] or (knowledge.strict_tiers and tier[a] == tier[b]):
            barred.add((a, b))
    allowed = frozenset(set(itertools.permutations(range(len(names)), 2)) - barred)
    limits = dict(knowledge.max_parents)
    return slow.Rules(
        variables=len(names),
        allowed=allowed,
        limit={place[name]: min(in_degree, limits.get(name, in_degree)) for name in names},
        required=frozenset((place[a], place[b]) for a, b in knowledge.required_arcs),
        required_edges=frozenset(frozenset((place[a], place[b])) for a, b in knowledge.required_edges),
        tiers=tier,
    )


def with_consequences(rules: slow.Rules, knowledge: Knowledge, names: list[str], in_degree: int) -> slow.Rules:
    """The rules with what follows from them (the constraints are tested against enumeration elsewhere)."""
    drawn = knowledge.check(names, in_degree)
    held = {frozenset((int(u), int(v))) for u, v in zip(*np.nonzero(drawn.hold == 1), strict=True)}
    return slow.Rules(
        variables=rules.variables,
        allowed=frozenset((int(u), int(v)) for u, v in zip(*np.nonzero(drawn.allowed), strict=True)),
        limit=rules.limit,
        required=frozenset((int(u), int(v)) for u, v in zip(*np.nonzero(drawn.hold == 2), strict=True)),
        required_edges=frozenset(held),
        tiers=rules.tiers,
    )
