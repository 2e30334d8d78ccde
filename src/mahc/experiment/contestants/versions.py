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
    prints = [hashlib.sha256(file.read_bytes()).hexdigest()[:12] for file in files if file.is_file()]
    return " ".join([*filter(None, [stated]), *(f"sha256:{each}" for each in prints)])
