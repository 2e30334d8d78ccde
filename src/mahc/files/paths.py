"""The path of a file as an argument."""

from __future__ import annotations

import os
from pathlib import Path

from mahc.errors import wrong_type


def to_path(path: object) -> Path:
    """A path from a text or a path; a SettingError for an open file and everything else.

    >>> to_path("graph.csv").suffix
    '.csv'
    """
    if isinstance(path, str | os.PathLike):
        return Path(path)
    raise wrong_type("path", path, "give the path of a file as text or as a pathlib.Path")
