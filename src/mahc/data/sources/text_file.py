"""Opening text files, and recognising other kinds of files."""

from __future__ import annotations

import contextlib
import gzip
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from mahc.data.shipped_samples import sample_names
from mahc.data.sources.encoding import Recoded, is_utf8, suggest_encoding
from mahc.errors import DataError, FormatError, Mention, Message

TEXT_ENDINGS = (".csv", ".tsv", ".txt")
UTF16 = Message("save it as UTF-8, or pass ", Mention("encoding", "utf-16"))
# First bytes, kind of file, and fix.
_MAGIC = (
    (b"PK\x03\x04", "a zip archive or spreadsheet", "unpack it, or save the sheet as CSV"),
    (b"PAR1", "a Parquet file", "rename it to .parquet"),
    (b"ARROW1", "an Arrow file", "rename it to .arrow"),
    (b"\x1f\x8b", "a gzip file", "rename it to end in .gz"),
    (b"\x28\xb5\x2f\xfd", "a zstd file", "unpack it first"),
    (b"BZh", "a bzip2 file", "unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an old Excel sheet", "save it as CSV"),
    (b"\x89HDF", "an HDF5 file", "save it as CSV or Parquet"),
    (b"%PDF", "a PDF", "save the table as CSV"),
    (b"\xff\xfe", "UTF-16 text", UTF16),
    (b"\xfe\xff", "UTF-16 text", UTF16),
)
BOM = b"\xef\xbb\xbf"


def check_file(path: Path, *, pipe: bool = False) -> None:
    """Raise DataError unless the path is a readable file, or a pipe if allowed; suggest a similar name."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise DataError(f"{path} is a folder: name a file in it")
        if not (stat.S_ISREG(mode) or (stat.S_ISFIFO(mode) and pipe)):
            kind = "pipe" if stat.S_ISFIFO(mode) else "device or socket"
            raise DataError(f"{path} is a {kind}, not a file: save the data in a file")
        if stat.S_ISREG(mode):  # to open a pipe takes from it, and it can be opened once
            with path.open("rb"):
                return
    except FileNotFoundError:
        raise DataError(f"{path} does not exist{_nearest(path)}: check the name and the folder") from None
    except PermissionError:
        raise DataError(f"{path} may not be read by this user: change its permissions") from None
    except DataError:
        raise
    except (OSError, ValueError) as mistake:
        raise DataError(f"{path} cannot be opened ({_first_line(mistake)}): check the name") from None


def is_text_file(path: Path) -> bool:
    """Whether the name is that of a delimited text file, compressed or not."""
    return Path(path.name.lower().removesuffix(".gz")).suffix in TEXT_ENDINGS


def is_gzip(path: Path) -> bool:
    """Whether the suffix is that of a gzip file."""
    return path.suffix.lower() == ".gz"


@contextlib.contextmanager
def open_text(path: Path, encoding: str = "utf-8") -> Iterator[IO[bytes]]:
    """The bytes of a text file in UTF-8, decompressed if its name ends in .gz; a broken archive is a FormatError."""
    check_file(path, pipe=True)
    try:
        with path.open("rb") as stream:
            if not is_gzip(path):
                yield _recode(stream, encoding, path)
                return
            with gzip.open(stream, "rb") as unpacked:
                yield _recode(cast(IO[bytes], unpacked), encoding, path)
    except EOFError:
        raise FormatError("the gzip file is cut off: copy or download it again", path) from None
    except gzip.BadGzipFile:
        raise FormatError("not a gzip file although its name ends in .gz: rename it", path) from None
    except zlib.error as mistake:
        raise FormatError(f"the gzip file is damaged ({mistake}): copy or download it again", path) from None
    except OSError as mistake:
        raise FormatError(f"reading failed ({_first_line(mistake)}): check the disk and the file", path) from None


def _recode(stream: IO[bytes], encoding: str, path: Path) -> IO[bytes]:
    return stream if is_utf8(encoding) else cast(IO[bytes], Recoded(stream, encoding, path))


def check_text(head: bytes, path: Path) -> None:
    """Raise FormatError if the first bytes show that the file is not UTF-8 text."""
    if not head.strip(b"\r\n\t " + BOM):
        raise FormatError("the file is empty: it needs a line of column names and at least one row", path)
    for magic, nature, fix in _MAGIC:
        if head.startswith(magic):
            raise FormatError(Message(f"this is {nature}, not UTF-8 text with one row a line: ", fix), path)
    if b"\r" in head[:-1] and b"\n" not in head:
        raise FormatError("lines end in a lone CR (old Mac): save it with LF or CRLF line ends", path)


def check_bytes(data: bytes, path: Path, first_line: int) -> None:
    """Raise FormatError, with the line, for zero bytes and bytes that are not UTF-8."""
    zero = data.find(b"\0")
    if zero >= 0:
        line = first_line + data.count(b"\n", 0, zero)
        fix = Message("a zero byte: this is not text, or it is UTF-16: ", suggest_encoding(data))
        raise FormatError(fix, path, line)
    if data.isascii():
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as mistake:
        line = first_line + data.count(b"\n", 0, mistake.start)
        byte = data[mistake.start]
        raise FormatError(Message(f"byte 0x{byte:02x} is not UTF-8: ", suggest_encoding(data)), path, line) from None


def _nearest(path: Path) -> str:
    samples = sample_names() if len(path.parts) == 1 and not path.suffix else []
    try:
        beside = sorted((*(entry.name for entry in path.parent.iterdir()), *samples))
    except OSError:
        return ""
    import difflib

    near = difflib.get_close_matches(path.name, beside, n=1, cutoff=0.7)
    return f" (did you mean '{near[0]}'?)" if near else ""


def _first_line(mistake: BaseException) -> str:
    return (str(mistake).splitlines() or [type(mistake).__name__])[0]
