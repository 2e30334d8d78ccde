"""docs/architecture.md names only files, folders and functions that exist."""

from __future__ import annotations

import re

import pytest
from code_references import NAME, PATH, ROOT, find_missing_names, find_paths, locate, read_page

PAGE = read_page("architecture.md")
FOLDER = re.compile(r"`([\w/]+/)`")


def section(title: str) -> str:
    start = PAGE.index(f"## {title}")
    end = PAGE.find("\n## ", start)
    return PAGE[start : end if end > 0 else None]


def rows(title: str) -> list[str]:
    return [line for line in section(title).splitlines() if line.startswith("| ") and PATH.search(line)]


@pytest.mark.parametrize("path", find_paths(PAGE))
def test_every_path_is_a_file(path: str) -> None:
    assert locate(path).is_file()


@pytest.mark.parametrize("folder", sorted(set(FOLDER.findall(PAGE))))
def test_every_folder_exists(folder: str) -> None:
    assert locate(folder).is_dir()


@pytest.mark.parametrize("row", rows("Where to change what"))
def test_what_to_change_is_in_the_file(row: str) -> None:
    assert find_missing_names(row) == []


@pytest.mark.parametrize("row", rows("Where to add what"))
def test_what_to_extend_is_in_the_file(row: str) -> None:
    base, path = re.findall(r"((?:`\w+`(?:, )?)+) in `([\w/.]+)`", row)[0]
    code = locate(path).read_text(encoding="utf-8")
    assert [name for name in NAME.findall(base) if not re.search(rf"\b{name}\b", code)] == []


@pytest.mark.parametrize("line", [line for line in section("One call").splitlines() if line[:1].isdigit()])
def test_a_step_of_learn_names_a_function_of_its_first_file(line: str) -> None:
    first = PATH.search(line)
    function = re.match(r"\d+\. `[\w/.]+`, `(\w+)`", line)
    assert first
    if function:
        assert re.search(rf"^ *(?:def|class) {function[1]}\b", locate(first[1]).read_text(encoding="utf-8"), re.M)


def test_the_flow_has_ten_lines() -> None:
    assert len(re.findall(r"^\d+\. ", section("One call"), re.M)) == 10


def test_every_package_is_listed() -> None:
    tree = section("Packages")
    source = ROOT / "src" / "mahc"
    packages = [path.parent.name for path in source.glob("*/__init__.py")]
    modules = [path.stem for path in source.glob("*.py") if not path.stem.startswith("_")]
    assert [name for name in packages if f"{name}/" not in tree] == []
    assert [name for name in modules if not re.search(rf"\b{name}\b", tree)] == []
