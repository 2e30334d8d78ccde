"""`mahc.read_rows` never opens a file, whatever a client sends."""

from __future__ import annotations

import builtins
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.errors import MahcError

ROWS = [{"rain": "no", "wet": "no"}, {"rain": "yes", "wet": "yes"}]


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret") / "secret.csv"
    path.write_text("password,other\nhunter2,x\nhunter3,y\n")
    return path


def outcome(sent: object) -> str:
    """The names of the variables, or the refusal."""
    try:
        return repr(mahc.read_rows(sent).names)
    except MahcError as refused:
        return str(refused)


def names_of(path: Path) -> list[Any]:
    text = str(path)
    return [
        *(text, path, [text], [path], (text, text), {"rain": text}, [[text]], [{"rain": text}, text], [text, ROWS[0]]),
        *(f"file://{text}", f"{path.parent}/*.csv", str(path.parent), text.encode(), {text: [text, text]}),
    ]


@pytest.mark.parametrize("place", range(14))
def test_a_name_of_a_file_is_refused_or_is_a_value(place: int, secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = names_of(secret)[place]
    mahc.read_rows(ROWS)  # everything is imported
    opened: list[object] = []
    real = builtins.open
    monkeypatch.setattr(
        builtins, "open", lambda file, *rest, **more: (opened.append(file), real(file, *rest, **more))[1]
    )
    monkeypatch.setattr(os, "open", lambda file, *rest, **more: opened.append(file))
    found = outcome(sent)
    assert "hunter" not in found
    assert "password" not in found
    assert [file for file in opened if "secret" in str(file)] == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=3), each, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_any_json_is_read_or_refused_in_one_sentence(sent: object) -> None:
    assert "\n" not in outcome(sent)


def test_one_row_is_enough_to_be_predicted() -> None:
    model = mahc.learn(mahc.read_rows(ROWS * 30), "hc").fit(mahc.read_rows(ROWS * 30))
    for row, expected in (({"rain": "yes", "wet": None}, "yes"), ({"rain": "no"}, "no")):
        assert model.predict(mahc.read_rows([row], missing="state"), "wet").tolist() == [expected]
