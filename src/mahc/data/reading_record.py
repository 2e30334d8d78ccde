"""How data were read, as a result keeps it, and reading other data in the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mahc.data.prepare.notes import MergedNote, Note
from mahc.data.prepare.types import label
from mahc.data.settings import ReadSettings, without_rows
from mahc.data.sources.queries import QueryNote
from mahc.errors import Mention, Message, PerInterface, SettingError
from mahc.settings import EVERY, declarations

OTHER_WAY = PerInterface(
    "leave it out, or pass data that mahc.read has read in the way you want",
    "leave it out, or name graph.csv instead of the result to read the data in another way",
)


@dataclass(frozen=True)
class ReadingRecord:
    """The settings with which data were read, and what they led to, as plain values.

    Parameters
    ----------
    settings : dict
        The settings of `mahc.read` that differ from their defaults; weights only as the name of a column.
    cut_points : dict
        The cut points of every column that was discretised.
    left : tuple of str
        The columns of whole numbers that a rule for all columns left as they are.
    query : dict or None
        The SQL that gave the rows, and the database if one was named: `{"sql": ..., "database": ...}`.
    merged : dict
        The states of every ordinal column in which neighbouring states were merged, in groups, lowest first.
    numbers : tuple of str
        The columns that stayed numbers; in other data they do, too, however few numbers these have.

    Examples
    --------
    >>> record = ReadingRecord({"discretise": "quantile:2"}, {"age": (40.0,)})
    >>> record.restore({}).discretise
    {'age': (40.0,)}
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    cut_points: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    query: Mapping[str, str | None] | None = None
    numbers: tuple[str, ...] = ()
    merged: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ReadSettings(**self.settings)

    @property
    def missing(self) -> str:
        """How missing values were treated."""
        return str(self.settings.get("missing", ReadSettings.missing))

    def restore(
        self, given: Mapping[str, Any], names: Sequence[str] | None = None, instead: Collection[str] = ()
    ) -> ReadSettings:
        """The settings to read data in the same way, with the recorded cut points.

        Parameters
        ----------
        given : dict
            Settings that the user gave; each must be the recorded one.
        names : sequence of str, optional
            Read these columns only.
        instead : collection of str
            Values of `missing` that may be given instead of the recorded one. Any may where a method learned from
            the missing values, because only `mahc.learn` has these methods.

        Returns
        -------
        ReadSettings
            The settings.

        Raises
        ------
        SettingError
            If a given setting differs from the recorded one.
        """
        saved, wanted = ReadSettings(**self.settings), ReadSettings(**given)
        free = {"missing"} if wanted.missing in instead or saved.keeps_missing else set()
        if saved.weights is None and not isinstance(wanted.weights, str):
            free.add("weights")  # one weight per row, which no result keeps
        if saved.interventions is None and not isinstance(wanted.interventions, str):
            free |= {"interventions", "interventions_coded", "mechanism"}  # one set per row, which no result keeps
        for name in given:
            same = _comparable(saved, name) == _comparable(wanted, name) if name not in free else True
            if not same and not (name == "discretise" and self._cuts_alike(wanted)):
                raise SettingError(_difference(saved, wanted, name), "leave it out" if names is None else OTHER_WAY)
        again = replace(saved, **{name: getattr(wanted, name) for name in free if name in given})
        again = replace(again, continuous=tuple(dict.fromkeys((*again.continuous, *self.numbers))))
        if self.merged:
            again = replace(again, ordinal={**(again.ordinal or {}), **self.merged})
        if self.cut_points:
            rules = {name: cuts or _rule_of(saved, name) for name, cuts in self.cut_points.items()}
            numbers = tuple(name for name in again.continuous if name not in rules)
            again = replace(again, discretise=rules, continuous=numbers, categorical=(*saved.categorical, *self.left))
        return again if names is None else _with_columns(again, names)

    def _cuts_alike(self, wanted: ReadSettings) -> bool:
        cuts = {name: cuts for name, cuts in self.cut_points.items() if cuts}
        return bool(cuts) and wanted.rules == ReadSettings(discretise=cuts).rules


def _rule_of(settings: ReadSettings, column: str) -> Any:
    """The rule of a column that has no cut points because all its values are equal."""
    if not isinstance(settings.discretise, Mapping):
        return settings.discretise
    return settings.discretise[column if column in settings.discretise else EVERY]


def _with_columns(settings: ReadSettings, names: Sequence[str]) -> ReadSettings:
    """Read these columns only; others that settings name need not be in the data."""
    kept, rules = set(names), settings.discretise
    if isinstance(rules, Mapping):
        rules = {name: rule for name, rule in rules.items() if name in kept or name == EVERY} or None
    tokens = settings.missing_tokens
    if isinstance(tokens, Mapping):
        tokens = {name: own for name, own in tokens.items() if name in kept or name == EVERY}
    return replace(
        settings,
        columns=tuple(names),
        drop=(),
        categorical=tuple(name for name in settings.categorical if name in kept),
        ordinal={name: order for name, order in (settings.ordinal or {}).items() if name in kept} or None,
        continuous=tuple(name for name in settings.continuous if name in kept),
        discretise=rules,
        missing_tokens=tokens,
    )


def record_reading(settings: ReadSettings, notes: Iterable[Note]) -> ReadingRecord:
    """The record of data that were read with these settings.

    Parameters
    ----------
    settings : ReadSettings
        The settings.
    notes : iterable of Note
        What was decided while the data were read.

    Returns
    -------
    ReadingRecord
        What a result keeps.

    Examples
    --------
    >>> record_reading(ReadSettings(missing="state", drop=("id",)), ()).settings
    {'missing': 'state', 'drop': ['id']}
    """
    notes, settings = list(notes), without_rows(settings)
    given = {name: getattr(settings, name) for name, each in declarations(settings).items() if each.differs(settings)}
    return ReadingRecord(
        {name: _plain(value) for name, value in given.items()},
        {str(note.column): tuple(map(float, note.numbers)) for note in notes if note.kind == "discretised"},
        tuple(str(note.column) for note in notes if note.kind == "not-discretised"),
        next(({"sql": note.sql, "database": note.database} for note in notes if isinstance(note, QueryNote)), None),
        tuple(str(note.column) for note in notes if note.kind == "numbers"),
        {str(note.column): note.groups for note in notes if isinstance(note, MergedNote)},
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    return value if isinstance(value, str) or not isinstance(value, Sequence) else [_plain(each) for each in value]


def _comparable(settings: ReadSettings, name: str) -> object:
    """A setting's value, the same however it was written."""
    if name == "discretise":
        return settings.rules
    if name == "missing_tokens":
        return {column: sorted(own) for column, own in settings.tokens.items() if own}
    if name == "ordinal":
        return settings.orders
    if name == "delimiter":
        return settings.separator
    if name == "quote":
        return settings.quote_character
    value = getattr(settings, name)
    return sorted(map(label, value)) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _difference(saved: ReadSettings, wanted: ReadSettings, name: str) -> Message:
    """How a given setting differs, in words."""
    given, recorded = (Mention(name, _plain(getattr(each, name))) for each in (wanted, saved))
    how = Message("with ", recorded) if declarations(saved)[name].differs(saved) else "without it"
    return Message(given, " is given, but the data of the result were read ", how, ": ")
