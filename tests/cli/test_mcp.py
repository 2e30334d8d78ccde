"""`mahc mcp`, driven by the client of the official SDK."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    mcp = pytest.importorskip("mcp", reason="needs the extra `mcp`")

from mahc.cli.agent_tools import make_server  # noqa: E402

TOOLS = {"audit", "learn", "explain", "bootstrap", "effect", "query"}
ROWS = "rain,wet\n" + "n,n\n" * 40 + "y,y\n" * 40 + "y,n\n" * 5


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    (place / "lawn.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "secret.csv").write_text(ROWS, encoding="utf-8")
    return place


def talk(server: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def run() -> list[Any]:
        async with mcp.Client(server) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(run())


@pytest.fixture
def ask(folder: Path) -> Callable[..., list[Any]]:
    server = make_server(folder, 120, 100_000)
    return lambda *calls: talk(server, *calls)


def printed(folder: Path, *words: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "mahc", *words, "--json"], cwd=folder, capture_output=True, check=False
    )
    return json.loads(done.stdout)


def without_times(document: Any) -> Any:
    """The document without what differs between two runs, and without the messages."""
    if isinstance(document, dict):
        odd = ("messages", "seconds", "load_seconds", "total_seconds", "timings", "peak_memory_mb")
        return {name: without_times(value) for name, value in document.items() if name not in odd}
    return [without_times(one) for one in document] if isinstance(document, list) else document


def sentence(result: Any) -> str:
    assert result.is_error
    return str(result.content[0].text)


def test_over_stdio_as_an_assistant_starts_it(folder: Path) -> None:
    async def run() -> None:
        started = mcp.StdioServerParameters(command=sys.executable, args=["-m", "mahc", "mcp", str(folder)])
        async with mcp.Client(mcp.stdio_client(started)) as client:
            listed = (await client.list_tools()).tools
            assert {tool.name for tool in listed} == TOOLS
            learn = next(tool for tool in listed if tool.name == "learn")
            assert "boss" in json.dumps(learn.input_schema)
            assert all(tool.description for tool in listed)
            found = await client.call_tool("learn", {"data": "lawn.csv", "algorithm": "hc"})
            said = printed(folder, "learn", str(folder / "lawn.csv"), "--algorithm", "hc")
            assert without_times(found.structured_content) == without_times(said)

    asyncio.run(run())


def test_answers_are_what_the_command_line_prints(folder: Path, ask: Callable[..., list[Any]]) -> None:
    audit, learned, reason, effect, answer = ask(
        ("audit", {"data": "lawn.csv"}),
        ("learn", {"data": "lawn.csv", "algorithm": "hc", "out": "run", "knowledge": {"require": ["rain,wet"]}}),
        ("explain", {"result": "run", "tail": "rain", "head": "wet"}),
        ("effect", {"model": "run", "cause": "rain", "target": "wet", "data": "lawn.csv"}),
        ("query", {"model": "run", "targets": ["wet"], "given": {"rain": "y"}, "data": "lawn.csv"}),
    )
    here = str(folder / "lawn.csv")
    pairs = [
        (audit, ["audit", here]),
        (learned, ["learn", here, "--algorithm", "hc", "--require", "rain,wet"]),
        (reason, ["explain", "run", "rain", "wet"]),
        (effect, ["effect", "run", "rain", "wet", "--data", here]),
        (answer, ["query", "run", "wet", "--given", "rain=y", "--data", here]),
    ]
    for result, words in pairs:
        assert not result.is_error, result.content
        assert without_times(result.structured_content) == without_times(printed(folder, *words)), words
    assert (folder / "run/result.json").is_file()


def test_samples_and_networks_that_ship_are_found(ask: Callable[..., list[Any]]) -> None:
    sample, network = ask(
        ("bootstrap", {"data": "asia", "algorithm": "hc", "resamples": 3}),
        ("query", {"model": "asia", "targets": ["lung"], "do": {"smoke": "yes"}}),
    )
    assert not sample.is_error, sample.content
    first = network.structured_content["answers"][0]["states"][0]
    assert first == {"state": "yes", "probability": pytest.approx(0.1)}


def test_files_outside_of_the_folder_are_refused(folder: Path, ask: Callable[..., list[Any]]) -> None:
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "many").mkdir()
    (folder / "many/one.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "out").symlink_to(folder.parent)
    words = ["../secret.csv", str(folder.parent / "secret.csv"), "link.csv", "many", "many/*.csv", "*.csv", ".."]
    words += ["lin?.csv", "[l]ink.csv", "o*/secret.csv", "**/secret.csv", "m*"]
    for word, result in zip(words, ask(*(("audit", {"data": word}) for word in words)), strict=True):
        assert "folder of this server" in sentence(result), word
    for call in (
        ("learn", {"data": "lawn.csv", "out": "../run"}),
        ("effect", {"model": "asia", "cause": "smoke", "target": "lung", "data": "../secret.csv"}),
        ("explain", {"result": "/etc/passwd", "tail": "a", "head": "b"}),
    ):
        assert "folder of this server" in sentence(ask(call)[0])
    assert not (folder.parent / "run").exists()


def test_no_value_is_taken_for_an_option(folder: Path, ask: Callable[..., list[Any]]) -> None:
    option, name, state, stdin = ask(
        ("audit", {"data": "--help"}),
        ("explain", {"result": "lawn.csv", "tail": "--help", "head": "wet"}),
        ("query", {"model": "asia", "targets": ["lung"], "given": {"--out": "x"}}),
        ("audit", {"data": "-"}),
    )
    assert "not a path" in sentence(option)
    assert "not a path" in sentence(stdin)
    assert "Usage" not in sentence(name)
    assert "--out" in sentence(state)


def test_a_result_is_replaced_only_if_asked(folder: Path, ask: Callable[..., list[Any]]) -> None:
    given = {"data": "lawn.csv", "algorithm": "hc", "out": "run"}
    first, again, replaced = ask(("learn", given), ("learn", given), ("learn", {**given, "overwrite": True}))
    assert not first.is_error
    assert "holds a result" in sentence(again)
    assert not replaced.is_error


def test_mistakes_come_back_as_the_sentence_of_the_command_line(ask: Callable[..., list[Any]]) -> None:
    unknown, typed = ask(
        ("learn", {"data": "lawn.csv", "algorithm": "hillclimb"}),
        ("bootstrap", {"data": "lawn.csv", "resamples": "many"}),
    )
    assert "'hillclimb'" in sentence(unknown)
    assert "resamples" in sentence(typed)


def test_answers_and_calls_have_limits(folder: Path) -> None:
    short, slow = make_server(folder, 120, 1000), make_server(folder, 0.01, 1000)
    assert "more than 1,000: give `out`" in sentence(talk(short, ("learn", {"data": "asia"}))[0])
    assert "took more than 0.01 s" in sentence(talk(slow, ("learn", {"data": "asia"}))[0])


def test_a_wrong_folder_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mahc", "mcp", str(tmp_path / "none")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "there is no folder" in done.stderr
