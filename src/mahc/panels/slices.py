"""A long table, one row per subject and time, as rows of slices that follow each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.prepare.notes import shorten
from mahc.data.prepare.types import label, parse_number
from mahc.data.reading import check_names
from mahc.data.source_table import LabelColumn, NumberColumn, SourceTable
from mahc.errors import DataError, InvalidSettingError, Mention, SettingError, UnknownNameError
from mahc.opening import open_rows, open_tables
from mahc.plurals import count

GAPS = ("drop", "next")
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2}([T ].*)?)?")
Places = NDArray[np.int64]


def now(name: str) -> str:
    """What a variable is called in the slice that is learned."""
    return f"{name}(t)"


def before(name: str, lag: int) -> str:
    """What a variable is called `lag` slices earlier.

    >>> before("pain", 1), before("pain", 0)
    ('pain(t-1)', 'pain(t)')
    """
    return f"{name}(t-{lag})" if lag else now(name)


def at(name: str, step: int) -> str:
    """What a variable is called in slice 0, 1, ..."""
    return f"{name}({step})"


@dataclass(frozen=True)
class Panel:
    """Rows of subjects, sorted by subject and time.

    Parameters
    ----------
    data : Dataset
        The variables, one row per subject and time.
    subjects : array of int
        The subject of each row: 0, 1, ...
    waves : array of int
        The place of its time among all times.
    static : tuple of str
        Variables that do not change within a subject.

    Examples
    --------
    >>> panel = read_panel({"id": [1, 1, 2, 2], "wave": [1, 2, 1, 2], "pain": ["n", "y", "y", "y"]}, "id", "wave")
    >>> panel.variables, panel.subject_count, panel.windows(1).names
    (('pain',), 2, ('pain(t-1)', 'pain(t)'))
    """

    data: Dataset
    subjects: Places
    waves: Places
    static: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that may change over time."""
        return tuple(name for name in self.data.names if name not in self.static)

    @property
    def subject_count(self) -> int:
        """How many subjects there are."""
        return int(self.subjects[-1]) + 1

    @property
    def wave_count(self) -> int:
        """How many different times there are."""
        return int(self.waves.max()) + 1

    @cached_property
    def _positions(self) -> Places:
        """The place of each row among those of its subject."""
        first = np.flatnonzero(np.diff(self.subjects, prepend=-1))
        found: Places = np.arange(len(self.subjects)) - first[self.subjects]
        return found

    def take(self, rows: NDArray[np.bool_]) -> Panel:
        """The rows of some subjects, all of whose rows are taken; all states stay states."""
        _, subjects = np.unique(self.subjects[rows], return_inverse=True)
        return Panel(self.data.take(rows), subjects.astype(np.int64), self.waves[rows], self.static)

    def window_ends(self, lags: int, gaps: str = "drop") -> Places:
        """The rows that `lags` rows of the same subject precede, without a gap unless `gaps` is "next"."""
        ends = np.flatnonzero(self._positions >= lags)
        if gaps == "drop":
            ends = ends[self.waves[ends] - self.waves[ends - lags] == lags]
        return ends

    def complete_ends(self, lags: int, gaps: str = "drop") -> Places:
        """The last rows of the windows that `windows` gives: those whose rows have all values."""
        ends = self.window_ends(lags, gaps)
        whole = self.data.complete_rows
        return ends[np.all([whole[ends - lag] for lag in range(lags + 1)], axis=0)]

    def windows(self, lags: int = 1, gaps: str = "drop") -> Dataset:
        """One row per window: the static variables, and each other one now and at `lags` times before.

        Parameters
        ----------
        lags : int
            How many slices before the present one.
        gaps : str
            What to do where a subject lacks a time that others have: "drop" (leave out windows that span the gap) or
            "next" (the next row of the subject follows).

        Returns
        -------
        Dataset
            The windows; all states stay states.

        Raises
        ------
        DataError
            If there are no windows.

        Examples
        --------
        >>> columns = {"id": [1, 1, 1], "wave": [1, 2, 4], "pain": ["n", "y", "y"], "sex": ["f", "f", "f"]}
        >>> panel = read_panel(columns, "id", "wave", static=["sex"])
        >>> panel.windows(gaps="next").rows
        2
        """
        ends = self.window_ends(lags, gaps)
        if len(ends) < 2:
            rest = (
                () if gaps == "next" else (", or use ", Mention("gaps", "next"), ": the next row of a subject follows")
            )
            raise DataError(
                f"{count(len(ends), 'window')} of {count(lags + 1, 'time')} that follow each other in "
                f"{count(self.subject_count, 'subject')}: give fewer lags",
                *rest,
            )
        return self._slices(
            [(before(name, lag), name, ends - lag) for lag in range(lags, -1, -1) for name in self.variables], ends
        )

    def beginnings(self, lags: int = 1, gaps: str = "drop") -> Dataset:
        """The first `lags` slices of each subject that has them, numbered from 0.

        Parameters
        ----------
        lags : int
            How many slices.
        gaps : str
            As for `windows`.

        Returns
        -------
        Dataset
            One row per subject. For one subject alone, all stretches of so many slices.

        Examples
        --------
        >>> columns = {"id": [1, 1, 2, 2], "wave": [1, 2, 1, 2], "pain": ["n", "y", "y", "y"]}
        >>> read_panel(columns, "id", "wave").beginnings().names
        ('pain(0)',)
        """
        ends = self.window_ends(lags - 1, gaps)
        firsts = ends[self._positions[ends] == lags - 1]
        if len(firsts) < 2:
            firsts = ends
        return self._slices(
            [(at(name, step), name, firsts - (lags - 1 - step)) for step in range(lags) for name in self.variables],
            firsts,
        )

    def _slices(self, listed: Sequence[tuple[str, str, Places]], rows: Places) -> Dataset:
        columns = [self.data.columns[self.data.index(name)].take(rows) for name in self.static]
        columns += [self.data.columns[self.data.index(name)].take(places) for _, name, places in listed]
        # with settings of reading, a result keeps the cut points that it learns
        found = Dataset((*self.static, *(called for called, _, _ in listed)), tuple(columns), reading=ReadSettings())
        return found if found.complete else found.drop_incomplete()


