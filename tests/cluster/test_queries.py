"""Rows that DuckDB selects give the saved result of the same rows in Parquet files."""

from __future__ import annotations

import json
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut, saved

import mahc
from mahc.cli.main import run
from mahc.cluster.query_pieces import fetch_query
from mahc.data import ReadSettings, audit
from mahc.data.sources import queries
from mahc.data.sources.queries import Query
from mahc.errors import DataError, MahcError, SettingError
from mahc.networks import load_network, sample

duckdb = pytest.importorskip("duckdb")
pytestmark = pytest.mark.cluster
ENDLESS = "SELECT count(*) AS n FROM range(100000000000) a(i) JOIN range(1000) b(j) ON i % 7 = j % 5"


@pytest.fixture(autouse=True)
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The temporary folder; nothing is left in it."""
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "ROWS_PER_FRAME", 64)
    monkeypatch.setattr("mahc.cluster.choosing.available_bytes", lambda: 0)


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


def without_query(learned: mahc.Learned, folder: Path) -> Any:
    found = saved(learned, folder)
    assert found["reading"].pop("query", None) is None or learned.data.reading.query is not None
    return found


def outcome(data: object, reading: dict[str, Any], folder: Path) -> Any:
    """The saved result, or the refusal without the name of the data."""
    try:
        return without_query(mahc.learn(data, **reading), folder)
    except DataError as mistake:
        return str(mistake).partition(": ")[2]


def random_frame(seed: int, rows: int, nulls: bool) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, rows)
    frame = pl.DataFrame(
        {
            "a b": np.array(["x", "y", "é\"'"])[a],
            "number": np.where(rng.random(rows) < 0.8, a, rng.integers(-2, 3, rows)),
            "flag": rng.random(rows) < 0.5,
            "size": pl.Series(np.array(["small", "large", "huge"])[rng.integers(0, 2, rows)]).cast(
                pl.Enum(["small", "large", "huge"])
            ),
            "w": np.append(rng.integers(0, 4, rows - 1), 2),
        }
    )
    if nulls:
        gone = rng.random(rows) < 0.2
        frame = frame.with_columns(pl.when(pl.Series(gone)).then(None).otherwise(pl.col("a b")).alias("a b"))
    return frame


@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(2, 200),
    nulls=st.booleans(),
    weighted=st.booleans(),
    in_pieces=st.booleans(),
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_rows_in_any_order(
    seed: int, rows: int, nulls: bool, weighted: bool, in_pieces: bool, tmp_path: Path, spool: Path
) -> None:
    frame = random_frame(seed, rows, nulls)
    reading: dict[str, Any] = {"missing": "drop" if nulls else "error"}
    reading |= {"weights": "w"} if weighted else {"drop": ("w",)}
    folder = cut(frame, [rows // 3], tmp_path / "parts")
    shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
    connection = duckdb.connect()
    connection.register("rows", shuffled.with_columns(pl.col("size").cast(pl.String)).to_arrow())
    select = """SELECT * REPLACE (size::ENUM('small', 'large', 'huge') AS size) FROM "rows" """
    expected = outcome(folder, reading, tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        if in_pieces:
            patch.setattr(queries, "ROWS_PER_FRAME", 64)
            patch.setattr("mahc.cluster.choosing.available_bytes", lambda: 0)
        assert outcome(connection.sql(select), reading, tmp_path) == expected


def test_the_query_runs_once_and_asks_for_the_columns_that_are_used(small_pieces: None) -> None:
    """`random()` gives other rows each time, and a column that is not used would raise an error."""
    query = Query("SELECT (random() * 4)::INT AS a, i % 2 AS b, error('asked for') AS c FROM range(3000) t(i)")
    learned = mahc.learn(query, drop=("c",))
    assert (learned.data.rows, learned.variables) == (3000, ("a", "b"))
    assert learned.data.reading.query == {"sql": query.sql, "database": None}


def test_a_weight_that_is_a_sum(tmp_path: Path) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=3))
    frame.write_parquet(tmp_path / "rows.parquet")
    counted = f"SELECT *, sum(1) AS n FROM '{tmp_path / 'rows.parquet'}' GROUP BY ALL"
    assert mahc.learn(Query(counted), weights="n").arcs == mahc.learn(frame).arcs


def test_methods_for_missing_values_get_one_table(tmp_path: Path, small_pieces: None) -> None:
    frame = random_frame(5, 200, nulls=True).drop("w", "size")
    frame.write_parquet(tmp_path / "rows.parquet")
    query = Query(f"SELECT * FROM '{tmp_path / 'rows.parquet'}'")
    expected = saved(mahc.learn(tmp_path / "rows.parquet", missing="pairwise"), tmp_path)
    assert without_query(mahc.learn(query, missing="pairwise"), tmp_path) == {
        **expected,
        "reading": {key: value for key, value in expected["reading"].items() if key != "query"},
    }


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELECT * FROM nowhere", "Table with name nowhere does not exist"),
        ("SELEC 1", "syntax error at or near"),
        ("SELECT 1 AS a; SELECT 2 AS a", "is not one SELECT"),
        ("COPY (SELECT 1) TO 'out.csv'", "is not one SELECT"),
        ("INSTALL httpfs", "is not one SELECT"),
        ("", "is not one SELECT"),
        ("SELECT * FROM 'gone/*.parquet'", "No files found that match"),
        ("SELECT * FROM 'https://example.org/a.parquet'", "pass the relation"),
        ("SELECT data FROM data", "Table with name data does not exist"),  # a variable of this program
        ("SELECT INTERVAL 1 DAY AS a FROM range(3)", "holds intervals of time"),
        ("SELECT union_value(n := 1) AS a FROM range(3)", "holds unions"),
        ("SELECT DATE '2026-01-01' AS a FROM range(3)", "column 'a' holds values of type date or time"),
        ("SELECT [1] AS a FROM range(3)", "column 'a' holds values of type nested"),
        ("SELECT 1 AS a, 2 AS a", "is not unique"),
        ("SELECT 1 AS a WHERE false", "1 column but no rows"),
        ("SELECT 170141183460469231731687303715884105727 AS a FROM range(3)", "more than 64 bits"),
    ],
)
def test_mistakes_are_one_sentence(sql: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="query"):
        mahc.learn(Query(sql))
    assert call("learn", "--sql", sql) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_relation_of_a_closed_connection() -> None:
    connection = duckdb.connect()
    relation = connection.sql("SELECT 1 AS a")
    connection.close()
    with pytest.raises(DataError, match="the query fails in DuckDB"):
        mahc.learn(relation)


@pytest.mark.parametrize("content", [None, b"hello" * 1000], ids=["gone", "other"])
def test_a_database_that_cannot_be_opened(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "a.duckdb").write_bytes(content)
    assert call("learn", "--sql", "SELECT 1", "--database", tmp_path / "a.duckdb") == 2
    assert (tmp_path / "a.duckdb").exists() == (content is not None)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=3))
    frame.write_parquet(tmp_path / "rows.parquet")
    database = tmp_path / "a.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"CREATE TABLE people AS FROM '{tmp_path / 'rows.parquet'}'")
    before = database.read_bytes()
    words = ("--sql", "SELECT * FROM people", "--database", database)
    assert call("learn", *words, "--out", tmp_path / "out") == 0
    assert "MAHC learned from the query" in capsys.readouterr().out
    learned = mahc.Learned.load(tmp_path / "out" / "result.json")
    assert learned == mahc.learn(frame)
    assert learned.data.reading.query == {"sql": "SELECT * FROM people", "database": str(database)}
    assert call("replay", tmp_path / "out", *words) == 0
    assert call("replay", tmp_path / "out", tmp_path / "rows.parquet") == 0
    assert call("report", tmp_path / "out", "--data", tmp_path / "rows.parquet", "--out", tmp_path / "r.html") == 0
    capsys.readouterr()
    assert call("audit", *words, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["next_command"].startswith("mahc learn --sql 'SELECT * FROM people' --database ")
    assert database.read_bytes() == before


def test_an_audit_in_pieces_is_that_of_the_table(capsys: pytest.CaptureFixture[str], small_pieces: None) -> None:
    query = Query("SELECT i AS id, i / 7 AS x, if(i % 5 = 0, NULL, i % 3) AS y FROM range(300) t(i)")
    found = []
    for options in ([], ["--memory", "1GB"]):
        assert call("audit", "--sql", query.sql, "--json", *options) == 2
        found.append(json.loads(capsys.readouterr().out))
        found[-1].pop("missingness")
        found[-1].pop("next_command")
    assert found[0] == found[1]
    assert [column.name for column in audit(query).columns] == ["id", "x", "y"]


def test_rows_that_do_not_fit_are_read_in_pieces(capsys: pytest.CaptureFixture[str], small_pieces: None) -> None:
    assert call("learn", "--sql", "SELECT i % 2 AS a, i % 3 AS b FROM range(1000) t(i)", "--json") == 0
    said = capsys.readouterr()
    assert "the query: 1,000 rows x 2 columns" in said.err
    assert "read in pieces, one table does not fit into what is available" in said.err
    assert "1,000 rows in pieces, 6 of them distinct" in said.err
    assert call("learn", "--sql", "SELECT i % 2 AS a, i % 3 AS b FROM range(1000) t(i)", "--on", "dask://h:1") == 2
    assert "--on is for files" in capsys.readouterr().err


def test_a_time_limit_and_a_token_end_a_query() -> None:
    with pytest.raises(MahcError, match="the time limit was reached while the data were read"):
        mahc.learn(Query(ENDLESS), time_limit=0.3)
    token = mahc.CancelToken()
    timer = threading.Timer(0.3, token.cancel)
    timer.start()
    with pytest.raises(MahcError, match="cancelled while the data were read"):
        mahc.learn(Query(ENDLESS), cancel=token)
    timer.join()


def test_a_full_disk_is_one_sentence(monkeypatch: pytest.MonkeyPatch, small_pieces: None) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", refuse)
    with pytest.raises(DataError, match=r"cannot be written to .*No space left on device: free some space"):
        mahc.learn(Query("SELECT i % 2 AS a FROM range(1000) t(i)"))


def test_an_interrupt_of_duckdb_is_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt), queries._explaining():
        raise RuntimeError("Query interrupted")


def test_a_relation_is_taken_wherever_data_are(tmp_path: Path) -> None:
    frame = as_frame(sample(load_network("asia"), 300, seed=3))
    frame.write_parquet(tmp_path / "rows.parquet")
    relation = duckdb.from_parquet(str(tmp_path / "rows.parquet"))
    learned = mahc.learn(relation)
    assert mahc.read(relation).fingerprint() == mahc.read(frame).fingerprint()
    assert mahc.replay(learned, relation) == learned
    assert mahc.bootstrap(relation, resamples=2, seed=1).size == 2
    assert fetch_query(relation, ReadSettings()).rows == 300
    with pytest.raises(SettingError, match="is for files"):
        mahc.learn(relation, on="dask://host:8786")


def test_a_huge_cell_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars panics at a cell of 1 GB."""
    monkeypatch.setattr(queries, "MOST_CELL_BYTES", 1000)
    rows = duckdb.sql("SELECT repeat('x', 1001) AS a, 'u' AS b")
    with pytest.raises(DataError, match=r"column 'a' of .* has a cell of 1,001 bytes, and at most 1,000 are read"):
        mahc.learn(rows)
