"""What a program that embeds mahc relies on: hooks, error types, results and rows without files."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mahc
from mahc.cli.main import run
from mahc.errors import DataError, FormatError, MahcError, SettingError
from mahc.learning.control import Progress
from mahc.networks import load_network, sample

COLUMNS = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


@pytest.fixture(scope="module")
def learned() -> mahc.Learned:
    return mahc.learn(COLUMNS, "hc")


def test_an_event_ends_a_run() -> None:
    event = threading.Event()

    def stop(progress: Progress) -> None:
        event.set()

    found = mahc.learn(sample(load_network("andes"), 1000, seed=1), "tabu", progress=stop, cancel=event)
    assert found.stop_reason == "interrupted"


def test_an_event_that_is_set_ends_a_bootstrap_before_it_begins() -> None:
    event = threading.Event()
    event.set()
    with pytest.raises(MahcError):
        mahc.bootstrap(COLUMNS, "hc", resamples=50, cancel=event)


def test_an_event_that_is_not_set_changes_nothing(learned: mahc.Learned) -> None:
    assert mahc.learn(COLUMNS, "hc", cancel=threading.Event()) == learned


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"cancel": lambda: True}, "cancel is of type function: give a mahc.CancelToken or a threading.Event"),
    ({"cancel": threading.Event}, "cancel is of type type: give a mahc.CancelToken or a threading.Event"),
    ({"cancel": True}, "cancel is of type bool: give a mahc.CancelToken or a threading.Event"),
    ({"progress": True}, "progress is of type bool: give a function that takes one argument, or leave it out"),
]


@pytest.mark.parametrize(("hooks", "sentence"), WRONG, ids=[sentence[:22] for _, sentence in WRONG])
@pytest.mark.parametrize("call", [mahc.learn, mahc.bootstrap], ids=["learn", "bootstrap"])
def test_a_hook_of_another_type_is_refused(call: Callable[..., Any], hooks: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        call(COLUMNS, "hc", **hooks)
    assert str(refused.value) == sentence
    assert refused.value.setting == next(iter(hooks))


def test_a_replay_takes_the_path_of_a_result(learned: mahc.Learned, tmp_path: Path) -> None:
    learned.save(tmp_path / "result.json")
    assert mahc.replay(str(tmp_path / "result.json"), COLUMNS) == learned
    assert mahc.replay(tmp_path, COLUMNS) == learned
    with pytest.raises(SettingError, match="saved is of type dict: give a Learned, or the path"):
        mahc.replay({}, COLUMNS)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="no such file"):
        mahc.replay(tmp_path / "none.json", COLUMNS)


@pytest.mark.parametrize("method", ["save", "report", "write_graph", "load"])
def test_an_open_file_is_not_a_path(method: str, learned: mahc.Learned) -> None:
    with pytest.raises(SettingError, match="path is of type StringIO: give the path of a file"):
        getattr(learned, method)(io.StringIO())


@pytest.mark.parametrize(
    ("arguments", "setting"),
    [
        ({"algorithm": "xx"}, "algorithm"),
        ({"objective": "bci"}, "objective"),
        ({"ties": "fil-order"}, "ties"),
        ({"drop": ["rian"]}, None),
        ({"knowledge": {"tirs": []}}, None),
    ],
    ids=str,
)
def test_a_misspelt_name_is_a_setting_error(arguments: dict[str, Any], setting: str | None) -> None:
    with pytest.raises(SettingError) as refused:
        mahc.learn(COLUMNS, **arguments)
    assert refused.value.setting == setting


def test_the_json_of_a_refusal_names_the_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["learn", "asia", "--algorithm", "xx", "--json"])
    assert json.loads(capsys.readouterr().out)["error"]["setting"] == "algorithm"


@pytest.mark.parametrize("algorithm", ["mahc", "pc-stable", "fci"])
def test_a_result_goes_through_json_text(algorithm: str) -> None:
    first = mahc.learn(COLUMNS, algorithm, knowledge={"tiers": [["rain"], ["wet"]]})
    document = first.to_dict()
    assert json.loads(json.dumps(document)) == document
    again = mahc.Learned.from_dict(document)
    assert again == first
    assert again.to_dict() == document


def test_the_dict_is_what_the_file_holds(learned: mahc.Learned, tmp_path: Path) -> None:
    learned.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text()) == learned.to_dict()


def test_a_dict_that_is_not_a_result_is_refused(learned: mahc.Learned) -> None:
    with pytest.raises(FormatError, match=r"the dict: is not a mahc result: give what Learned\.to_dict returned"):
        mahc.Learned.from_dict({"a": 1})
    with pytest.raises(FormatError, match="the dict: is not a mahc result"):
        mahc.Learned.from_dict([])  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="has format version 99, this mahc reads"):
        mahc.Learned.from_dict({**learned.to_dict(), "format_version": 99})
    with pytest.raises(FormatError, match="is damaged"):
        mahc.Learned.from_dict({**learned.to_dict(), "arcs": [["rain", "nothing"]]})


def test_rows_as_dicts_are_the_same_data(learned: mahc.Learned) -> None:
    assert mahc.learn(RECORDS, "hc") == learned
    assert mahc.learn(tuple(RECORDS), "hc") == learned


@settings(max_examples=40, deadline=None)
@given(st.lists(st.fixed_dictionaries({}, optional={"a": st.integers(0, 2), "b": st.sampled_from("xyz")}), min_size=1))
def test_a_key_that_a_row_lacks_is_a_missing_value(rows: list[dict[str, Any]]) -> None:
    if not any(rows):
        with pytest.raises(DataError, match="empty dicts"):
            mahc.read(rows)
        return
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    for missing in ("error", "state"):
        assert outcome(rows, missing) == outcome(columns, missing)


def outcome(data: object, missing: str) -> str:
    try:
        return mahc.read(data, missing=missing).fingerprint()
    except DataError as refused:
        return str(refused)


def test_rows_of_other_types_are_refused() -> None:
    with pytest.raises(DataError, match="row 2 is of type list: give every row as a dict"):
        mahc.read([{"a": 1}, [2]])
    with pytest.raises(DataError, match="data of type list are not supported"):
        mahc.read([])


def test_no_line_break_of_the_input_is_in_a_message() -> None:
    with pytest.raises(DataError, match="a text with line breaks, not the name of a file"):
        mahc.read("a,b\nx,y\n")
    with pytest.raises(MahcError) as refused:
        mahc.learn(COLUMNS, "h\nc\x1b[31m")
    assert str(refused.value).isprintable()
