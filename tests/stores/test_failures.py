"""What can go wrong with a store: one sentence each, exit code 2, nothing written, no secret shown."""

from __future__ import annotations

import io
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import mahc
from mahc.cli.main import run
from mahc.cluster.runner import LocalRunner
from mahc.errors import DataError, MahcError
from mahc.files import Address

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]
FRAME = pl.DataFrame({"a": ["x", "u"] * 30, "b": ["y", "v"] * 30})


def parquet(frame: pl.DataFrame = FRAME) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def refused(words: list[str], out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence with which a command is refused; nothing is written."""
    with pytest.raises(SystemExit) as ended:
        run([*words, "--out", str(out)])
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert not out.exists()
    assert said.out == ""
    assert said.err.startswith("mahc: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("mahc: ").strip()


def test_no_credentials(bucket, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys) -> None:
    bucket.put("rows.csv", FRAME.write_csv().encode())
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    expected = "{}: the environment has no credentials for this store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    for address in ("s3://data/rows.csv", "s3://data/", "s3://data/rows.parquet"):
        assert refused(["learn", address], tmp_path / "out", capsys).startswith(expected.format(address.rstrip("/")))


@pytest.mark.parametrize("address", ["s3://data/none.csv", "s3://data/none.parquet", "s3://none-at-all/rows.csv"])
def test_no_such_object(address: str, bucket, tmp_path: Path, capsys) -> None:
    assert refused(["learn", address], tmp_path / "out", capsys) == f"{address} does not exist: correct the address"


def test_a_process_says_nothing_else_at_its_end(bucket) -> None:
    """The threads of fsspec stay until the process ends; what they hold must not be reported as leaked."""
    bucket.put("rows.csv", FRAME.write_csv().encode())
    for address, code, lines in (("s3://data/none.csv", 2, 1), ("s3://data/rows.csv", 0, 0)):
        words = [sys.executable, "-m", "mahc", "learn", address]
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr.count("\n")) == (code, lines), ended.stderr


def test_no_objects_below_a_prefix(bucket, tmp_path: Path, capsys) -> None:
    for address in ("s3://data/none/", "s3://data/none/*.parquet"):
        said = refused(["learn", address], tmp_path / "out", capsys)
        assert said == f"{address.rstrip('/')}: there are no objects of this name: correct the address"


def test_a_web_page_that_does_not_exist(bucket, tmp_path: Path, capsys) -> None:
    address = f"{bucket.endpoint}/data/none.csv"
    assert refused(["learn", address], tmp_path / "out", capsys) == f"{address} does not exist: correct the address"


def test_a_server_that_does_not_answer(tmp_path: Path, capsys) -> None:
    pytest.importorskip("aiohttp")
    said = refused(["learn", "http://me:secret@127.0.0.1:1/rows.csv?sig=hidden"], tmp_path / "out", capsys)
    assert said.startswith("http://127.0.0.1:1/rows.csv cannot be read (")
    assert said.endswith("): check the address, the endpoint of the store and the network")


@pytest.mark.parametrize("key", ["cut.parquet", "folder/cut.parquet"])
def test_a_truncated_object(key: str, bucket, tmp_path: Path, capsys) -> None:
    bucket.put(key, parquet()[:-40])
    if "/" in key:
        bucket.put("folder/whole.parquet", FRAME)
    said = refused(["learn", f"s3://data/{key.removesuffix('cut.parquet') or key}"], tmp_path / "out", capsys)
    assert re.fullmatch(rf"s3://data/{key}: the (file|object) is damaged or cut off.*: copy or save it again", said)


def test_a_mistake_in_a_text_names_the_address_and_the_line(bucket, tmp_path: Path, capsys) -> None:
    bucket.put("rows.csv", b"a,b\nx,y\nx\n")
    assert refused(["learn", "s3://data/rows.csv"], tmp_path / "out", capsys).startswith("s3://data/rows.csv, line 3:")
    bucket.put("texts/0.csv", b"a,b\nx,y\n")
    bucket.put("texts/1.csv", b"a,b\nx,y\nx\n")
    with pytest.raises(MahcError, match=re.escape("s3://data/texts/1.csv, line 3: ")):
        mahc.learn("s3://data/texts/")


def test_objects_whose_columns_differ(bucket, tmp_path: Path, capsys) -> None:
    bucket.put("all/0.parquet", FRAME)
    bucket.put("all/1.parquet", FRAME.rename({"b": "c"}))
    said = refused(["learn", "s3://data/all/"], tmp_path / "out", capsys)
    assert said == "s3://data/all/1.parquet has no column 'b', which s3://data/all/0.parquet has: add it, or drop it"
    bucket.put("all/1.parquet", FRAME.with_columns(b=pl.lit(1.5)))
    said = refused(["learn", "s3://data/all/"], tmp_path / "out", capsys)
    assert said == (
        "column 'b' is String in s3://data/all/0.parquet and Float64 in s3://data/all/1.parquet: "
        "write the files with one type"
    )


def test_an_object_that_is_no_table(bucket, tmp_path: Path, capsys) -> None:
    bucket.put("notes.pdf", b"%PDF")
    said = refused(["learn", "s3://data/notes.pdf"], tmp_path / "out", capsys)
    assert said.startswith("s3://data/notes.pdf: the ending '.pdf' is not one of .csv, ")


def test_an_object_that_changes_between_passes(bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state stays, and the number of rows: only the store knows that it is another object."""
    from mahc.cluster import opening

    bucket.put("all/0.parquet", FRAME)
    bucket.put("all/1.parquet", FRAME)
    expected_graph = mahc.learn(pl.concat([FRAME, FRAME]))
    read_states = opening.read_states

    def read_and_change(*arguments: object, **more: object) -> object:
        found = read_states(*arguments, **more)
        bucket.put("all/1.parquet", FRAME.with_columns(b=FRAME["b"].reverse()))
        return found

    monkeypatch.setattr(opening, "read_states", read_and_change)
    assert mahc.learn("s3://data/all/") == expected_graph  # what was read once is in memory
    bucket.put("all/1.parquet", FRAME)
    monkeypatch.setattr(LocalRunner, "_take", lambda runner, size: False)  # nothing stays in memory
    expected = "s3://data/all/1.parquet was changed while it was read: start again when it stays as it is"
    with pytest.raises(DataError, match=re.escape(expected)):
        mahc.learn("s3://data/all/")


def test_an_object_that_is_removed_between_passes(bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    from mahc.cluster import opening

    bucket.put("all/0.parquet", FRAME)
    read_states = opening.read_states

    def read_and_remove(*arguments: object, **more: object) -> object:
        found = read_states(*arguments, **more)
        bucket.clear()
        return found

    monkeypatch.setattr(opening, "read_states", read_and_remove)
    monkeypatch.setattr(LocalRunner, "_take", lambda runner, size: False)
    with pytest.raises(DataError, match=re.escape("s3://data/all/0.parquet does not exist")):
        mahc.learn("s3://data/all/")


def test_a_store_whose_packages_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(DataError, match=r"^gs://bucket/rows.csv needs packages .*: pip install 'mahc\[remote\]'$"):
        mahc.read("gs://bucket/rows.csv")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://me:p@ss@example.org/a/rows.csv?X-Amz-Signature=1f0&x=2", "https://example.org/a/rows.csv"),
        ("https://token@example.org/rows.csv", "https://example.org/rows.csv"),
        ("HTTPS://me:secret@example.org/rows.csv#part", "https://example.org/rows.csv#part"),
        ("s3://bucket/part-?.parquet", "s3://bucket/part-?.parquet"),
        ("s3://key:secret@bucket/rows.csv", "s3://bucket/rows.csv"),
        ("az://box/rows.csv?sv=1&sig=abc", "az://box/rows.csv"),
        ("abfss://box@account.dfs.core.windows.net/rows.csv", "abfss://box@account.dfs.core.windows.net/rows.csv"),
    ],
)
def test_what_is_shown_of_an_address(address: str, shown: str) -> None:
    from mahc.files import find_address

    found = find_address(address)
    assert isinstance(found, Address)
    assert str(found) == shown
    assert "secret" not in repr(found)


