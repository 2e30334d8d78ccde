"""The path of a file as an argument; an address on another machine is none."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import TypeAlias

from mahc.errors import DataError, wrong_type
from mahc.files.addresses import find_address

Partitions: TypeAlias = tuple[tuple[str, str], ...]


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


def partitions_of(path: PurePath) -> Partitions:
    """The columns that the folders of a path give, with their values.

    >>> partitions_of(PurePath("year=2026/a.parquet"))
    (('year', '2026'),)
    """
    pairs = (part.partition("=") for part in path.parent.parts)
    return tuple((name, value) for name, equals, value in pairs if equals and name)
