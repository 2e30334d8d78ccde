"""Reads the records of a text file block by block; says what is wrong with a record, and in which line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mahc.data._texts import TextColumns, split_record
from mahc.data.sources.dialect import Dialect, delimiter_name
from mahc.data.sources.text_file import check_bytes
from mahc.errors import FormatError, Mention, Message
from mahc.plurals import count

_BLOCK = 1 << 21
# A longer record means that a quote was not closed.
_LONGEST_RECORD = 1 << 26


def nameless(columns: int) -> list[str]:
    """Names for the columns of a table without a header.

    >>> nameless(2)
    ['column1', 'column2']
    """
    return [f"column{place}" for place in range(1, columns + 1)]


class RecordReader:
    """The header and the other records of a stream; `first_line` is the line that the stream begins with."""

    def __init__(self, stream: IO[bytes], head: bytes, dialect: Dialect, path: Path, first_line: int = 1) -> None:
        self._stream = stream
        self._text = head
        self._ended = False
        self._dialect = dialect
        self._path = path
        self._line = first_line
        self._size = _BLOCK

    def header(self, there: bool = True) -> list[str]:
        """The fields of the first record; where it is no header, `column1` and so on, and it is still to be read."""
        while True:
            cut, problem, where, names = split_record(self._text, self._dialect.delimiter, self._dialect.quote)
            self._take(cut if there else 0, problem if problem != "open" or self._ended else "", where)
            if cut or self._ended:
                return [name.decode("utf-8") for name in names] if there else nameless(len(names))
            self._read_more()

    def read_into(self, columns: TextColumns) -> Iterator[int]:
        """Add the records to the columns; after each block, how many bytes were read."""
        width = columns.width
        done = 0
        while True:
            cut, problem, where, fields = columns.scan(self._text, self._ended)
            self._take(cut, problem, where, fields, width)
            done += cut
            yield done
            if self._ended:
                return
            self._read_more()

    def _read_more(self) -> None:
        if len(self._text) > _LONGEST_RECORD:
            raise FormatError("a record of more than 64 MB: is a quote left open?", self._path, self._line)
        fresh = self._stream.read(self._size)
        if b"\0" in fresh:
            check_bytes(fresh, self._path, self._line_at(len(self._text)))
        self._ended = not fresh
        self._text += fresh
        if self._ended and self._text and not self._text.endswith(b"\n"):
            self._text += b"\n"

    def _take(self, cut: int, problem: str, where: int, fields: int = 0, width: int = 0) -> None:
        """Check what was read, and keep the rest for the next block."""
        checked = self._text.rfind(b"\n") + 1 if problem else cut
        check_bytes(self._text[:checked], self._path, self._line)
        if problem:
            place = self._text.rindex(self._dialect.quote.encode()) if problem == "open" else where
            raise self._refusal(problem, self._line_at(place), fields, width)
        self._line += self._text.count(b"\n", 0, cut)
        self._text = self._text[cut:]
        self._size = _BLOCK if cut else 2 * self._size  # a long record is not looked through again and again

    def _line_at(self, place: int) -> int:
        return self._line + self._text.count(b"\n", 0, place)

    def _refusal(self, problem: str, line: int, fields: int, width: int) -> FormatError:
        quote, delimiter = self._dialect.quote, delimiter_name(self._dialect.delimiter)
        hint = " (a saved row name? save without row names)" if line == 2 and fields == width + 1 else ""
        said: dict[str, str | Message] = {
            "quote": Message(
                f"a quote {quote} in the middle of a field: put the whole field in quotes and double the one inside, "
                "or pass ",
                Mention("quote", "none"),
                " if quotes are ordinary characters here",
            ),
            "open": f"the quote {quote} opened here is never closed: close it",
            "empty": "the line is empty: remove it",
            "width": Message(
                f"{count(fields, 'field')} where the header has {width}{hint}: correct the line, or pass ",
                Mention("delimiter"),
                f" if {delimiter} is not the separator",
            ),
        }
        return FormatError(said[problem], self._path, line)