def read_panel(data: Any, subject: str, time: str, *, static: Sequence[str] = (), **reading: Any) -> Panel:
    """Read a long table: one row per subject and time.

    Parameters
    ----------
    data : path, frame, dict of lists or Dataset
        The table. Rows may be in any order.
    subject : str
        The column that says whose row it is.
    time : str
        The column that says when: numbers, or dates such as 2024-05-31.
    static : list of str
        Columns that do not change within a subject, such as sex.
    **reading
        Settings of `mahc.read`. `missing` may be error, state or drop (windows that lack a value are left out).

    Returns
    -------
    Panel
        The rows, sorted by subject and time.

    Raises
    ------
    MahcError
        Where a subject has two rows at one time, times have no order, a subject or time is missing, there is one time
        only, or a static column changes.

    Examples
    --------
    >>> read_panel({"id": ["b", "a", "b"], "wave": [1, 1, 2], "pain": [0, 1, 1]}, "id", "wave").subject_count
    2
    """
    check_names("read_panel", reading)
    settings = ReadSettings(**reading)
    for name in ("weights", "interventions"):
        if getattr(settings, name) is not None:
            raise SettingError(Mention(name), " cannot be used for a panel: leave it out")
    if settings.missing not in ("error", "state", "drop"):
        raise InvalidSettingError("missing", settings.missing, "give error, state or drop for a panel")
    if isinstance(static, str):
        raise InvalidSettingError("static", static, "give a list of names")
    if subject == time:
        raise SettingError(f"the subject and the time are both '{time}': name two columns")
    table = next(iter(open_tables(data, settings))) if not isinstance(data, Dataset) else None
    names = data.names if table is None else table.names
    for name in (subject, time, *static):
        if name not in names:
            raise UnknownNameError("column", str(name), names)
    whose, when = _subjects(data, table, subject), _times(data, table, time)
    if isinstance(data, Dataset):
        rest = data.select([name for name in data.names if name not in (subject, time)])
    else:
        rest = _read_rest(data, settings, (subject, time))
    order = np.lexsort((when, whose))
    whose, when = whose[order], when[order]
    _refuse_two_rows(whose, when, data, table, subject, time, order)
    panel = Panel(rest.take(order), whose, when, tuple(static))
    panel = replace(panel, data=replace(panel.data, reading=rest.reading, notes=rest.notes))
    if not panel.variables:
        raise DataError("every column is static, so nothing changes over time: leave some out of the static ones")
    _refuse_changing(panel)
    if panel.wave_count < 2 or panel.subject_count == len(whose):
        what = f"{count(panel.wave_count, 'time')} only" if panel.wave_count < 2 else "one row per subject"
        raise DataError(f"column {shorten(time)} has {what}: a panel needs two rows or more of a subject")
    return panel


