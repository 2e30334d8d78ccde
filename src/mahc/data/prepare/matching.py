"""The state that a value means: how a model finds the values of new rows and of evidence among its own states."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import MISSING_STATE, State
from mahc.data.prepare.discretise.interval_labels import interval_labels
from mahc.data.prepare.interval_states import cut_points_of
from mahc.data.prepare.notes import merged_label
from mahc.data.prepare.spellings import merging_key
from mahc.data.prepare.types import TRUTH_WORDS, label, parse_number, with_point
from mahc.errors import UnknownNameError

if TYPE_CHECKING:
    from mahc.data.settings import ReadSettings

UNKNOWN = -1
Codes = NDArray[np.int64]


class StateFinder:
    """Finds the state of one variable that a value means. A value alone decides, never the values beside it.

    The first of these that gives a state counts:

    1. the equal state of the same type: text is text, and the numbers 1 and 1.0 are equal;
    2. the state with the same printed form: 1, 1.0 and "1" are printed 1; True and "true" are printed true;
    3. the only state that spells the same: "1.0" is the number 1; TRUE, True and true are one Boolean; 0 and 1 are
       the Booleans false and true;
    4. the interval of the number, where the states are intervals;
    5. with `merge`, the only state that differs in case or blanks alone.

    Parameters
    ----------
    states : sequence of str, int, float or bool
        The states.
    cut_points : sequence of float, optional
        The exact ends of the intervals; those that the states print if left out.
    decimal : str
        The decimal mark of numbers in text.
    merge : bool
        Whether case and blanks make no difference.
    groups : sequence of sequences of str, optional
        The states of the data that are one state here: each of them means the latter.

    Examples
    --------
    >>> finder = StateFinder([1, 2])
    >>> [finder.find(value) for value in (1, 1.0, "1", "1.0", True, "x")]
    [0, 0, 0, 0, 0, -1]
    >>> finder = StateFinder(["1", "1.0", "x"])
    >>> [finder.find(value) for value in (1, 1.0, "1", "1.0", True)]
    [0, 0, 0, 1, -1]
    """

    def __init__(
        self,
        states: Sequence[State],
        cut_points: Sequence[float] | None = None,
        decimal: str = ".",
        merge: bool = False,
        groups: Sequence[Sequence[str]] = (),
    ) -> None:
        labels = [label(state) for state in states]
        cuts = cut_points_of(labels) if cut_points is None else tuple(cut_points)
        if cuts is None and {*labels, MISSING_STATE} == {*interval_labels(np.zeros(0)), MISSING_STATE}:
            cuts = ()  # one interval for all numbers
        self.cut_points = cuts
        self._decimal = decimal
        self._equal = _places(_typed(state) for state in states)
        self._printed = {text: place for place, text in enumerate(labels)}
        members = [(text, merged_label(group)) for group in groups for text in group if len(group) > 1]
        one = {text: self._printed[called] for text, called in members if called in self._printed}
        self._spelt = {_spelt(text): place for text, place in one.items()} | _places(_spelt(state) for state in states)
        self._merged = {merging_key(text): place for text, place in one.items()} if merge else {}
        self._merged |= _places(map(merging_key, labels)) if merge else {}
        self._printed = one | self._printed
        named = [] if cuts is None else interval_labels(np.array(cuts))
        self._intervals = np.array([self._printed.get(text, UNKNOWN) for text in named], np.int64)

    def find_named(self, value: object) -> int:
        """The place of the state that is called so, by the first two rules, or -1."""
        if isinstance(value, np.generic):
            value = value.item()
        found = self._equal.get(_typed(value), UNKNOWN)
        return self._printed.get(label(value), UNKNOWN) if found == UNKNOWN else found

    def find(self, value: object) -> int:
        """The place of the state, or -1."""
        if isinstance(value, np.generic):
            value = value.item()
        found = self.find_named(value)
        if found != UNKNOWN:
            return found
        if self._decimal == ",":
            value = with_point(value)
        if (spelt := _spelt(value)) in self._spelt:
            return self._spelt[spelt]
        number = None if isinstance(value, bool) else parse_number(value)
        if number is not None and self.cut_points is not None:
            return int(self.find_numbers(np.array([number], np.float64))[0])
        return self._merged.get(merging_key(label(value)), UNKNOWN)

    def find_numbers(self, numbers: NDArray[np.float64]) -> Codes:
        """The places of the states of many numbers, -1 where there is none; NaN has none."""
        if self.cut_points is not None:
            found: Codes = self._intervals[np.searchsorted(self.cut_points, numbers, side="left")]
            return np.where(np.isnan(numbers), UNKNOWN, found)
        distinct, places = np.unique(numbers, return_inverse=True)
        table = np.array([UNKNOWN if number != number else self.find(number) for number in distinct.tolist()], np.int64)
        return table[places]


def place_state(variable: str, states: Sequence[State], state: object) -> int:
    """The place of the state that a value means; an UnknownNameError where there is none.

    >>> place_state("smoke", ["no", "yes"], "yes")
    1
    """
    found = StateFinder(states).find(state)
    if found == UNKNOWN:
        raise UnknownNameError(f"state of '{variable}'", str(state), [label(each) for each in states], ordered=True)
    return found


def make_finder(name: str, states: Sequence[State], settings: ReadSettings) -> StateFinder:
    """The finder of a variable whose data were read with these settings."""
    cuts = getattr(settings.rules.get(name), "cuts", None)
    return StateFinder(states, cuts, settings.decimal, settings.merge_states, settings.merged.get(name, ()))


def _places(keys: Iterable[Hashable]) -> dict[Hashable, int]:
    """The place of each key; keys that several places have are left out."""
    found: dict[Hashable, int] = {}
    for place, key in enumerate(keys):
        found[key] = UNKNOWN if key in found else place
    return {key: place for key, place in found.items() if place != UNKNOWN}


def _typed(value: object) -> Hashable:
    """Equal for values that are equal and of the same type, text, number or Boolean."""
    kind = bool if isinstance(value, bool) else float if isinstance(value, int | float | Decimal) else type(value)
    return (kind, value) if isinstance(value, Hashable) else (kind, str(value))


def _spelt(value: object) -> Hashable:
    """Equal for values that a text file spells alike, or that spell the same number or Boolean: 1, 1.0, true."""
    if isinstance(value, str) and value in TRUTH_WORDS:
        value = TRUTH_WORDS[value]
    number = int(value) if isinstance(value, bool) else parse_number(value)
    return label(value) if number is None else number
