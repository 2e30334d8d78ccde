"""Spellings of the same value: decimal commas, and states that differ in case or blanks only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mahc.data.prepare.notes import Note, enumerate_some, shorten
from mahc.data.prepare.types import with_point
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, SourceTable


def unify_spellings(table: SourceTable, settings: ReadSettings) -> SourceTable:
    """The table with decimal commas as points, and with merged states, where the settings ask for it."""
    if settings.decimal == ".":
        pointed = table.columns
    else:
        pointed = tuple(_use_points(column) for column in table.columns)
    if not settings.merge_states:
        return replace(table, columns=pointed)
    columns, notes = [], list(table.notes)
    for name, column in zip(table.names, pointed, strict=True):
        merged, note = _merge(name, column)
        columns.append(merged)
        notes += note
    return replace(table, columns=tuple(columns), notes=tuple(notes))


def _use_points(column: Column) -> Column:
    if not isinstance(column, LabelColumn) or column.declared:
        return column
    return replace(column, values=[with_point(value) for value in column.values])


def merging_key(value: object) -> object:
    """What values have in common that are merged: the text without regard to case and blanks.

    >>> merging_key(" Not  Known") == merging_key("not known")
    True
    """
    return " ".join(value.split()).casefold() if isinstance(value, str) else (type(value), value)


def _merge(name: str, column: Column) -> tuple[Column, list[Note]]:
    """One state for each group of texts that differ in case or blanks; its most frequent spelling, without blanks."""
    if not isinstance(column, LabelColumn):
        return column, []
    counts = column.count_rows().tolist()
    groups: dict[object, list[int]] = {}
    for place, value in enumerate(column.values):
        groups.setdefault(merging_key(value), []).append(place)
    values: list[object] = []
    target = np.zeros(len(column.values), dtype=np.intp)
    merged = []
    for places in groups.values():
        first = min(places, key=lambda place: (-counts[place], str(column.values[place])))
        value = column.values[first]
        chosen = " ".join(value.split()) if isinstance(value, str) else value
        target[places] = len(values)
        values.append(chosen)
        spellings = [str(column.values[place]) for place in places if counts[place] and column.values[place] != chosen]
        if spellings:
            merged.append(f"{', '.join(map(shorten, sorted(spellings)))} is {shorten(chosen)}")
    if len(values) == len(column.values) and values == list(column.values):
        return column, []
    note = [Note(name, "merged-states", f"merged: {enumerate_some(merged)}", (float(len(merged)),))] if merged else []
    return replace(column, values=values, codes=target[column.codes]), note
