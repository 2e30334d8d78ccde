"""docs/paper.md leads to code that exists: every path is a file, every function named beside one stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
PATH = re.compile(r"`([\w./-]+\.(?:py|hpp|cpp|md))`")
NAME = re.compile(r"`(?:\w+\.)?(\w+)`")


def locate(path: str) -> Path:
    top = path.split("/")[0]
    return ROOT / path if top in ("docs", "tests", "tools", "benchmarks") else ROOT / "src" / "mahc" / path


@pytest.mark.parametrize("path", sorted(set(PATH.findall(PAGE))))
def test_every_path_is_a_file(path: str) -> None:
    assert locate(path).is_file()


def algorithm_rows() -> list[str]:
    """The rows of the two tables that go from lines of the paper to functions."""
    tables = PAGE[PAGE.index("## Algorithm 1") : PAGE.index("## How we read it")]
    return [line for line in tables.splitlines() if PATH.search(line)]


@pytest.mark.parametrize("row", algorithm_rows())
def test_the_functions_of_a_row_stand_in_its_file(row: str) -> None:
    (path,) = PATH.findall(row)
    code = locate(path).read_text(encoding="utf-8")
    names = NAME.findall(row)
    assert names
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


def test_both_algorithms_are_covered() -> None:
    assert len(algorithm_rows()) == 9
