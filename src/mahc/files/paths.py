"""The path of a file as an argument; an address on another machine is none."""

from __future__ import annotations

import os
from pathlib import Path

from mahc.errors import DataError, wrong_type
from mahc.files.addresses import find_address


def to_path(path: object) -> Path:
    """A path from a text or a path; a SettingError for an open file and everything else.

    >>> to_path("graph.csv").suffix
    '.csv'
    """
    if isinstance(path, str | os.PathLike):
        return Path(path)
    raise wrong_type("path", path, "give the path of a file as text or as a pathlib.Path")


def refuse_remote(path: str | os.PathLike[str]) -> None:
    """Refuse an address such as s3://bucket/rows.parquet, where only a local file will do.

    >>> refuse_remote("C:/rows.csv")
    """
    address = find_address(path)
    if address is not None:
        raise DataError(f"{address} is not a local file: download it first and name the file")
