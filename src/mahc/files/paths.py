"""The path of a file as an argument; an address on another machine is none."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mahc.errors import DataError, Message, PerInterface, wrong_type

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+")  # of a letter alone it is a drive of Windows


def to_path(path: object) -> Path:
    """A path from a text or a path; a SettingError for an open file and everything else.

    >>> to_path("graph.csv").suffix
    '.csv'
    """
    if isinstance(path, str | os.PathLike):
        return Path(path)
    raise wrong_type("path", path, "give the path of a file as text or as a pathlib.Path")


def refuse_remote(path: str | os.PathLike[str]) -> None:
    """Refuse an address such as s3://bucket/rows.parquet: only local files are opened.

    >>> refuse_remote("C:/rows.csv")
    """
    text = os.fspath(path)
    match = _ADDRESS.match(text) if isinstance(text, str) else None
    if match is None or os.path.exists(text):
        return
    address = f"{match[1]}://{text[match.end() :]}"  # a pathlib.Path loses a slash
    fix = PerInterface(
        "download it first, or read it with polars, pandas or DuckDB and pass the frame",
        "download it first and name the file",
    )
    raise DataError(Message(f"{address} is not a local file, and mahc reads local files only: ", fix))
