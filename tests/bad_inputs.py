"""Files that must be refused, and what the sentence must say; for the tests of `read` and of the CLI."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl


@dataclass(frozen=True)
class BadFile:
    """A file name, how to write it, and words of the refusal."""

    name: str
    content: bytes | Callable[[], bytes]
    says: tuple[str, ...]
    why: str

    def write(self, folder: Path) -> Path:
        path = folder / self.name
        path.write_bytes(self.content() if callable(self.content) else self.content)
        return path


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", "a,b\n1,2\n")
    return buffer.getvalue()


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame({"a": [1, 2, 3] * 100, "b": ["x", "y", "z"] * 100}).write_parquet(buffer)
    return buffer.getvalue()


def _arrow() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame({"a": [1, 2, 3] * 100}).write_ipc(buffer)
    return buffer.getvalue()


def _damaged(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 0x5A for byte in data[middle:])


_GOOD = b"a,b\n" + b"x,1\ny,2\n" * 50
_MANY = "".join(f"v{row}\n" for row in range(65_536)).encode()

BAD_FILES = (
    BadFile("empty.csv", b"", ("empty",), "empty file"),
    BadFile("blank.csv", b"\n \r\n", ("empty",), "only blank lines"),
    BadFile("bom.csv", b"\xef\xbb\xbf", ("empty",), "only a byte order mark"),
    BadFile("empty.csv.gz", gzip.compress(b""), ("empty",), "empty gzip"),
    BadFile("header.csv", b"a,b\n", ("no rows",), "header only"),
    BadFile("header2.csv", b"a,b", ("no rows",), "header only without line end"),
    BadFile("one.csv", b"a,b\nx,1\n", ("one row only", "at least two"), "one row"),
    BadFile("short.csv", b"a,b\n1,2\n1\n", ("line 3", "1 field", "header has 2"), "ragged row, too short"),
    BadFile("long.csv", b"a,b\n1,2\n1,2,3\n", ("line 3", "3 fields", "header has 2"), "ragged row, too long"),
    BadFile("r.csv", b"a,b\n1,x,y\n2,x,y\n", ("line 2", "row names"), "R's row names"),
    BadFile("ragged.csv.gz", gzip.compress(b"a,b\n1,2\n1\n"), ("line 3", "ragged.csv.gz"), "ragged within gzip"),
    BadFile("lines.csv", b'a,b\n"x\n\ny",2\n1\n', ("line 5",), "line numbers count lines within quotes"),
    BadFile("hole.csv", b"a,b\n1,2\n\n1,2\n", ("line 3", "empty"), "empty line in the middle"),
    BadFile("twice.csv", b"a,b,a\n1,2,3\n", ("'a'", "not unique", "rename"), "duplicate names"),
    BadFile("nameless.csv", b",b\n1,2\n", ("no name for column 1", "row index"), "empty name"),
    BadFile("padded.csv", b"a, b\n1,2\n", ("' b'", "spaces"), "name with spaces around"),
    BadFile("nul.csv", b"a,b\n1,\x00\n", ("line 2", "zero byte"), "zero byte"),
    BadFile("latin.csv", "a,b\nx,1\né,2\n".encode("latin-1"), ("line 3", "0xe9", "UTF-8"), "Latin-1"),
    BadFile("utf16.csv", "a,b\n1,2\n".encode("utf-16"), ("UTF-16", "save it as UTF-8"), "UTF-16 with mark"),
    BadFile("utf16le.csv", "a,b\n1,2\n".encode("utf-16-le"), ("zero byte", "UTF-16"), "UTF-16 without mark"),
    BadFile("zip.csv", _zip, ("zip", "unpack"), "zip named csv"),
    BadFile("parquet.csv", _parquet, ("Parquet", "rename it to .parquet"), "parquet named csv"),
    BadFile("arrow.csv", _arrow, ("Arrow", ".arrow"), "arrow named csv"),
    BadFile("gzip.csv", gzip.compress(_GOOD), ("gzip", ".gz"), "gzip named csv"),
    BadFile("plain.csv.gz", _GOOD, ("not a gzip file",), "text named gz"),
    BadFile("cut.csv.gz", gzip.compress(_GOOD * 50)[:-20], ("cut off",), "truncated gzip"),
    BadFile("damaged.csv.gz", _damaged(gzip.compress(_GOOD * 50, 0)), ("gzip",), "damaged gzip"),
    BadFile("mac.csv", b"a,b\r1,2\r", ("CR", "LF"), "lone CR line ends"),
    BadFile("open.csv", b'a,b\n1,2\n"x,2\n1,2\n', ("line 3", "never closed"), "quote left open"),
    BadFile("stray.csv", b'a,b\n"x",2\n5" pipe,2\n', ("line 3", "middle of a field"), "stray quote"),
    BadFile("after.csv", b'a,b\n"x"y,2\n', ("line 2", "middle of a field"), "text after a closing quote"),
    BadFile("two.csv", b"a;b,c\n1;2,3\n", ("comma or semicolon", "delimiter"), "ambiguous delimiter"),
    BadFile("states.csv", b"v\n" + _MANY, ("'v'", "65,536 states", "65,535"), "65,536 states"),
    BadFile(
        "units.csv",
        b"a,h\n" + b"".join(b"x,%d mg\n" % dose for dose in range(30)),
        ("'h'", "0 mg", "without the unit"),
        "numbers with units",
    ),
    BadFile(
        "dates.csv",
        b"a,h\n" + b"".join(b"x,2020-01-01 %d:%d:%d\n" % (n // 3600, n // 60 % 60, n % 60) for n in range(66_000)),
        ("'h'", "different dates", "periods"),
        "too many dates",
    ),
    BadFile(
        "gaps.csv",
        b"a,b\n,1\ny,\nz,\n",
        ("'a' (1)", "'b' (2)", 'missing="state"', 'missing="drop"', "fill"),
        "missing",
    ),
    BadFile("na.csv", b"a,h\nx,1.73\ny,NA\n", ("'h'", "1.73", "'NA'", "token"), "real numbers and NA"),
    BadFile("nan.csv", b"a,b\nx,NaN\ny,1\nnull,2\n", ("'a' (1)", "'b' (1)", 'missing="state"'), "NaN and null"),
    BadFile("inf.csv", b"a,h\nx,1.73\ny,-inf\n", ("'h'", "1.73", "'-inf'", "token"), "real numbers and infinity"),
    BadFile("text.parquet", _GOOD, ("not a Parquet file",), "text named parquet"),
    BadFile("cut.parquet", lambda: _parquet()[:-30], ("damaged or cut off",), "truncated parquet"),
    BadFile("text.arrow", _GOOD, ("not an Arrow file",), "text named arrow"),
    BadFile("cut.feather", lambda: _arrow()[:100], ("damaged or cut off",), "truncated arrow"),
    BadFile("data.rds", b"$FL2", ("'.rds'", ".csv", ".parquet"), "unknown ending"),
    BadFile("data.xlsx", b"PK\x03\x04", ("spreadsheet", "CSV"), "damaged spreadsheet"),
)
