"""The store returns what was stored, and refuses what is not a store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mahc.errors import MahcError
from mahc.lab.cells import is_still_valid
from mahc.lab.outline import ContestantInfo, Outline, Row
from mahc.lab.processes import Limits
from mahc.lab.store import FILE, Store, StoredRow, read_outline, read_rows

pytestmark = pytest.mark.long

MANY = (ContestantInfo("B", "hc", "", "", "1"), ContestantInfo("A", "mahc", "", "", "1"))
OUTLINE = Outline("mine", MANY, ("asia",), (100, 20), ("clean",), (1, 2), 60, 100, 1)
FULL = Row(
    *("A", "asia", "clean", 100, 1, "done", "", "converged", 8, {"f1": 0.1 + 0.2}, -3252.1, 18, 7, 0.5, 40.0),
    *((3, 2, 1), 0.0, "1"),
)


def test_rows_come_back_whole_and_in_the_order_of_the_plan(tmp_path: Path) -> None:
    rows = [
        replace(FULL, contestant=who, rows=size, seed=seed) for who in "AB" for size in (100, 20) for seed in (2, 1)
    ]
    with Store.open(tmp_path / "s") as store:
        store.begin(OUTLINE, [str(i) for i in range(len(rows))])
        for key, row in enumerate(rows):
            store.add(str(key), StoredRow(row, 60, 100), {})
        store.add("foreign", StoredRow(FULL, 60, 100), {})  # of another plan: stored, and not shown
        assert len(store.results()) == 9
    assert read_rows(tmp_path / "s") == tuple(sorted(rows, key=lambda r: (r.contestant == "A", r.rows, r.seed)))
    assert read_outline(tmp_path / "s") == OUTLINE
    assert OUTLINE.cells == 8


def test_a_row_replaces_an_older_one_of_its_cell(tmp_path: Path) -> None:
    failed = replace(FULL, outcome="crashed", reason="no", measures={}, pruned_per_level=None, score=None)
    with Store.open(tmp_path / "s") as store:
        store.begin(OUTLINE, ["1"])
        store.add("1", StoredRow(FULL, 60, 100), {})
        store.add("1", StoredRow(failed, 60, 100), {})
    assert read_rows(tmp_path / "s") == (failed,)


def test_two_runs_on_one_store_are_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s") as store:
        store.begin(OUTLINE, [])
        with pytest.raises(MahcError, match="another run is using the store"), Store.open(tmp_path / "s"):
            pass
        assert read_outline(tmp_path / "s") == OUTLINE  # reading is allowed
    with Store.open(tmp_path / "s"):
        pass


def test_other_folders_and_files_are_refused(tmp_path: Path) -> None:
    def refuse(place: Path, said: str) -> None:
        with pytest.raises(MahcError, match=said) as mistake, Store.open(place):
            pass
        assert "\n" not in str(mistake.value)

    (tmp_path / "file").write_text("")
    refuse(tmp_path / "file", "is a file: name a folder")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    refuse(tmp_path / "other", "has other files")
    for name, content in (("text", b"no database"), ("short", b"SQLite format 3\x00")):
        (tmp_path / name).mkdir()
        (tmp_path / name / FILE).write_bytes(content * 100)
        refuse(tmp_path / name, "damaged, or not a store")
    (tmp_path / "foreign").mkdir()
    sqlite3.connect(tmp_path / "foreign" / FILE).execute("CREATE TABLE mine (x)").connection.close()
    refuse(tmp_path / "foreign", "damaged, or not a store")
    with pytest.raises(MahcError, match="is not a store"):
        read_rows(tmp_path / "none")
    with Store.open(tmp_path / "older") as store:
        store.begin(OUTLINE, [])
    older = sqlite3.connect(tmp_path / "older" / FILE)
    with older:
        older.execute("UPDATE plan SET facts = '{}'")
    older.close()
    with pytest.raises(MahcError, match="written by another version"):
        read_outline(tmp_path / "older")
    with Store.open(tmp_path / "empty"):
        pass
    with pytest.raises(MahcError, match="is empty: fill it"):
        read_rows(tmp_path / "empty")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE cells", "cannot be read: no such table"),
        ("UPDATE results SET row = '{}'", "written by another version"),
        ("UPDATE results SET row = 'x'", "written by another version"),
        ("UPDATE results SET row = '[]'", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.contestant', 'unknown')", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.case', json('[]'))", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.rows', 'many')", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.score', '-3')", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.outcome', 'eaten')", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.measures', json('{\"f1\": \"x\"}'))", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.measures', json('[1]'))", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.pruned_per_level', json('[null]'))", "is damaged"),
        ("UPDATE results SET row = json_set(row, '$.seconds', json('1e999'))", "is damaged"),
        (f"UPDATE results SET row = replace(row, '-3252.1', '{'9' * 400}')", "is damaged"),
        (f"UPDATE results SET row = replace(row, '-3252.1', '{'9' * 5000}')", "is damaged"),
        ("UPDATE results SET row = x'ff00'", "is damaged|cannot be read"),
        ("UPDATE plan SET facts = '[]'", "is damaged"),
        ("UPDATE plan SET facts = json_set(facts, '$.cases', 1)", "is damaged"),
        ("UPDATE plan SET facts = json_set(facts, '$.sizes', json('[\"x\"]'))", "is damaged"),
        ("UPDATE plan SET facts = json_set(facts, '$.contestants', json('[1]'))", "is damaged"),
        ("UPDATE plan SET facts = json_set(facts, '$.seconds_limit', 'x')", "is damaged"),
    ],
)
def test_a_store_that_was_changed_by_hand_is_refused(tmp_path: Path, change: str, said: str) -> None:
    with Store.open(tmp_path) as store:
        store.begin(OUTLINE, ["1"])
        store.add("1", StoredRow(FULL, 60, 100), {})
    with closing(sqlite3.connect(tmp_path / FILE)) as other, other:
        other.execute(change)
    with pytest.raises(MahcError, match=said):
        read_rows(tmp_path)
    if "row" in change and "unknown" not in change:  # a run may keep results of another plan
        with pytest.raises(MahcError, match=said), Store.open(tmp_path) as store:
            store.results()


@pytest.mark.parametrize(("old", "new"), [(b"CREATE TABLE", b"CREATE TA\xf5LE"), (b"tableplan", b"tablepl\xf5n")])
def test_a_store_with_damaged_text_is_refused(tmp_path: Path, old: bytes, new: bytes) -> None:
    with Store.open(tmp_path) as store:
        store.begin(OUTLINE, ["1"])
    content = (tmp_path / FILE).read_bytes()
    assert old in content
    (tmp_path / FILE).write_bytes(content.replace(old, new, 1))
    with pytest.raises(MahcError, match="is damaged"):
        read_rows(tmp_path)
    with pytest.raises(MahcError, match="is damaged"), Store.open(tmp_path):
        pass


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(OUTLINE, ["1"] * 5000)
    content = bytearray((tmp_path / FILE).read_bytes())
    content[4096:12288] = b"\xff" * 8192
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(MahcError, match="damaged"):
        read_rows(tmp_path)


def test_a_result_is_valid_unless_a_limit_changed_it() -> None:
    limits, longer, larger = Limits(60, 100), Limits(600, 100), Limits(60, 1000)

    def holds(row: Row, now: Limits) -> bool:
        return is_still_valid(StoredRow(row, 60, 100), now)

    late, fat = replace(FULL, outcome="time_limit"), replace(FULL, outcome="memory_limit")
    assert all(holds(row, limits) for row in (FULL, late, fat))
    assert all(holds(FULL, now) for now in (longer, larger))
    assert not holds(late, longer)
    assert holds(late, larger)
    assert not holds(replace(FULL, stop_reason="time_limit"), longer)  # more time may give a better graph
    assert not holds(fat, larger)
    assert not holds(FULL, Limits(0.1, 100))  # it took half a second
    assert not holds(FULL, Limits(60, 30))
    assert holds(replace(FULL, outcome="unavailable"), longer)
