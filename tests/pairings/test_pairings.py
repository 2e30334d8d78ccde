"""Every subject under every circumstance: it works and agrees with the plain way, or it is refused as the table says.

`table.toml` lists the exceptions: pairs that do not apply, are refused, or work without a plain way to compare with.
A command, a public function, a setting of reading, a method for missing values or a kind of knowledge that is neither
a subject nor a circumstance fails a test here.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pairings.circumstances import CIRCUMSTANCES, KNOWLEDGE, Circumstance, write_parquet
from pairings.server import ask_server
from pairings.subjects import COMMANDS, PYTHON, NotApplicableError, RefusedError, plain_of
from ui.serving import Served, serving

import mahc
from mahc.cli.main import COMMANDS as ALL_COMMANDS
from mahc.data import ReadSettings
from mahc.data.settings import MISSING_EM, MISSING_METHODS, MISSING_POLICIES
from mahc.errors import MahcError
from mahc.knowledge.knowledge import Knowledge
from mahc.settings import declarations

TABLE = tomllib.loads((Path(__file__).parent / "table.toml").read_text(encoding="utf-8"))
SUBJECTS = {"python": PYTHON, "command": COMMANDS}
PAIRS = [
    pytest.param(kind, name, one, id=f"{kind} {name}: {one.name}")
    for kind, table in SUBJECTS.items()
    for name in table
    for one in CIRCUMSTANCES
]


def expected(kind: str, name: str, one: Circumstance) -> str:
    """What the table says: a word, or the key of a sentence."""
    rows = TABLE[kind]
    for key in (name, "*"):
        found = rows.get(key, {}).get(one.name)
        if found is not None:
            return str(found)
    return "agrees" if one.plain is not None else "works"


def outcome(kind: str, name: str, one: Circumstance, folder: Path) -> str:
    """What happens: the same words, or the sentence of the refusal."""
    subject = SUBJECTS[kind][name]
    try:
        (folder / "given").mkdir()
        answer = subject(one, folder / "given")
    except NotApplicableError:
        return "not applicable"
    except (MahcError, RefusedError) as refused:
        return str(refused)
    if one.plain is None:
        return "works"
    (folder / "plain").mkdir()
    return "agrees" if same(answer, subject(plain_of(one), folder / "plain")) else "works"


def same(one: Any, other: Any) -> bool:
    """Equal, numbers up to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    pytest.importorskip("uvicorn")
    with serving("asia") as served:
        yield served


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("one", [pytest.param(one, id=one.name) for one in CIRCUMSTANCES])
def test_the_server_learns_what_python_learns(server: Served, one: Circumstance, tmp_path: Path) -> None:
    wanted = expected("server", "learn", one)
    if wanted in TABLE["sentences"]:
        with pytest.raises(RefusedError, match=TABLE["sentences"][wanted]):
            ask_server(server, one, tmp_path)
    elif wanted == "not applicable":
        with pytest.raises(NotApplicableError):
            ask_server(server, one, tmp_path)
    else:
        got = ask_server(server, one, tmp_path)
        (tmp_path / "python").mkdir()
        from_a_file = replace(one, place=one.place or write_parquet)  # a file does not have all that a frame has
        assert same(got, PYTHON["learn"](from_a_file, tmp_path / "python"))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "name", "one"), PAIRS)
def test_a_pair_does_what_the_table_says(kind: str, name: str, one: Circumstance, tmp_path: Path) -> None:
    wanted, got = expected(kind, name, one), outcome(kind, name, one, tmp_path)
    if wanted in ("agrees", "works", "not applicable"):
        assert got == wanted
    else:
        assert re.search(TABLE["sentences"][wanted], got), f"{wanted}: {got}"


def test_everything_is_in_the_table() -> None:
    reading = {name for one in CIRCUMSTANCES for name in one.reading}
    files = {"header", "sheet"}  # of one kind of file: tests/data/sources/test_file_settings.py
    assert reading | files == set(declarations(ReadSettings))
    methods = {one.reading.get("missing") for one in CIRCUMSTANCES} - {None}
    assert methods == {*MISSING_POLICIES, *MISSING_METHODS, MISSING_EM} - {"error"}
    assert {field.name for field in msgspec.structs.fields(Knowledge)} == set(KNOWLEDGE)
    assert set(COMMANDS) | set(TABLE["without_data"]["commands"]) == set(ALL_COMMANDS)
    functions = {name for name in mahc.__all__ if name[0].islower()}
    assert set(TABLE["functions"]) | set(TABLE["without_data"]["functions"]) == functions - {"__version__"}
    assert {name for names in TABLE["functions"].values() for name in names} <= set(PYTHON)
    known = {one.name for one in CIRCUMSTANCES}
    for kind, subjects in {**SUBJECTS, "server": {"learn": None}}.items():
        assert set(TABLE[kind]) <= {*subjects, "*"}
        for cells in TABLE[kind].values():
            assert set(cells) <= known
            assert set(cells.values()) <= {"agrees", "works", "not applicable", *TABLE["sentences"]}
