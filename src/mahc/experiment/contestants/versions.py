"""The version of code that has no version number: the one in the plan, and fingerprints of the files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def state_version(stated: str, files: Iterable[Path]) -> str:
    """A text that changes when the stated version or a file changes.

    >>> state_version("2", [])
    '2'
    """
    return " ".join([*filter(None, [stated]), *(_fingerprint(file) for file in files if file.is_file())])


def _fingerprint(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()[:12]}"
    except OSError:  # a program can be executable without being readable
        return "unreadable"
