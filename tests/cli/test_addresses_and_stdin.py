"""Addresses on other machines are refused in one honest sentence; `-` is standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.errors import DataError

ROWS = "a,b\n" + "x,y\nu,v\n" * 30
ADDRESSES = ["s3://bucket/rows.csv", "gs://bucket/*.parquet", "https://example.org/rows.csv", "memory://rows.parquet"]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("call", [mahc.read, mahc.audit, mahc.learn, mahc.bootstrap, mahc.consensus])
def test_an_address_is_refused_in_python(address: str, call) -> None:
    for given in (address, Path(address)):
        with pytest.raises(DataError) as refused:
            call(given)
        assert str(refused.value).startswith(
            f"{address} is not a local file, and mahc reads local files only: download"
        )


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("command", ["learn", "audit", "bootstrap", "validate", "ui"])
def test_an_address_is_refused_on_the_command_line(
    address: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run([command, address])
    assert ended.value.code == 2
    assert f"mahc: {address} is not a local file" in capsys.readouterr().err


def piped(content: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "mahc", *words], input=content, capture_output=True, check=False)


def test_standard_input_is_data(tmp_path: Path) -> None:
    expected = mahc.learn({"a": ["x", "u"] * 30, "b": ["y", "v"] * 30})
    pl.DataFrame({"a": ["x", "u"] * 30, "b": ["y", "v"] * 30}).write_parquet(tmp_path / "rows.parquet")
    for content in (ROWS.encode(), (tmp_path / "rows.parquet").read_bytes()):
        done = piped(content, "learn", "-", "--json", "--missing-token", "-")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["data"]["fingerprint"] == expected.data.fingerprint
    assert piped(b"", "learn", "-").returncode == 2
    left = [
        path
        for path in Path("/tmp").glob("mahc-stdin-*")
        if path.stat().st_mtime > (tmp_path / "rows.parquet").stat().st_mtime
    ]
    assert left == []
