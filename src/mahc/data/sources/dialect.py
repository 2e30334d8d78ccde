"""Detection of the delimiter and the quote character of a text file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from mahc.data.prepare.notes import shorten
from mahc.errors import FormatError, InvalidSettingError, Mention, Message, choices

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " "}
_DELIMITER_NAMES = {character: name for name, character in DELIMITERS.items()}
_RECORDS = 200


@dataclass(frozen=True)
class Dialect:
    """The delimiter and the quote character of a text file; an empty quote means no quoting.

    >>> Dialect(";", '"').describe()
    'fields are separated by semicolon and quoted with "'
    """

    delimiter: str
    quote: str

    def describe(self) -> str:
        """A description of the dialect."""
        quoting = f"quoted with {self.quote}" if self.quote else "not quoted"
        return f"fields are separated by {delimiter_name(self.delimiter)} and {quoting}"


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter, or the character itself."""
    return _DELIMITER_NAMES.get(delimiter, repr(delimiter))


def parse_delimiter(text: str) -> str:
    r"""A delimiter from its name, its escape or itself.

    >>> parse_delimiter("tab"), parse_delimiter("\\t"), parse_delimiter(";")
    ('\t', '\t', ';')
    """
    character = DELIMITERS.get(text.lower(), "\t" if text == "\\t" else text)
    if len(character) != 1 or not character.isascii() or character.isalnum() or character in "\r\n\0\"'.-+":
        raise InvalidSettingError(
            "delimiter",
            text,
            Message(
                "give ",
                choices(DELIMITERS),
                " or one ASCII character that is not a letter, digit, quote, point or sign",
            ),
        )
    return character


def find_dialect(head: bytes, whole: bool, path: Path, delimiter: str | None, quote: str | None) -> Dialect:
    """Detect the dialect of a file from its first records; settings override it; ambiguity is an error."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    chosen_quote = _find_quote(text) if quote is None else quote
    if delimiter is not None:
        return _checked(Dialect(delimiter, chosen_quote), text, whole, path)
    header = _unquoted_header(text, chosen_quote)
    present = [d for d in DELIMITERS.values() if d != " " and d in header]
    if path.name.lower().removesuffix(".gz").endswith(".tsv") and "\t" in present:
        present = ["\t"]
    if len(present) == 1:
        return Dialect(present[0], chosen_quote)
    if not present:
        space = Dialect(" ", chosen_quote)
        return space if _agreement(text, space, whole) == 1.0 else Dialect(",", chosen_quote)
    shares = {d: _agreement(text, Dialect(d, chosen_quote), whole) for d in present}
    best = max(shares.values())
    winners = [d for d in present if shares[d] == best]
    if len(winners) > 1 or best == 0:
        names = " or ".join(delimiter_name(d) for d in (winners if best else present))
        raise FormatError(
            Message(f"fields may be separated by {names}: say which with ", Mention("delimiter")), path, 1
        )
    return Dialect(winners[0], chosen_quote)


def first_records(text: str, dialect: Dialect, whole: bool) -> list[list[str]]:
    """The first records of a text; of one that is not whole, without the last, which may be cut off."""
    return _records(text, dialect, whole)


def _checked(dialect: Dialect, text: str, whole: bool, path: Path) -> Dialect:
    header = _records(text, dialect, whole)[0] or [""]  # an empty first line is refused with the names
    others = [d for d in DELIMITERS.values() if d not in (dialect.delimiter, " ") and d in header[0]]
    better = [d for d in others if _agreement(text, Dialect(d, dialect.quote), whole) == 1.0]
    if len(header) == 1 and better:
        raise FormatError(
            Message(
                f"with delimiter {delimiter_name(dialect.delimiter)} the only column would be ",
                f"{shorten(header[0])}: try ",
                Mention("delimiter", delimiter_name(better[0])),
                ", or leave it out",
            ),
            path,
            1,
        )
    return dialect


def _agreement(text: str, dialect: Dialect, whole: bool) -> float:
    """The share of records with as many fields as the header; 0 if the header has one field."""
    records = _records(text, dialect, whole)
    width = len(records[0])
    if width == 1:
        return 0.0
    body = [record for record in records[1:] if record]
    return sum(len(record) == width for record in body) / len(body) if body else 1.0


def _records(text: str, dialect: Dialect, whole: bool) -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    if dialect.quote:
        reader = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote)
    else:
        reader = csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)
    records: list[list[str]] = []
    try:
        for record in reader:
            records.append(record)
            if len(records) == _RECORDS:
                return records
    except csv.Error:  # RecordReader reports the line of such a record
        return records or [[text.split("\n", 1)[0]]]
    return records if whole or len(records) < 2 else records[:-1]


def _find_quote(text: str) -> str:
    """The quote is " unless fields are quoted with ', or " occurs only inside fields."""
    fields = [field.strip("\r") for line in text.split("\n")[:_RECORDS] for field in _split_at_any_delimiter(line)]
    if any(field.startswith('"') for field in fields):
        return '"'
    if any('"' in field for field in fields):
        return ""
    quoted = [field for field in fields if field[:1] == "'" or field[-1:] == "'"]
    closed = all(len(field) > 1 and field[0] == field[-1] == "'" for field in quoted)
    return "'" if quoted and closed else '"'


def _split_at_any_delimiter(line: str) -> list[str]:
    for delimiter in DELIMITERS.values():
        if delimiter != " ":
            line = line.replace(delimiter, "\n")
    return line.split("\n")


def _unquoted_header(text: str, quote: str) -> str:
    """The text outside quotes in the first record."""
    if not quote:
        return text.split("\n", 1)[0]
    outside = []
    for piece in text.split(quote)[::2]:
        line, newline, _ = piece.partition("\n")
        outside.append(line)
        if newline:
            break
    return "".join(outside)
