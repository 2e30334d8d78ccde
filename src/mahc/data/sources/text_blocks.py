"""Splits a text file into blocks of records and fields; checks quoting and the number of fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from mahc.data.sources.dialect import Dialect, delimiter_name
from mahc.data.sources.field_codes import Fields, Positions, padded, word_view
from mahc.data.sources.text_file import check_bytes
from mahc.errors import FormatError, Mention, Message
from mahc.plurals import count

# Small enough that the field positions of a block stay in the processor's cache; larger for very wide rows.
_BLOCK = 1 << 21
_LARGEST_BLOCK = 1 << 24
_ROWS_PER_BLOCK = 1 << 12
# A longer record means that a quote was not closed.
_LONGEST_RECORD = 1 << 26
_LF, _CR = 10, 13
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Block:
    """Records from one stretch of the file: row i of column j is data[starts[j, i]:ends[j, i]]."""

    data: Bytes
    starts: Positions
    ends: Positions

    def fields(self, column: int, skip: int = 0) -> Fields:
        """One column of the block, without its first rows if requested."""
        return Fields(self.data, word_view(self.data), self.starts[column, skip:], self.ends[column, skip:])

    def record(self, row: int) -> list[bytes]:
        """The fields of one row; much faster than column by column where there are many."""
        text = self.data.tobytes()
        places = zip(self.starts[:, row].tolist(), self.ends[:, row].tolist(), strict=True)
        return [text[start:end] for start, end in places]


class BlockReader:
    """Reads a stream in blocks; the first record fixes how many fields each must have, unless `width` does."""

    def __init__(
        self, stream: IO[bytes], head: bytes, dialect: Dialect, path: Path, width: int = 0, first_line: int = 1
    ) -> None:
        self._stream = stream
        self._pending = head
        self._dialect = dialect
        self._delimiter = ord(dialect.delimiter)
        self._quote = ord(dialect.quote) if dialect.quote else None
        self._path = path
        self._width = width
        self._line = first_line
        self._size = _BLOCK

    def blocks(self) -> Iterator[Block]:
        """Every block in turn; the first one begins with the header."""
        rest = b""
        while True:
            fresh, self._pending = self._pending or self._stream.read(self._size), b""
            piece = rest + fresh
            if not fresh and piece and not piece.endswith(b"\n"):
                piece += b"\n"
            if b"\0" in fresh:
                check_bytes(fresh, self._path, self._line + rest.count(b"\n"))
            cut, block = self._scan(piece, last=not fresh)
            if block is not None:
                wide = cut // block.starts.shape[1] * _ROWS_PER_BLOCK
                self._size = max(_BLOCK, min(wide, _LARGEST_BLOCK))
                yield block
            if not fresh:
                return
            rest = piece[cut:]
            self._line += piece.count(b"\n", 0, cut)
            if len(rest) > _LONGEST_RECORD:
                raise FormatError("a record of more than 64 MB: is a quote left open?", self._path, self._line)

    def _scan(self, piece: bytes, last: bool) -> tuple[int, Block | None]:
        data = padded(piece)
        body = data[: len(piece)]
        separates = (body == self._delimiter) | (body == _LF)
        quoted = self._quote is not None and self._quote in piece
        if quoted:
            separates = self._outside_quotes(body, separates, last)
        separators = np.flatnonzero(separates)
        newlines = np.flatnonzero(body[separators] == _LF)
        if not len(newlines):
            return 0, None
        if not self._width:
            self._width = int(newlines[0]) + 1
        cut = int(separators[newlines[-1]]) + 1
        if self._width > 1:  # blank lines wait for what follows: they are ignored at the end of the file only
            cut = _before_blank_lines(piece, cut)
        if cut == 0:
            return 0, None
        separators = separators[: np.searchsorted(separators, cut)]
        newlines = newlines[: np.searchsorted(newlines, len(separators))]
        check_bytes(piece[:cut], self._path, self._line)
        self._check_widths(newlines, separators, piece)
        return cut, self._block(data, separators, quoted)

    def _outside_quotes(self, body: Bytes, separates: Mask, last: bool) -> Mask:
        is_quote = body == self._quote
        inside = np.add.accumulate(is_quote, dtype=np.uint8) & 1 == 1
        borders = separates | is_quote
        opening = is_quote & inside
        opening[1:] &= ~borders[:-1]
        opening[0] = False
        self._refuse_stray(body, opening)
        if (body == _CR).any():
            borders[:-1] |= (body[:-1] == _CR) & (body[1:] == _LF)
        closing = is_quote & ~inside
        closing[:-1] &= ~borders[1:]
        closing[-2:] = False  # what follows may be in the next block still; the last one ends in a line end
        self._refuse_stray(body, closing)
        if last and inside[-1]:
            line = self._line + _count_lines(body, int(np.flatnonzero(is_quote)[-1]))
            raise FormatError(
                f"the quote {self._dialect.quote} opened here is never closed: close it", self._path, line
            )
        outside: Mask = separates & ~inside
        return outside

    def _refuse_stray(self, body: Bytes, strays: Mask) -> None:
        if strays.any():
            line = self._line + _count_lines(body, int(strays.argmax()))
            raise FormatError(
                Message(
                    f"a quote {self._dialect.quote} in the middle of a field: put the whole field in quotes and "
                    "double the one inside, or pass ",
                    Mention("quote", "none"),
                    " if quotes are ordinary characters here",
                ),
                self._path,
                line,
            )

    def _check_widths(self, newlines: Positions, separators: Positions, piece: bytes) -> None:
        widths = np.diff(newlines, prepend=-1)
        wrong = np.flatnonzero(widths != self._width)
        if not len(wrong):
            return
        row = int(wrong[0])
        begin = int(separators[newlines[row - 1]]) + 1 if row else 0
        line = self._line + piece.count(b"\n", 0, begin)
        if not piece[begin : int(separators[newlines[row]])].strip(b"\r"):
            raise FormatError("the line is empty: remove it", self._path, line)
        hint = ""
        if line == 2 and int(widths[row]) == self._width + 1:
            hint = " (a saved row name? save without row names)"
        found, needed = int(widths[row]), self._width
        raise FormatError(
            Message(
                f"{count(found, 'field')} where the header has {needed}{hint}: correct the line, or pass ",
                Mention("delimiter"),
                f" if {delimiter_name(self._dialect.delimiter)} is not the separator",
            ),
            self._path,
            line,
        )

    def _block(self, data: Bytes, separators: Positions, quoted: bool) -> Block:
        ends = np.ascontiguousarray(separators.reshape(-1, self._width).T)
        starts = np.empty_like(ends)
        starts[1:] = ends[:-1] + 1
        starts[0, 0] = 0
        starts[0, 1:] = ends[-1, :-1] + 1
        ends[-1] -= (data[ends[-1] - 1] == _CR) & (ends[-1] > starts[-1])
        if quoted:
            within = (data[starts] == self._quote) & (ends > starts)
            starts += within
            ends -= within
        return Block(data, starts, ends)


def _before_blank_lines(piece: bytes, cut: int) -> int:
    content = len(piece[:cut].rstrip(b"\r\n"))
    if content == 0:
        return 0
    return piece.index(b"\n", content) + 1


def _count_lines(body: Bytes, end: int) -> int:
    return int(np.count_nonzero(body[:end] == _LF))
