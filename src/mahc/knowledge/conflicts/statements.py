"""Knowledge as the single statements that the user made and could remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.knowledge.knowledge import Knowledge


class Kind(Enum):
    """What a statement is about; the value is its text."""

    REQUIRED_ARC = "required arc {0} -> {1}"
    REQUIRED_EDGE = "required edge {0} - {1}"
    FORBIDDEN_ARC = "forbidden arc {0} -> {1}"
    FORBIDDEN_EDGE = "forbidden edge {0} - {1}"
    IN_TIER = "{0} in tier {number}"
    STRICT_TIERS = "strict tiers"
    MAX_PARENTS = "at most {count} of {0} (max_parents)"
    SEARCH_IN_DEGREE = "at most {count} of any variable (search_in_degree)"


@dataclass(frozen=True)
class Statement:
    """One thing that must hold; `number` is a tier, counted from 1, or the largest number of parents.

    >>> str(Statement(Kind.FORBIDDEN_ARC, ("smoke", "lung")))
    'forbidden arc smoke -> lung'
    >>> str(Statement(Kind.MAX_PARENTS, ("lung",), 1))
    'at most 1 parent of lung (max_parents)'
    """

    kind: Kind
    variables: tuple[str, ...] = ()
    number: int = 0

    def __str__(self) -> str:
        parents = count(self.number, "parent")
        return self.kind.value.format(*self.variables, number=self.number, count=parents)


def list_statements(knowledge: Knowledge, search_in_degree: int) -> list[Statement]:
    """All statements that decide which graphs are legal, by kind and then by name."""
    pairs = [
        (Kind.REQUIRED_ARC, knowledge.required_arcs),
        (Kind.REQUIRED_EDGE, knowledge.required_edges),
        (Kind.FORBIDDEN_ARC, knowledge.forbidden_arcs),
        (Kind.FORBIDDEN_EDGE, knowledge.forbidden_edges),
    ]
    found = [Statement(kind, pair) for kind, group in pairs for pair in group]
    found += [Statement(Kind.IN_TIER, (name,), tier) for name, tier in knowledge.tier_of.items()]
    if knowledge.strict_tiers:
        found.append(Statement(Kind.STRICT_TIERS))
    found += [Statement(Kind.MAX_PARENTS, (name,), most) for name, most in knowledge.max_parents.items()]
    found.append(Statement(Kind.SEARCH_IN_DEGREE, (), search_in_degree))
    return found


def enumerate_statements(statements: Sequence[Statement]) -> str:
    """The statements as part of a sentence.

    >>> enumerate_statements([Statement(Kind.STRICT_TIERS), Statement(Kind.IN_TIER, ("age",), 1)])
    'strict tiers and age in tier 1'
    """
    words = [str(statement) for statement in statements]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
