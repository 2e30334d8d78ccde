"""Text files that are not UTF-8: they are recoded while they are read, and a likely encoding is named."""

from __future__ import annotations

import codecs
import io
import re
from pathlib import Path
from typing import IO

from mahc.errors import FormatError, InvalidSettingError, Mention, Message

_ADVICE = "give the name of an encoding, such as utf-8, cp1252 or utf-16"
_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")
# Western text has single accented letters between plain ones; other scripts have whole words of high bytes.
_WESTERN_RUN = 2.0


def check_encoding(name: str) -> None:
    """Refuse what is not the name of a text encoding.

    >>> check_encoding("latin-1")
    """
    try:
        "a".encode(name).decode(name)
    except (LookupError, ValueError):
        raise InvalidSettingError("encoding", name, _ADVICE) from None


def is_utf8(name: str) -> bool:
    """Whether the encoding is UTF-8, so that bytes need no recoding."""
    return codecs.lookup(name).name == "utf-8"


def guess_encoding(data: bytes) -> str:
    """The likely encoding of bytes that are not UTF-8.

    >>> guess_encoding("naïve café".encode("cp1252")), guess_encoding("привет".encode("cp1251"))
    ('cp1252', 'cp1251')
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        return "utf-16"
    runs = [len(run) for run in _HIGH_RUNS.findall(data)]
    western = not runs or sum(runs) / len(runs) <= _WESTERN_RUN
    for name in ("cp1252", "latin-1") if western else ("cp1251", "gb18030", "latin-1"):
        try:
            data.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    return "latin-1"


def suggest_encoding(data: bytes) -> Message:
    """What to do about bytes that are not UTF-8."""
    return Message("save the file as UTF-8, or pass ", Mention("encoding", guess_encoding(data)))


class Recoded:
    """A stream of bytes in some encoding, read as UTF-8.

    >>> Recoded(io.BytesIO("é".encode("latin-1")), "latin-1", Path("a.csv")).read(10)
    b'\\xc3\\xa9'
    """

    def __init__(self, stream: IO[bytes], encoding: str, path: Path) -> None:
        self._text = io.TextIOWrapper(stream, encoding=encoding, errors="strict", newline="")
        self._encoding = encoding
        self._path = path

    def read(self, size: int) -> bytes:
        """The next letters, at most `size` of them."""
        try:
            return self._text.read(size).encode("utf-8")
        except UnicodeError as mistake:
            reason = getattr(mistake, "reason", str(mistake))
            message = Message(
                f"this is not {self._encoding} ({reason}): correct ", Mention("encoding"), ", or save the file as UTF-8"
            )
            raise FormatError(message, self._path) from None
