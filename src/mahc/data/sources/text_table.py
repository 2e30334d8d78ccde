"""Reading a delimited text file, one block of records at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import code_type
from mahc.data.names import check_count, check_names
from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import real_problem
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
from mahc.data.sources.encoding import is_utf8
from mahc.data.sources.field_codes import FieldCoder, Fields
from mahc.data.sources.text_blocks import BlockReader
from mahc.data.sources.text_file import BOM, check_bytes, check_text, is_gzip, open_text
from mahc.data.sources.wide_text import WideReader, suits
from mahc.data.watching import report, report_column
from mahc.errors import FormatError
from mahc.plurals import count

_HEAD = 1 << 18
_UNREPORTED = 1 << 21  # bytes: smaller files are read before anybody looks


def read_text(path: Path, settings: ReadSettings) -> SourceTable:
    """Read the selected columns of a delimited text file, without interpreting their values."""
    with open_text(path, settings.encoding) as stream:
        head, dialect = read_head(stream, path, settings)
        columns: dict[int, ColumnReader] = {}
        wide: WideReader | None = None
        names: list[str] = []
        done = 0
        for block in BlockReader(stream, head, dialect, path).blocks():
            skip = 0
            if not names:
                names = [unescape(text, dialect.quote) for text in block.record(0)]
                check_names(names, f"{path}, line 1")
                places = {name: j for j, name in enumerate(names)}
                kept = settings.kept(names)
                check_count(kept, f"{path}, line 1")
                columns = {places[name]: ColumnReader(name, dialect.quote, settings) for name in kept}
                if suits(len(kept), _known_size(path, settings)):
                    wide = WideReader([*columns])
                skip = 1
            if block.starts.shape[1] <= skip:
                continue
            if done >= _UNREPORTED:
                report(f"reading, {done / 1e6:,.0f} MB")
            done += len(block.data)
            if wide is not None:
                wide.add(block, skip)
                continue
            for number, (j, column) in enumerate(columns.items()):
                report_column("reading", number, len(columns))
                column.add(block.fields(j, skip))
    if not (wide or next(iter(columns.values()))).rows:
        raise FormatError(f"a header with {count(len(names), 'name')} but no rows: at least one is needed", path)
    note = Note(None, "delimiter", dialect.describe())
    kept_names = tuple(names[j] for j in columns)
    if wide is not None:
        texts = [unescape(raw, dialect.quote) for raw in wide.labels]
        return SourceTable(str(path), kept_names, tuple(wide.finish(texts)), (note,))
    finished = tuple(column.finish() for column in columns.values())
    return SourceTable(str(path), kept_names, finished, (note,))


def _known_size(path: Path, settings: ReadSettings) -> int | None:
    """The bytes of the text; None where they are not known before it is read."""
    if not path.is_file() or is_gzip(path) or not is_utf8(settings.encoding):
        return None
    return path.stat().st_size


def read_head(stream: IO[bytes], path: Path, settings: ReadSettings) -> tuple[bytes, Dialect]:
    """The first bytes of a text file without its mark of byte order, and the dialect that they show."""
    head = stream.read(_HEAD)
    check_text(head, path)
    if b"\n" in head:
        check_bytes(head[: head.rindex(b"\n")], path, 1)
    whole = len(head) < _HEAD
    head = head.removeprefix(BOM)
    return head, find_dialect(head, whole, path, settings.separator, settings.quote_character)


class ColumnReader:
    """Collects the codes of one column; above the limit of states it keeps numbers if useful, or refuses."""

    def __init__(self, name: str, quote: str, settings: ReadSettings) -> None:
        self.rows = 0
        self._name = name
        self._quote = quote
        self._settings = settings
        self._coder = FieldCoder()
        self._codes: list[NDArray[np.unsignedinteger]] = []
        self._numbers: list[NDArray[np.float64]] | None = None
        self._refused: RefusedColumn | None = None

    def add(self, fields: Fields) -> None:
        """Add the next fields."""
        self.rows += len(fields.starts)
        if self._refused is not None:
            return
        if self._numbers is not None:
            coder = FieldCoder()
            codes = coder.code(fields)
            self._add_numbers(coder, [codes])
            return
        codes = self._coder.code(fields)
        self._codes.append(codes.astype(code_type(self._coder.width)))
        if len(self._coder.labels) > MAX_STATES:
            self._give_up_labels()

    def finish(self) -> Column:
        """Return the whole column and release the parts."""
        if self._refused is not None:
            return RefusedColumn(self._refused.kind, self._refused.problem, self.rows)
        if self._numbers is not None:
            numbers, self._numbers = self._numbers, None
            return NumberColumn(np.concatenate(numbers))
        nodes = sorted(self._coder.labels)
        codes = np.empty(self.rows, dtype=code_type(len(nodes)))
        dense = np.zeros(self._coder.width, dtype=codes.dtype)
        dense[nodes] = np.arange(len(nodes))
        filled = 0
        for part in self._codes:
            np.take(dense, part, out=codes[filled : filled + len(part)])
            filled += len(part)
        self._codes = []
        return LabelColumn([self._text(self._coder.labels[node]) for node in nodes], codes)

    def _give_up_labels(self) -> None:
        texts = [self._text(raw) for raw in self._coder.labels.values()]
        known = [text for text in texts if not self._settings.is_missing(text)]
        numbers = [self._settings.parse_number(text) for text in known]
        if self._settings.may_be_numbers(self._name):
            self._numbers = []
            self._add_numbers(self._coder, self._codes)
        elif None not in numbers and any(isinstance(number, float) for number in numbers):
            example = next(text for text, number in zip(known, numbers, strict=True) if isinstance(number, float))
            self._refused = RefusedColumn("real", real_problem(self._name, example), self.rows)
        else:
            kind = "text" if None in numbers else "integer"
            self._refused = too_many_states(self._name, kind, len(texts), self.rows, at_least=True)
        self._codes, self._coder = [], FieldCoder()

    def _add_numbers(self, coder: FieldCoder, parts: Sequence[NDArray[np.integer]]) -> None:
        values = np.full(coder.width, np.nan)
        for node, raw in coder.labels.items():
            text = self._text(raw)
            if self._settings.is_missing(text):
                continue
            number = self._settings.parse_number(text)
            if number is None:
                self._numbers = None
                self._refused = too_many_states(self._name, "text", MAX_STATES + 1, self.rows, at_least=True)
                return
            values[node] = number
        assert self._numbers is not None
        self._numbers += [values[part] for part in parts]

    def _text(self, raw: bytes) -> str:
        return unescape(raw, self._quote)


def unescape(raw: bytes, quote: str) -> str:
    """A field as text; doubled quotes in it are single ones."""
    text = raw.decode("utf-8")
    return text.replace(quote * 2, quote) if quote else text
