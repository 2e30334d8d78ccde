"""The settings with which a text file can be read, guessed from its content, for a person to confirm."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

from mahc.data.prepare.types import COMMA_NUMBER, parse_number
from mahc.data.settings import ReadSettings
from mahc.data.sources.dialect import DELIMITERS, Dialect, delimiter_name, find_dialect, first_records
from mahc.data.sources.encoding import guess_encoding
from mahc.data.sources.text_file import BOM, check_text, is_gzip, is_text_file
from mahc.errors import FormatError, MahcError

_BLOCK = 1 << 20
# Where several delimiters split a file, the first of these that does.
_LIKELY = ("semicolon", "tab", "pipe", "comma")


def guess_reading(path: Path) -> dict[str, str]:
    """Encoding, delimiter and decimal mark where they differ from what `read` takes by itself.

    Parameters
    ----------
    path : Path
        A file.

    Returns
    -------
    dict
        Settings of `read`; empty for files that are not text, and where nothing needs to be said.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "messung.csv"
    ...     _ = file.write_bytes("Größe;Ort\\n1,71;Köln\\n1,83;Bonn\\n".encode("cp1252"))
    ...     guess_reading(file)
    {'encoding': 'cp1252', 'decimal': ','}
    """
    if not is_text_file(path):
        return {}
    found = {}
    try:
        head = _read_head(path)
        encoding = _find_encoding(path, head)
    except (OSError, EOFError):
        return {}  # reading it says why
    if encoding != "utf-8":
        found["encoding"] = encoding
    text = head.decode(encoding, "replace").removeprefix("\ufeff")
    try:
        check_text(text.encode(), path)
        whole = len(head) < _BLOCK
        dialect, named = _find_dialect(text, whole, path)
    except MahcError:
        return found
    if named:
        found["delimiter"] = delimiter_name(dialect.delimiter)
    if dialect.delimiter != "," and _has_decimal_commas(first_records(text, dialect, whole)):
        found["decimal"] = ","
    return found


def _read_head(path: Path) -> bytes:
    with gzip.open(path) if is_gzip(path) else path.open("rb") as stream:
        return bytes(stream.read(_BLOCK))


def _find_encoding(path: Path, head: bytes) -> str:
    """UTF-8 where the whole file is that; otherwise the likely encoding."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    with gzip.open(path) if is_gzip(path) else path.open("rb") as stream:
        while block := bytes(stream.read(_BLOCK)):
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                return guess_encoding(block.removeprefix(BOM))
    return "utf-8"


def _find_dialect(text: str, whole: bool, path: Path) -> tuple[Dialect, bool]:
    """The dialect, and whether its delimiter has to be named because several are possible."""
    head = text.encode()
    try:
        return find_dialect(head, whole, path, None, None), False
    except FormatError:
        header = text.split("\n", 1)[0]
        likely = next((DELIMITERS[name] for name in _LIKELY if DELIMITERS[name] in header), ",")
        return find_dialect(head, whole, path, likely, None), True


def _has_decimal_commas(records: list[list[str]]) -> bool:
    """Whether numbers have decimal commas, and none a point."""
    fields = [field for record in records[1:] for field in record]
    commas = sum(bool(COMMA_NUMBER.match(field)) for field in fields)
    return commas > 0 and not any("." in field and isinstance(parse_number(field), float) for field in fields)


FILE_SETTINGS = ("encoding", "delimiter", "quote", "decimal", "header", "sheet")


def file_settings(settings: ReadSettings) -> ReadSettings:
    """Of the settings, those that say how a file is taken apart.

    >>> file_settings(ReadSettings(encoding="cp1252", drop=("id",))) == ReadSettings(encoding="cp1252")
    True
    """
    return ReadSettings(**{name: getattr(settings, name) for name in FILE_SETTINGS})
