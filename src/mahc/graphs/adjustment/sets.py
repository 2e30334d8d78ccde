"""Which sets of variables identify the effect of a cause on a target, and why none does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from mahc.errors import InvalidSettingError, SettingError
from mahc.graphs.adjustment.criterion import Criterion, make_criterion
from mahc.graphs.adjustment.front_door import front_door_sets
from mahc.graphs.adjustment.instruments import find_instruments
from mahc.graphs.adjustment.separators import minimal_separators
from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.graphs.marks import Mark
from mahc.graphs.mixed import MixedGraph
from mahc.graphs.names import as_group
from mahc.plurals import count, verb

LISTED = 1000
SHOWN = 10

Names = tuple[str, ...]


class Instrument(NamedTuple):
    """A variable that moves the cause and has no other way to the target.

    Parameters
    ----------
    variable : str
        The instrument.
    given : tuple of str
        The variables that must be held fixed.

    Examples
    --------
    >>> Instrument("tax", ()).variable
    'tax'
    """

    variable: str
    given: Names


@dataclass(frozen=True)
class AdjustmentSets:
    """What identifies the effect of a cause on a target in a graph; see `DAG.adjustment_sets`.

    A valid set Z gives P(target | do(cause)) as the sum over its states z of P(target | cause, z) P(z), in every DAG
    (or MAG) that the graph stands for.

    Parameters
    ----------
    cause, target : str
        The variables.
    effect : str
        "yes" if a directed path leads from the cause to the target, "no" if none can, "unknown" if that depends on
        edges whose direction or confounding the graph leaves open.
    sets : tuple of tuples of str
        The minimal valid sets: small ones first, then by name.
    complete : bool
        Whether these are all; otherwise the listing stopped at the limit.
    optimal : tuple of str or None
        The valid set with the smallest asymptotic variance (Henckel, Perković and Maathuis 2022). None with hidden
        variables, where there is no effect, or where one of its variables cannot be used.
    forbidden : tuple of str
        Variables that no valid set contains: they may follow the cause on its way to the target.
    reason : str
        Why there is no valid set, or why nothing needs to be adjusted for; empty where there is an effect and a set.
    note : str
        What was not used of a PAG with knowledge; empty otherwise.
    _finder : object
        What found the sets; it answers further questions.

    Examples
    --------
    >>> from mahc.graphs import DAG
    >>> dag = DAG(["c", "x", "y"], [("c", "x"), ("c", "y"), ("x", "y")])
    >>> found = dag.adjustment_sets("x", "y")
    >>> found.sets, found.optimal, found.is_valid([]), found.is_valid(["c"])
    ((('c',),), ('c',), False, True)
    >>> dag.adjustment_sets("x", "y", unmeasured="c").reason
    'no measured set blocks the path x <-- c --> y: c is unmeasured'
    """

    cause: str
    target: str
    effect: str
    sets: tuple[Names, ...]
    complete: bool
    optimal: Names | None
    forbidden: Names
    reason: str
    note: str
    _finder: _Finder = field(repr=False, compare=False)

    @cached_property
    def front_door(self) -> tuple[Names, ...]:
        """Minimal front-door sets of a DAG: all if they are few, otherwise some."""
        return self._finder.front_door()

    @cached_property
    def instruments(self) -> tuple[Instrument, ...]:
        """The instruments of a DAG, each with a set of variables to hold fixed."""
        return self._finder.instruments()

    def is_valid(self, given: str | Iterable[str]) -> bool:
        """Whether adjusting for these variables gives the effect.

        Parameters
        ----------
        given : str or list of str
            The variables; unmeasured and excluded ones may be among them.

        Returns
        -------
        bool
            Whether the set is valid.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> chain = DAG(["x", "m", "y"], [("x", "m"), ("m", "y")])
        >>> chain.adjustment_sets("x", "y").is_valid(["m"])
        False
        """
        criterion = self._finder.criterion
        chosen = to_bitset(criterion.graph.index(name) for name in as_group(given))
        return not chosen & (1 << criterion.x | 1 << criterion.y) and criterion.allows(chosen)

    def to_dict(self) -> dict[str, object]:
        """For JSON.

        Returns
        -------
        dict
            All fields, with lists instead of tuples.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> DAG(["x", "y"], [("x", "y")]).adjustment_sets("x", "y").to_dict()["sets"]
        [[]]
        """
        return {
            "cause": self.cause,
            "target": self.target,
            "effect": self.effect,
            "sets": [list(each) for each in self.sets],
            "complete": self.complete,
            "optimal": None if self.optimal is None else list(self.optimal),
            "forbidden": list(self.forbidden),
            "front_door": [list(each) for each in self.front_door],
            "instruments": [{"variable": each.variable, "given": list(each.given)} for each in self.instruments],
            "reason": self.reason or None,
            "note": self.note or None,
        }

    def lines(self) -> list[str]:
        """The answer in words, for people.

        Returns
        -------
        list of str
            Lines.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> dag = DAG(["c", "x", "y"], [("c", "x"), ("c", "y"), ("x", "y")])
        >>> print("\\n".join(dag.adjustment_sets("x", "y").lines()))
        Effect of x on y: 1 minimal adjustment set
          c
        Optimal set (smallest variance): c
        """
        lines = [self._headline(), *_listed([_show(each) for each in self.sets if self.effect != "no"])]
        if self.optimal is not None:
            lines.append(f"Optimal set (smallest variance): {_show(self.optimal)}")
        unusable = [name for name in self.forbidden if name != self.target]
        if unusable:
            lines.append(f"Not to be adjusted for, because they may follow {self.cause}: {', '.join(unusable)}")
        if self.front_door:
            lines += ["Front-door sets:", *_listed([_show(each) for each in self.front_door])]
        if self.instruments:
            shown = [f"{z}{f' given {_show(given)}' if given else ''}" for z, given in self.instruments]
            lines += ["Instruments:", *_listed(shown)]
        return [*lines, f"Note: {self.note}"] if self.note else lines

    def _headline(self) -> str:
        start = f"Effect of {self.cause} on {self.target}"
        if self.reason:
            return f"{start}: {self.reason}"
        number = count(len(self.sets), "minimal adjustment set")
        return f"{start}: {number if self.complete else f'more than {number}'}"


def find_adjustment_sets(
    graph: MixedGraph,
    cause: str,
    target: str,
    unmeasured: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    limit: int = LISTED,
    hidden: bool | None = None,
) -> AdjustmentSets:
    """`DAG.adjustment_sets` and `MixedGraph.adjustment_sets`.

    >>> graph = MixedGraph(["x", "y"], [("x", "---", "y")])
    >>> find_adjustment_sets(graph, "x", "y").reason
    'the graph does not say whether x --- y leads from x to y: direct it by knowledge'
    """
    if cause == target:
        raise SettingError(f"the effect of '{cause}' on itself was asked for: name two variables")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidSettingError("limit", limit, "give a whole number from 1")
    criterion = make_criterion(graph, cause, target, hidden)
    unknown, unwanted = _names(criterion, "unmeasured", unmeasured), _names(criterion, "exclude", exclude)
    return _Finder(criterion, unknown, unwanted).find(limit)


def _names(criterion: Criterion, setting: str, names: str | Iterable[str]) -> int:
    chosen = to_bitset(criterion.graph.index(name) for name in as_group(names))
    for end in (criterion.x, criterion.y):
        if chosen >> end & 1:
            raise InvalidSettingError(setting, criterion.graph.names[end], "the cause and the target must be measured")
    return chosen


class _Finder:
    """The sets among the variables that can be used, and the words where there are none."""

    def __init__(self, criterion: Criterion, unmeasured: int, excluded: int) -> None:
        self.criterion, self._unmeasured, self._excluded = criterion, unmeasured, excluded
        everything = (1 << len(criterion.graph.names)) - 1
        ends = 1 << criterion.x | 1 << criterion.y
        self._measured = everything & ~ends & ~unmeasured & ~excluded
        self._directed = not criterion.hidden and not any(criterion.graph.where(Mark.TAIL, Mark.TAIL))

    def find(self, limit: int) -> AdjustmentSets:
        criterion = self.criterion
        x, y = criterion.x, criterion.y
        _ = criterion.member  # refuses a graph that stands for no DAG or MAG
        sets: list[int] = []
        amenable = criterion.doubtful_path is None
        if amenable:
            usable = self._measured & ~criterion.forbidden
            sets = list(islice(minimal_separators(criterion.rest, x, y, usable), limit + 1))
        certain = bool(transitive_closure(1 << x, criterion.children) >> y & 1)
        effect = "yes" if certain else "no" if amenable else "unknown"
        return AdjustmentSets(
            cause=criterion.graph.names[x],
            target=criterion.graph.names[y],
            effect=effect,
            sets=tuple(sorted((self._sorted(each) for each in sets[:limit]), key=_by_size)),
            complete=len(sets) <= limit,
            optimal=self._optimal() if certain and amenable else None,
            forbidden=self._sorted(criterion.forbidden) if amenable else (),
            reason=self._reason(effect, bool(sets)),
            note=criterion.note,
            _finder=self,
        )

    def _sorted(self, bitset: int) -> Names:
        return tuple(self.criterion.graph.names[v] for v in members(bitset))  # indices are in the order of names

    def _optimal(self) -> Names | None:
        criterion = self.criterion
        if criterion.hidden:
            return None
        chosen = 0
        for v in members(criterion.between):
            chosen |= criterion.parents[v]
        chosen &= ~criterion.forbidden & ~(1 << criterion.x)
        return None if chosen & ~self._measured else self._sorted(chosen)

    def front_door(self) -> tuple[Names, ...]:
        """See `AdjustmentSets.front_door`."""
        criterion = self.criterion
        if not self._directed:
            return ()
        found = front_door_sets(criterion.member, criterion.x, criterion.y, self._measured)
        return tuple(sorted(map(self._sorted, found), key=_by_size))

    def instruments(self) -> tuple[Instrument, ...]:
        """See `AdjustmentSets.instruments`."""
        criterion = self.criterion
        if not self._directed:
            return ()
        found = find_instruments(criterion.member, criterion.rest, criterion.x, criterion.y, self._measured)
        return tuple(Instrument(criterion.graph.names[z], self._sorted(given)) for z, given in found)

    def _reason(self, effect: str, any_set: bool) -> str:
        criterion = self.criterion
        names, x, y = criterion.graph.names, criterion.x, criterion.y
        if effect == "no":
            return f"there is none, because no directed path leads from {names[x]} to {names[y]}"
        if criterion.doubtful_path is not None:
            return self._doubt(criterion.doubtful_path)
        if any_set:
            return ""
        path = criterion.rest.open_path(x, y, criterion.largest(self._measured & ~criterion.forbidden))
        assert path is not None
        return f"no measured set blocks the path {criterion.show(path)}{self._obstacles(path)}"

    def _doubt(self, path: list[int]) -> str:
        criterion = self.criterion
        names, x, y = criterion.graph.names, criterion.x, criterion.y
        first, whole = criterion.show(path[:2]), criterion.show(path)
        through = "" if len(path) == 2 else f" on the path {whole}"
        if criterion.children[x] >> path[1] & 1:
            return (
                f"the graph does not exclude a hidden common cause of {names[x]} and {names[path[1]]} "
                f"(the arc {first} is not visible){through}"
            )
        ends = f"from {names[x]} to {names[y]}"
        fix = "" if criterion.hidden else ": direct it by knowledge"
        return f"the graph does not say whether {first} leads {ends}{through}{fix}"

    def _obstacles(self, path: list[int]) -> str:
        """Which variables of the path would block it, and why they cannot be used."""
        criterion, found = self.criterion, []
        inner = to_bitset(path[1:-1])
        for group, why in (
            (self._unmeasured, "unmeasured"),
            (self._excluded & ~self._unmeasured, "excluded"),
            (criterion.forbidden & ~self._unmeasured & ~self._excluded, f"after {criterion.graph.names[criterion.x]}"),
        ):
            names = self._sorted(inner & group)
            if names:
                found.append(f"{', '.join(names)} {verb(len(names))} {why}")
        return f": {' and '.join(found)}" if found else ""


def _by_size(names: Names) -> tuple[int, Names]:
    return len(names), names


def _show(names: Names) -> str:
    return ", ".join(names) if names else "nothing"


def _listed(texts: list[str]) -> list[str]:
    lines = [f"  {text}" for text in texts[:SHOWN]]
    left = len(texts) - SHOWN
    return [*lines, f"  and {left:,} more"] if left > 0 else lines
