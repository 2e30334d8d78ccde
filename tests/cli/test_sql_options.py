"""`--sql` without DuckDB: what is refused before a query runs."""

from __future__ import annotations

from importlib import util
from typing import Any

import pytest

from mahc.cli.main import run


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["learn"], "DATA is missing: name a file or a folder, or give a query with --sql"),
        (["learn", "asia", "--sql", "SELECT 1"], "DATA 'asia' and --sql are both given: leave one out"),
        (["learn", "asia", "--database", "a.duckdb"], "--database is for --sql"),
        (["audit", "--sql", "SELECT 1", "--plan"], "--plan reads nothing"),
        (["learn", "--sql", "SELECT 1"], "duckdb is not installed, which SQL needs: pip install 'mahc[duckdb]'"),
    ],
)
def test_refusals(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name, *more: None if name == "duckdb" else find(name, *more))
    with pytest.raises(SystemExit) as ending:
        run(words)
    assert ending.value.code == 2
    assert sentence in capsys.readouterr().err


def test_duckdb_is_not_imported_for_other_data(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    import mahc

    absent: Any = None
    monkeypatch.setitem(sys.modules, "duckdb", absent)  # importing it would raise
    assert mahc.learn({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}).arcs
