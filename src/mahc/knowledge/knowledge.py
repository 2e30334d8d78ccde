"""What the user knows about the graph: required, forbidden and ordered arcs, variables of special interest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from msgspec import field
from msgspec.structs import force_setattr

from mahc.documents import Document
from mahc.errors import KnowledgeError, UnknownNameError
from mahc.knowledge.beliefs import Belief, check_beliefs
from mahc.knowledge.parsing import check_flag, check_numbers, check_pairs, check_tiers

if TYPE_CHECKING:
    from mahc.knowledge.constraints import Constraints

Pair = tuple[str, str]
Pairs = Iterable[Pair]


class Knowledge(Document, frozen=True, kw_only=False):
    """Constraints on the graph; sorted and without duplicates, so that equal knowledge compares equal.

    Parameters
    ----------
    required_arcs : list of (from, to)
        Arcs that the graph must have.
    required_edges : list of (name, name)
        Pairs that must be joined; the data choose the direction.
    forbidden_arcs : list of (from, to)
        Arcs that the graph must not have; the opposite arc is allowed.
    forbidden_edges : list of (name, name)
        Pairs that must not be joined.
    tiers : list of lists of str
        Groups of variables, earliest first; variables may be left out. No directed path leads from a later tier to an
        earlier one, whatever variables it passes.
    strict_tiers : bool
        Whether arcs within a tier are forbidden as well.
    targets : dict of str to float
        Variables whose penalty is divided by the number, which is greater than 1, so that they get more parents.
    all_relevant : bool
        Whether the graph must be connected.
    max_parents : dict of str to int
        A lower limit on the number of parents of single variables; it never raises the limit of the search.
    beliefs : list of str
        How probable arcs are, such as "smoke -> lung = 0.8", or "smoke - lung = 0.8" for either direction. Each adds
        log(p / (1 - p)) to the score of the graphs that have the arc, so 0.5 changes nothing; beliefs about the same
        arc add up.
    contexts : list of str
        Variables that say where or when a row comes from, such as hospital or year. Nothing causes them, their
        dependence on each other is taken as given, and arcs out of them say what differs between the places.

    Raises
    ------
    KnowledgeError
        If a field does not have this form.

    Examples
    --------
    >>> known = Knowledge(required_arcs=[("smoke", "lung")], tiers=[["asia"], ["xray"]])
    >>> known
    Knowledge(required_arcs=(('smoke', 'lung'),), tiers=(('asia',), ('xray',)))
    >>> known == Knowledge.from_dict(known.to_dict())
    True
    """

    required_arcs: tuple[Pair, ...] = ()
    required_edges: tuple[Pair, ...] = ()
    forbidden_arcs: tuple[Pair, ...] = ()
    forbidden_edges: tuple[Pair, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    strict_tiers: bool = False
    targets: dict[str, float] = field(default_factory=dict)
    all_relevant: bool = False
    max_parents: dict[str, int] = field(default_factory=dict)
    beliefs: tuple[Belief, ...] = ()
    contexts: tuple[str, ...] = ()

    if TYPE_CHECKING:  # what a person may give; the fields hold it checked and sorted

        def __init__(
            self,
            required_arcs: Pairs = (),
            required_edges: Pairs = (),
            forbidden_arcs: Pairs = (),
            forbidden_edges: Pairs = (),
            tiers: Iterable[Iterable[str]] = (),
            strict_tiers: bool = False,
            targets: Mapping[str, float] | Iterable[tuple[str, float]] = (),
            all_relevant: bool = False,
            max_parents: Mapping[str, int] | Iterable[tuple[str, int]] = (),
            beliefs: Iterable[str | Belief | Sequence[object]] = (),
            contexts: Iterable[str] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        for name, check in CHECKS.items():
            force_setattr(self, name, check(name, getattr(self, name)))

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in self._values() if value]
        return f"Knowledge({', '.join(parts)})"

    def _values(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self.__struct_fields__]

    @property
    def empty(self) -> bool:
        """Whether there are no constraints at all."""
        return self == Knowledge()

    @cached_property
    def tier_of(self) -> dict[str, int]:
        """Name -> number of its tier, counted from 1, tier by tier."""
        return {name: number for number, tier in enumerate(self.tiers, 1) for name in tier}

    def merged(self, other: Knowledge) -> Knowledge:
        """Both together; a KnowledgeError if their tiers differ, because two lists of tiers have no common order.

        Parameters
        ----------
        other : Knowledge
            More constraints.

        Returns
        -------
        Knowledge
            All constraints.

        Examples
        --------
        >>> Knowledge(forbidden_arcs=[("a", "b")]).merged(Knowledge(forbidden_arcs=[("b", "c")]))
        Knowledge(forbidden_arcs=(('a', 'b'), ('b', 'c')))
        """
        if self.tiers and other.tiers and self.tiers != other.tiers:
            raise KnowledgeError("two different lists of tiers are given: give all tiers in one place")
        return Knowledge(
            required_arcs=self.required_arcs + other.required_arcs,
            required_edges=self.required_edges + other.required_edges,
            forbidden_arcs=self.forbidden_arcs + other.forbidden_arcs,
            forbidden_edges=self.forbidden_edges + other.forbidden_edges,
            tiers=self.tiers or other.tiers,
            strict_tiers=self.strict_tiers or other.strict_tiers,
            targets=[*self.targets.items(), *other.targets.items()],
            all_relevant=self.all_relevant or other.all_relevant,
            max_parents=[*self.max_parents.items(), *other.max_parents.items()],
            beliefs=self.beliefs + other.beliefs,
            contexts=self.contexts + other.contexts,
        )

    def to_dict(self) -> dict[str, Any]:
        """The knowledge as lists, tables, numbers and strings, as in a JSON or TOML file.

        Returns
        -------
        dict
            Kind of constraint -> constraints.

        Examples
        --------
        >>> Knowledge(required_arcs=[("a", "b")]).to_dict()["required_arcs"]
        [['a', 'b']]
        """
        return {name: _to_lists(value) for name, value in self._values()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Knowledge:
        """The knowledge in such a dictionary; an unknown key is an error.

        Parameters
        ----------
        content : mapping
            Kind of constraint -> constraints.

        Returns
        -------
        Knowledge
            The constraints.

        Examples
        --------
        >>> Knowledge.from_dict({"targets": {"lung": 2}})
        Knowledge(targets={'lung': 2.0})
        """
        if not isinstance(content, Mapping):
            raise KnowledgeError(f"knowledge is {content!r}: give a table of constraints by their kind")
        for key in content:
            if key not in cls.__struct_fields__:
                raise UnknownNameError("kind of knowledge", str(key), cls.__struct_fields__)
        return cls(**content)

    def check(self, names: Sequence[str], search_in_degree: int) -> Constraints:
        """The constraints on the variables `names`; a contradiction is an error that names the fewest statements.

        Parameters
        ----------
        names : list of str
            The variables.
        search_in_degree : int
            The largest number of parents of a variable.

        Returns
        -------
        Constraints
            The constraints, by the numbers of the variables.

        Examples
        --------
        >>> Knowledge(required_arcs=[("a", "b"), ("b", "a")]).check(["a", "b", "c"], search_in_degree=8)
        Traceback (most recent call last):
        ...
        mahc.knowledge.conflicts.contradictions.ContradictionError: required arc a -> b and ...
        """
        from mahc.knowledge.validation import check_knowledge

        return check_knowledge(self, names, search_in_degree)


def _to_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, Belief):
        return [value.first, value.mark, value.second, value.probability]
    return [_to_lists(part) for part in value] if isinstance(value, tuple) else value


def _check_tiers(field: str, given: object) -> tuple[tuple[str, ...], ...]:
    return check_tiers(given)


def _check_targets(field: str, given: object) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, number in check_numbers(field, given):
        if not 1 < number < float("inf"):
            raise KnowledgeError(
                f"the penalty of target '{name}' would be divided by {number}: give a number greater than 1"
            )
        if found.setdefault(name, float(number)) != number:
            raise KnowledgeError(f"target '{name}' is given both {found[name]} and {number}: give one of them")
    return dict(sorted(found.items()))


def _check_max_parents(field: str, given: object) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in check_numbers(field, given):
        if number < 0 or number != int(number):
            raise KnowledgeError(f"{field} of '{name}' is {number}: give a whole number, 0 or more")
        found[name] = min(int(number), found.get(name, int(number)))  # of two limits both must hold
    return dict(sorted(found.items()))


def _check_contexts(field: str, given: object) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    if isinstance(given, str) or not all(isinstance(name, str) for name in listed):
        raise KnowledgeError(f"{field} is {given!r}: give a list of names")
    return tuple(sorted({str(name) for name in listed}))


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "required_arcs": check_pairs,
    "required_edges": partial(check_pairs, directed=False),
    "forbidden_arcs": check_pairs,
    "forbidden_edges": partial(check_pairs, directed=False),
    "tiers": _check_tiers,
    "strict_tiers": check_flag,
    "targets": _check_targets,
    "all_relevant": check_flag,
    "max_parents": _check_max_parents,
    "beliefs": check_beliefs,
    "contexts": _check_contexts,
}
