"""Addresses that nothing opens are refused in one honest sentence; `-` is standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.errors import DataError

ROWS = "a,b\n" + "x,y\nu,v\n" * 30
ADDRESSES = ["ftp://example.org/rows.csv", "hdfs://bucket/*.parquet", "memory://rows.parquet"]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("call", [mahc.read, mahc.audit, mahc.learn, mahc.bootstrap])
def test_an_address_is_refused_in_python(address: str, call) -> None:
    for given in (address, Path(address)):
        with pytest.raises(DataError) as refused:
            call(given)
        assert str(refused.value).startswith(f"{address} cannot be read: name a local file, or an address with s3://")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("command", ["learn", "audit", "bootstrap", "validate", "ui"])
def test_an_address_is_refused_on_the_command_line(
    address: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run([command, address])
    assert ended.value.code == 2
    assert f"mahc: {address} cannot be read" in capsys.readouterr().err


def test_the_page_takes_local_files_only(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["ui", "https://me:secret@example.org/rows.csv"])
    assert ended.value.code == 2
    assert "mahc: https://example.org/rows.csv is not a local file: download it first" in capsys.readouterr().err


def piped(folder: Path, content: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    words = (sys.executable, "-m", "mahc", *words)
    surroundings = os.environ | {"TMPDIR": str(folder)}
    return subprocess.run(words, input=content, capture_output=True, env=surroundings, check=False)


@pytest.mark.long
def test_standard_input_is_data(tmp_path: Path) -> None:
    frame = {"a": ["x", "u"] * 30, "b": ["y", "v"] * 30}
    pl.DataFrame(frame).write_parquet(tmp_path / "rows.parquet")
    for content in (ROWS.encode(), (tmp_path / "rows.parquet").read_bytes()):
        done = piped(tmp_path, content, "learn", "-", "--json", "--missing-token", "-")
        assert done.returncode == 0, done.stderr
        assert [tuple(arc) for arc in json.loads(done.stdout)["arcs"]] == list(mahc.learn(frame).arcs)
    assert piped(tmp_path, b"", "learn", "-").returncode == 2
    assert list(tmp_path.glob("mahc-stdin-*")) == []
