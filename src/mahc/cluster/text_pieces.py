"""Pieces of a delimited text file: stretches of whole records, read as `mahc.read` reads the file."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import numpy as np

from mahc.cluster.piece_column import PieceColumn
from mahc.data._texts import TextColumns
from mahc.data.names import check_names
from mahc.data.settings import ReadSettings
from mahc.data.source_table import LabelColumn, SourceTable
from mahc.data.sources.dialect import Dialect
from mahc.data.sources.encoding import is_utf8
from mahc.data.sources.text_file import BOM, is_gzip, open_text
from mahc.data.sources.text_records import RecordReader
from mahc.data.sources.text_table import read_head
from mahc.errors import FormatError, MahcError

if TYPE_CHECKING:
    import polars as pl

BYTES_PER_PIECE = 1 << 25
LONGEST_RECORD = 1 << 26
_HEAD = 1 << 18


@dataclass(frozen=True)
class TextFile:
    """How a text file is read: its dialect and its header."""

    path: str
    encoding: str
    dialect: Dialect
    names: tuple[str, ...]
    header: bool = True
    label: str = ""  # what errors call it, where the file is a temporary one


@dataclass(frozen=True)
class TextPiece:
    """Whole records of a text file.

    Parameters
    ----------
    file : TextFile
        The file.
    begin, end : int
        Its bytes; the whole file where `end` is None.
    first_line : int
        The line of its first record, for errors.
    partitions : tuple of (str, str)
        Columns that the folders of a hive-partitioned table give all rows of the file, with their values.
    """

    file: TextFile
    begin: int = 0
    end: int | None = None
    first_line: int = 1
    partitions: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The path, or the label."""
        return self.file.label or self.file.path

    @property
    def size(self) -> int:
        """The size of the piece in the file."""
        return Path(self.file.path).stat().st_size if self.end is None else self.end - self.begin

    def column_types(self) -> dict[str, pl.DataType]:
        """The columns, all text."""
        import polars as pl

        return {name: pl.String() for name in (*self.file.names, *dict(self.partitions))}

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names; the file is split into fields once."""
        import polars as pl

        given, places = dict(self.partitions), {name: j for j, name in enumerate(self.file.names)}
        wanted = [name for name in names if name not in given]
        dialect = self.file.dialect
        columns = TextColumns(dialect.delimiter, dialect.quote, len(places), [places[name] for name in wanted])
        self._read_into(columns)
        for name in names:
            if name in given:
                yield PieceColumn(
                    pl.Series([given[name]], dtype=pl.String), np.zeros(columns.rows, np.uint8), spelt=True
                )
            else:
                texts, codes = columns.take(wanted.index(name))
                yield PieceColumn(pl.Series(texts, dtype=pl.String), codes, spelt=True)

    def table(self, settings: ReadSettings) -> SourceTable | None:
        """All its columns, and those of its folders, as text; None without rows."""
        names = (*self.file.names, *dict(self.partitions))
        read = self.columns(names)
        found = tuple(LabelColumn(column.values.to_list(), column.codes, spelt=True) for column in read)
        return SourceTable(self.name, names, found) if found[0].rows else None

    def _read_into(self, columns: TextColumns) -> None:
        path = Path(self.file.path)
        with self._naming(), open_text(path, self.file.encoding) as stream:
            if self.end is None:
                reader = RecordReader(stream, stream.read(_HEAD).removeprefix(BOM), self.file.dialect, path)
                reader.header(self.file.header)
            else:
                stream.seek(self.begin)
                content = stream.read(self.end - self.begin)
                reader = RecordReader(cast(IO[bytes], io.BytesIO()), content, self.file.dialect, path, self.first_line)
            for _ in reader.read_into(columns):
                pass

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except MahcError as mistake:
            mistake.message = mistake.message.replacing(self.file.path, self.name)
            raise


def open_text_file(path: str, settings: ReadSettings) -> TextFile:
    """Find the dialect and the header of a text file."""
    with open_text(Path(path), settings.encoding) as stream:
        head, dialect = read_head(stream, Path(path), settings)
        names = tuple(RecordReader(stream, head, dialect, Path(path)).header(settings.header))
    check_names(names, f"{path}, line 1")
    return TextFile(path, settings.encoding, dialect, names, settings.header)


def cut_text(file: TextFile, partitions: tuple[tuple[str, str], ...]) -> list[TextPiece]:
    """The pieces of a text file; one that is compressed or in another encoding than UTF-8 is not cut."""
    path = Path(file.path)
    if is_gzip(path) or not is_utf8(file.encoding):
        return [TextPiece(file, partitions=partitions)]
    cuts = _Cuts(path, file.dialect.quote.encode()).find()
    if not file.header:
        with path.open("rb") as stream:
            cuts = [(len(BOM) if stream.read(len(BOM)) == BOM else 0, 1), *cuts]
    return [TextPiece(file, begin, end, line, partitions) for (begin, line), (end, _) in pairwise(cuts)]


class _Cuts:
    """Places between records, with their lines: the first after the header, then about every `BYTES_PER_PIECE`."""

    def __init__(self, path: Path, quote: bytes) -> None:
        self._path, self._quote = path, quote

    def find(self) -> list[tuple[int, int]]:
        """All places, the end of the file the last."""
        cuts: list[tuple[int, int]] = []
        with self._path.open("rb") as stream:
            rest, begin, line = b"", 0, 1  # what is after the last place, where it begins, and its line
            while True:
                fresh = stream.read(BYTES_PER_PIECE)
                text = rest + fresh
                at = len(text) if not fresh else self._record_end(text, first=not cuts)
                if at:
                    begin, line = begin + at, line + text.count(b"\n", 0, at)
                    cuts.append((begin, line))
                if not fresh:
                    return cuts if len(cuts) > 1 else [*cuts, *cuts]
                rest = text[at:]
                if len(rest) > LONGEST_RECORD + BYTES_PER_PIECE:
                    raise FormatError("a record of more than 64 MB: is a quote left open?", self._path, line)

    def _record_end(self, text: bytes, first: bool) -> int:
        """After the header, or after the last record with no empty line beside its end; 0 if there is none."""
        places = range(len(text)) if first else range(len(text), 0, -1)
        at = places.start
        quotes = 0 if first or not self._quote else text.count(self._quote)
        while True:
            before = at
            at = text.find(b"\n", at) if first else text.rfind(b"\n", 0, at)
            if at < 0:
                return 0
            if self._quote:
                quotes += text.count(self._quote, before, at) if first else -text.count(self._quote, at, before)
            if quotes % 2 == 0 and (first or self._between_records(text, at)):
                return at + 1
            at += 1 if first else 0

    def _between_records(self, text: bytes, at: int) -> bool:
        """Whether neither the line that ends at `at` nor the next one is empty: a piece has both or none."""
        following = text[at + 1 : at + 2]
        return (
            bool(following) and following not in b"\r\n" and bool(text[text.rfind(b"\n", 0, at) + 1 : at].strip(b"\r"))
        )
