"""docs/explanation/paper.md names only files that exist, and functions that are in the file named beside them."""

from __future__ import annotations

import pytest
from code_references import PATH, find_missing_names, find_paths, locate, read_page

PAGE = read_page("explanation/paper.md")


@pytest.mark.parametrize("path", find_paths(PAGE))
def test_every_path_is_a_file(path: str) -> None:
    assert locate(path).is_file()


def algorithm_rows() -> list[str]:
    """The rows of the two tables that go from lines of the paper to functions."""
    tables = PAGE[PAGE.index("## Algorithm 1") : PAGE.index("## How we read it")]
    return [line for line in tables.splitlines() if PATH.search(line)]


@pytest.mark.parametrize("row", algorithm_rows())
def test_the_functions_of_a_row_are_in_its_file(row: str) -> None:
    assert find_missing_names(row) == []


def test_both_algorithms_are_covered() -> None:
    assert len(algorithm_rows()) == 9
