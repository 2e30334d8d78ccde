"""References from a documentation page to the code: paths of files, and names that must be in a file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATH = re.compile(r"`([\w./-]+\.(?:py|hpp|cpp|md|toml))`")
NAME = re.compile(r"`(?:\w+\.)?(\w+)`")


def read_page(name: str) -> str:
    """The text of a page in docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def find_paths(text: str) -> list[str]:
    """The paths that a text names, in order, each once."""
    return sorted(set(PATH.findall(text)))


def locate(path: str) -> Path:
    """The file or folder of a path: relative to the repository, or to src/mahc."""
    top = path.split("/")[0]
    return ROOT / path if top in ("docs", "tests", "tools", "benchmarks") else ROOT / "src" / "mahc" / path


def find_missing_names(row: str) -> list[str]:
    """The names in a table's row that its file does not contain."""
    (path,) = set(PATH.findall(row))
    code = locate(path).read_text(encoding="utf-8")
    names = NAME.findall(PATH.sub("", row))
    assert names
    return [name for name in names if not re.search(rf"\b{name}\b", code)]
