"""Reading a delimited text file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from mahc.data._texts import TextColumns
from mahc.data.names import check_count, check_names
from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import dates_problem, real_problem
from mahc.data.settings import ReadSettings
from mahc.data.source_table import (
    MAX_STATES,
    Column,
    LabelColumn,
    NumberColumn,
    RefusedColumn,
    SourceTable,
    too_many_states,
)
from mahc.data.sources.dialect import Dialect, find_dialect
from mahc.data.sources.text_file import BOM, check_bytes, check_text, open_text
from mahc.data.sources.text_records import RecordReader
from mahc.data.watching import report, report_column
from mahc.errors import FormatError
from mahc.plurals import count

_HEAD = 1 << 18
_UNREPORTED = 1 << 21  # bytes: smaller files are read before anybody looks


def read_text(path: Path, settings: ReadSettings) -> SourceTable:
    """Read the selected columns of a delimited text file, without interpreting their values."""
    overfull: dict[int, OverfullColumn] = {}
    with open_text(path, settings.encoding) as stream:
        head, dialect = read_head(stream, path, settings)
        records = RecordReader(stream, head, dialect, path)
        names = records.header(settings.header)
        check_names(names, f"{path}, line 1")
        kept = settings.kept(names)
        check_count(kept, f"{path}, line 1")
        places = {name: j for j, name in enumerate(names)}
        columns = TextColumns(dialect.delimiter, dialect.quote, len(names), [places[name] for name in kept])
        for done in records.read_into(columns):
            if done >= _UNREPORTED:
                report(f"reading, {done / 1e6:,.0f} MB")
            for number in columns.overfull(MAX_STATES):
                overfull.setdefault(number, OverfullColumn(kept[number], number, columns, settings))
            for column in overfull.values():
                column.add_block()
    if not columns.rows:
        raise FormatError(f"a header with {count(len(names), 'name')} but no rows: at least one is needed", path)
    found: list[Column] = []
    for number in range(len(kept)):
        report_column("reading", number, len(kept))
        found.append(
            overfull[number].finish() if number in overfull else LabelColumn(*columns.take(number), spelt=True)
        )
    return SourceTable(
        str(path), tuple(kept), tuple(found), (Note(None, "delimiter", dialect.describe()),), tuple(names)
    )


def read_head(stream: IO[bytes], path: Path, settings: ReadSettings) -> tuple[bytes, Dialect]:
    """The first bytes of a text file without its mark of byte order, and the dialect that they show."""
    head = stream.read(_HEAD)
    check_text(head, path)
    if b"\n" in head:
        check_bytes(head[: head.rindex(b"\n")], path, 1)
    whole = len(head) < _HEAD
    head = head.removeprefix(BOM)
    return head, find_dialect(head, whole, path, settings.separator, settings.quote_character)


class OverfullColumn:
    """A column with more values than states are allowed: they are kept as numbers if useful, or refused."""

    def __init__(self, name: str, number: int, columns: TextColumns, settings: ReadSettings) -> None:
        self._name, self._number, self._columns, self._settings = name, number, columns, settings
        self._values: list[NDArray[np.float64]] = []
        self._refused: RefusedColumn | None = None

    def add_block(self) -> None:
        """Take what was read of the column since the last block."""
        if self._refused is not None:
            return
        texts, codes = self._columns.take(self._number)
        if not len(codes):
            return
        missing, number = self._settings.is_missing, self._settings.parse_number
        numbers = [math.nan if missing(text, self._name) else number(text) for text in texts]
        if self._settings.may_be_numbers(self._name) and None not in numbers:
            self._values.append(np.array(numbers, np.float64)[codes])
        else:
            self._refuse(texts, numbers)

    def finish(self) -> Column:
        """Return the whole column."""
        if self._refused is not None:
            return RefusedColumn(self._refused.kind, self._refused.problem, self._columns.rows)
        return NumberColumn(np.concatenate(self._values))

    def _refuse(self, texts: list[str], numbers: list[int | float | None]) -> None:
        self._columns.ignore(self._number)
        self._values = []
        rows = self._columns.rows
        real = [
            text for text, number in zip(texts, numbers, strict=True) if isinstance(number, float) and number == number
        ]
        if real and None not in numbers:
            self._refused = RefusedColumn("real", real_problem(self._name, real[0]), rows)
            return
        kind = "text" if None in numbers else "integer"
        dates = dates_problem(self._name, texts)
        if dates is not None:
            self._refused = RefusedColumn(kind, dates, rows)
            return
        states = MAX_STATES + 1 if self._settings.may_be_numbers(self._name) else len(texts)
        self._refused = too_many_states(self._name, kind, states, rows, at_least=True)
