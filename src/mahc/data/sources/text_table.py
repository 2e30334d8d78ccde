"""A delimited text file to a table of raw columns, one block of records at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import narrowest
from mahc.data.names import check_names
from mahc.data.prepare.decisions import Decision
from mahc.data.prepare.types import exact, real_problem
from mahc.data.raw_columns import MOST_STATES, Column, Labels, Numbers, Refused, Table, too_many_states
from mahc.data.settings import ReadSettings
from mahc.data.sources.dialect import find_dialect
from mahc.data.sources.field_codes import FieldCoder, Fields
from mahc.data.sources.text_blocks import BlockReader
from mahc.data.sources.text_file import BOM, check_bytes, check_text, open_text
from mahc.errors import FormatError

_HEAD = 1 << 18


def read_text(path: Path, settings: ReadSettings) -> Table:
    """Read every wanted column of a delimited text file; nothing is interpreted yet."""
    with open_text(path) as stream:
        head = stream.read(_HEAD)
        check_text(head, path)
        if b"\n" in head:
            check_bytes(head[: head.rindex(b"\n")], path, 1)
        whole = len(head) < _HEAD
        head = head.removeprefix(BOM)
        dialect = find_dialect(head, whole, path, settings.separator, settings.quote_character)
        columns: dict[int, ColumnReader] = {}
        names: list[str] = []
        for block in BlockReader(stream, head, dialect, path).blocks():
            skip = 0
            if not names:
                header = [block.fields(j).text(0) for j in range(len(block.starts))]
                names = [_unescape(text, dialect.quote) for text in header]
                check_names(names, f"{path}, line 1")
                places = {name: j for j, name in enumerate(names)}
                kept = settings.kept(names)
                columns = {places[name]: ColumnReader(name, dialect.quote, settings) for name in kept}
                skip = 1
            if block.starts.shape[1] > skip:
                for j, column in columns.items():
                    column.add(block.fields(j, skip))
    if not next(iter(columns.values())).rows:
        raise FormatError(f"a header with {len(names)} names but no rows: at least one is needed", path)
    note = Decision(None, "delimiter", dialect.describe())
    finished = tuple(column.finish() for column in columns.values())
    return Table(str(path), tuple(names[j] for j in columns), finished, (note,))


class ColumnReader:
    """Gathers one column's codes; past the limit of states it keeps numbers if of use, or gives up."""

    def __init__(self, name: str, quote: str, settings: ReadSettings) -> None:
        self.rows = 0
        self._name = name
        self._quote = quote
        self._settings = settings
        self._coder = FieldCoder()
        self._codes: list[NDArray[np.unsignedinteger]] = []
        self._numbers: list[NDArray[np.float64]] | None = None
        self._refused: Refused | None = None

    def add(self, fields: Fields) -> None:
        """Take in the next fields."""
        self.rows += len(fields.starts)
        if self._refused is not None:
            return
        if self._numbers is not None:
            coder = FieldCoder()
            codes = coder.code(fields)
            self._add_numbers(coder, [codes])
            return
        codes = self._coder.code(fields)
        self._codes.append(codes.astype(narrowest(self._coder.width)))
        if len(self._coder.labels) > MOST_STATES:
            self._leave_labels()

    def finish(self) -> Column:
        """The whole column; what was gathered is let go."""
        if self._refused is not None:
            return Refused(self._refused.kind, self._refused.problem, self.rows)
        if self._numbers is not None:
            numbers, self._numbers = self._numbers, None
            return Numbers(np.concatenate(numbers))
        nodes = sorted(self._coder.labels)
        codes = np.empty(self.rows, dtype=narrowest(len(nodes)))
        dense = np.zeros(self._coder.width, dtype=codes.dtype)
        dense[nodes] = np.arange(len(nodes))
        filled = 0
        for part in self._codes:
            np.take(dense, part, out=codes[filled : filled + len(part)])
            filled += len(part)
        self._codes = []
        return Labels([self._text(self._coder.labels[node]) for node in nodes], codes)

    def _leave_labels(self) -> None:
        texts = [self._text(raw) for raw in self._coder.labels.values()]
        known = [text for text in texts if not self._settings.is_missing(text)]
        numbers = [exact(text) for text in known]
        if self._settings.may_be_numbers(self._name):
            self._numbers = []
            self._add_numbers(self._coder, self._codes)
        elif None not in numbers and any(isinstance(number, float) for number in numbers):
            example = next(text for text, number in zip(known, numbers, strict=True) if isinstance(number, float))
            self._refused = Refused("real", real_problem(self._name, example), self.rows)
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
            number = exact(text)
            if number is None:
                self._numbers = None
                self._refused = too_many_states(self._name, "text", MOST_STATES + 1, self.rows, at_least=True)
                return
            values[node] = number
        assert self._numbers is not None
        self._numbers += [values[part] for part in parts]

    def _text(self, raw: bytes) -> str:
        return _unescape(raw, self._quote)


def _unescape(raw: bytes, quote: str) -> str:
    text = raw.decode("utf-8")
    return text.replace(quote * 2, quote) if quote else text
