"""The version of code that has none: what the plan states, and fingerprints of the files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def state_version(stated: str, files: Iterable[Path]) -> str:
    """One text that changes when the statement or a file does.

    >>> state_version("2", [])
    '2'
    """
    return " ".join([*filter(None, [stated]), *(_fingerprint(file) for file in files if file.is_file())])


def _fingerprint(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()[:12]}"
    except OSError:  # a program may be run without being readable
        return "unreadable"