def _read_rest(data: Any, settings: ReadSettings, aside: tuple[str, str]) -> Dataset:
    drop = tuple(dict.fromkeys((*settings.drop, *aside)))
    columns = None if settings.columns is None else [name for name in settings.columns if name not in aside]
    drops = settings.missing == "drop"
    # a method that keeps values missing: of the windows those that have all values are taken
    asked = replace(settings, drop=drop, columns=columns, missing="pairwise" if drops else settings.missing)
    return open_rows(data, asked, kinds=frozenset(Kind))


def _values(data: Any, table: SourceTable | None, name: str) -> tuple[list[Any], Places]:
    """The different values of a column, and which of them each row has; a DataError where one is missing."""
    listed, places = _column_of(data, name) if table is None else _raw_column(table, name)
    settings = ReadSettings()
    gone = np.array([settings.is_missing(value, name) for value in listed], np.bool_)[places]
    if gone.any():
        raise DataError(f"column {shorten(name)} is missing in row {int(gone.argmax()) + 1:,}: fill it in")
    return listed, places


def _column_of(data: Dataset, name: str) -> tuple[list[Any], Places]:
    if name in data.discrete_by_name:
        column = data.discrete_by_name[name]
        return [*column.states, None], column.codes.astype(np.int64)
    values, places = np.unique(data.columns[data.index(name)].as_array(), return_inverse=True)
    return values.tolist(), places


def _raw_column(table: SourceTable, name: str) -> tuple[list[Any], Places]:
    column = table.columns[table.names.index(name)]
    if isinstance(column, LabelColumn):
        return list(column.values), column.codes.astype(np.int64)
    if isinstance(column, NumberColumn):
        values, places = np.unique(column.numbers, return_inverse=True)
        return values.tolist(), places
    raise DataError(f"column {shorten(name)} is of type {column.kind}: give numbers or text")


def _subjects(data: Any, table: SourceTable | None, name: str) -> Places:
    values, places = _values(data, table, name)
    texts = [label(value) for value in values]
    listed = {text: number for number, text in enumerate(sorted(set(texts)))}
    found = np.array([listed[text] for text in texts], np.int64)[places]
    _, dense = np.unique(found, return_inverse=True)
    return dense.astype(np.int64)


def _times(data: Any, table: SourceTable | None, name: str) -> Places:
    """The place of each row's time among all times."""
    values, places = _values(data, table, name)
    used = [values[place] for place in np.unique(places).tolist()]
    numbers = [parse_number(value) for value in used]
    keys: dict[Any, Any] = {}
    if None not in numbers:
        keys = {value: float(number) for value, number in zip(used, numbers, strict=True)}  # type: ignore[arg-type]
    elif all(_DATE.fullmatch(label(value)) for value in used):
        keys = {value: label(value) for value in used}
    else:
        odd = next(value for value, number in zip(used, numbers, strict=True) if number is None)
        raise DataError(
            f"column {shorten(name)} has no order in time, for example {shorten(label(odd))}: "
            "give numbers, or dates such as 2024-05-31"
        )
    rank = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return np.array([rank[keys[value]] if value in keys else 0 for value in values], np.int64)[places]


def _refuse_two_rows(
    whose: Places, when: Places, data: Any, table: SourceTable | None, subject: str, time: str, order: Places
) -> None:
    same = (whose[1:] == whose[:-1]) & (when[1:] == when[:-1])
    if same.any():
        row = int(order[int(same.argmax())])
        shown = []
        for name in (subject, time):
            values, places = _values(data, table, name)
            shown.append(shorten(label(values[places[row]])))
        raise DataError(f"two rows are of subject {shown[0]} at time {shown[1]}: keep one row per subject and time")


def _refuse_changing(panel: Panel) -> None:
    for name in panel.static:
        keys = panel.data.columns[panel.data.index(name)].sort_keys()
        changes = (panel.subjects[1:] == panel.subjects[:-1]) & (keys[1:] != keys[:-1])
        if changes.any():
            subjects = count(len(np.unique(panel.subjects[1:][changes])), "subject")
            raise DataError(
                f"the static column {shorten(name)} changes within {subjects}: leave it out of the static ones"
            )