def done(words: list[str]) -> None:
    """Run a command, which succeeds."""
    with pytest.raises(SystemExit) as ended:
        run(words)
    assert ended.value.code == 0


def test_no_secret_is_shown_or_saved(bucket, tmp_path: Path, capsys, caplog: pytest.LogCaptureFixture) -> None:
    """Not from the environment, not from the address: in outputs, results, reports, logs and refusals."""
    caplog.set_level(logging.DEBUG, logger="mahc")
    bucket.put("rows.csv", FRAME.write_csv().encode())
    bucket.put("bad.csv", b"a,b\nx,1.5\nx,\n")
    signed = bucket.signed("rows.csv")
    query = signed.partition("?")[2]
    secrets = ["secret-in-the-environment", "AKIAINTHEENVIRONMENT", "Signature", *re.findall(r"=([^&]{6,})", query)]
    secrets += ["hidden-password", "hidden-user"]
    with_user = signed.replace("://", "://hidden-user:hidden-password@")
    texts = []
    for number, address in enumerate((signed, with_user, "s3://data/rows.csv")):
        out = tmp_path / f"out{number}"
        done(["learn", address, "--out", str(out)])
        done(["learn", address, "--json"])
        done(["audit", address])
        done(["bootstrap", address, "--resamples", "3"])
        done(["replay", str(out), address])
        done(["report", str(out), "--data", address, "--out", str(out / "report.html")])
        texts += [
            file.read_text() for file in sorted(out.iterdir()) if file.suffix in (".json", ".html", ".csv", ".dot")
        ]
        result = mahc.learn(address)
        texts += [repr(result), str(result), json.dumps(result.to_dict())]
    for address in (bucket.signed("bad.csv"), bucket.signed("none.csv"), bucket.signed("rows.pdf")):
        with pytest.raises(SystemExit):
            run(["learn", address])
        with pytest.raises(MahcError) as refusal:
            mahc.learn(address)
        texts.append(str(refusal.value))
    said = capsys.readouterr()
    texts += [said.out, said.err, "\n".join(record.getMessage() for record in caplog.records)]
    assert f"{bucket.endpoint}/data/rows.csv" in said.out
    for text in texts:
        assert [secret for secret in secrets if secret in text] == []
