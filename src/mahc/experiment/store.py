"""The store of an experiment: one folder with one SQLite file, whole after being killed at any moment.

The journal is SQLite's rollback journal and not its write-ahead log: there is one writer and a few small commits a
second at most, a reader waits milliseconds, the folder can be copied as it is, and it also works on a network disk.
Every row is committed, and on the disk, before the next cell starts.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mahc.errors import SettingError
from mahc.experiment.facts import ContestantFacts, StoreFacts
from mahc.experiment.row import Row

__all__ = ["ContestantFacts", "Kept", "Store", "StoreFacts", "read_facts", "read_rows"]

FILE = "rows.sqlite"
LOCK = "lock.sqlite"
APPLICATION = 0x6D616863  # "mahc", in the header of the file
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE plan (one INTEGER PRIMARY KEY CHECK (one = 1), facts TEXT NOT NULL);
CREATE TABLE cells (position INTEGER PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE results (
  key TEXT PRIMARY KEY, contestant TEXT, network TEXT, data TEXT, rows INTEGER, seed INTEGER, outcome TEXT,
  seconds_limit REAL NOT NULL, memory_limit_mebibytes INTEGER NOT NULL, row TEXT NOT NULL, cell TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Kept:
    """A row with the limits that it was found under."""

    row: Row
    seconds_limit: float
    memory_limit_mebibytes: int


class Store:
    """An open store; made by `Store.open`, which holds the folder for itself alone.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store.open(Path(folder.name) / "mine") as store:
    ...     store.kept()
    {}
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @staticmethod
    @contextmanager
    def open(folder: Path) -> Iterator[Store]:
        """Open the store for a run, made if it is not there yet; a second run at the same time is refused."""
        _check_place(folder)
        with _locked(folder), closing(_connect(folder, create=True)) as connection:
            yield Store(folder, connection)

    def kept(self) -> dict[str, Kept]:
        """All results by the key of their cell."""
        found = self._connection.execute(
            "SELECT key, row, seconds_limit, memory_limit_mebibytes FROM results ORDER BY key"
        )
        return {key: Kept(_load_row(text), seconds, memory) for key, text, seconds, memory in found}

    def begin(self, facts: StoreFacts, keys: Iterable[str]) -> None:
        """Make this plan the one that the store is read by; results of other plans stay."""
        with self._writing() as work:
            work.execute("INSERT OR REPLACE INTO plan VALUES (1, ?)", (_dump(facts.to_dict()),))
            work.execute("DELETE FROM cells")
            work.executemany("INSERT INTO cells (key) VALUES (?)", [(key,) for key in keys])

    def add(self, key: str, kept: Kept, cell: Mapping[str, Any]) -> None:
        """Keep a result, in place of an older one of the same cell."""
        row = kept.row
        values = (
            *(key, row.contestant, row.case, row.data, row.rows, row.seed, row.outcome),
            *(kept.seconds_limit, kept.memory_limit_mebibytes),
            *(_dump({**asdict(replace(row, measures={})), "measures": dict(row.measures)}), _dump(cell)),
        )
        with self._writing() as work:
            work.execute(f"INSERT OR REPLACE INTO results VALUES ({','.join('?' * len(values))})", values)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection:
                yield self._connection
        except sqlite3.Error as problem:
            raise SettingError(
                f"the store '{self.folder}' cannot be written: {problem}; what it held before is whole"
            ) from None


def read_rows(store_path: str | Path) -> tuple[Row, ...]:
    """The rows there are for the plan that was run last, by contestant, case, data, size and seed in its order."""
    with closing(_connect(Path(store_path), create=False)) as connection:
        connection.execute("BEGIN")  # a run that begins meanwhile waits: plan and rows belong together
        facts = _read_facts(connection, Path(store_path))
        found = connection.execute("SELECT row FROM results JOIN cells USING (key) ORDER BY position").fetchall()
    labels = [contestant.label for contestant in facts.contestants]
    orders = [{value: i for i, value in enumerate(known)} for known in (labels, facts.cases, facts.data)]

    def place(row: Row) -> tuple[int, ...]:
        return (*(o[v] for o, v in zip(orders, (row.contestant, row.case, row.data), strict=True)), row.rows, row.seed)

    return tuple(sorted((_load_row(text) for (text,) in found), key=place))


def read_facts(store_path: str | Path) -> StoreFacts:
    """The plan that was run last."""
    with closing(_connect(Path(store_path), create=False)) as connection:
        return _read_facts(connection, Path(store_path))


def _read_facts(connection: sqlite3.Connection, folder: Path) -> StoreFacts:
    found = connection.execute("SELECT facts FROM plan").fetchone()
    if found is None:
        raise SettingError(f"the store '{folder}' is empty: fill it with 'mahc experiment run PLAN --store {folder}'")
    try:
        return StoreFacts.from_dict(json.loads(found[0]))
    except (KeyError, TypeError, ValueError):
        raise SettingError(
            f"the store '{folder}' was filled by another version of mahc: run its plan again with this one"
        ) from None


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, allow_nan=False)


def _load_row(text: str) -> Row:
    found = json.loads(text)
    pruned = found.pop("pruned_per_level")
    measures = MappingProxyType(found.pop("measures"))
    return Row(**found, measures=measures, pruned_per_level=None if pruned is None else tuple(pruned))


def _check_place(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise SettingError(f"the store '{folder}' is a file: name a folder")
    if folder.is_dir() and not (folder / FILE).exists() and any(entry.name != LOCK for entry in folder.iterdir()):
        raise SettingError(f"the folder '{folder}' holds other things and no store: name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingError(f"the store '{folder}' cannot be made: {problem.strerror}") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    # SQLite's own lock, on a file of its own: works wherever SQLite does, and ends with the process however it ends.
    try:
        guard = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
        try:
            guard.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            guard.close()
            raise
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            raise SettingError(f"another run is using the store '{folder}': wait for it, or name another") from None
        raise SettingError(f"the store '{folder}' cannot be locked: {problem}") from None
    except sqlite3.DatabaseError:
        raise SettingError(f"'{folder / LOCK}' is not the lock of a store: remove it, or name another store") from None
    with closing(guard):
        yield


def _connect(folder: Path, create: bool) -> sqlite3.Connection:
    file = folder / FILE
    if not create and not file.is_file():
        raise SettingError(f"'{folder}' is no store of an experiment: there is no {FILE} in it")
    try:
        connection = sqlite3.connect(file, timeout=30)
        try:
            _settle(connection, create)
        except BaseException:
            connection.close()
            raise
    except sqlite3.OperationalError as problem:
        raise SettingError(f"the store '{file}' cannot be opened: {problem}") from None
    except (sqlite3.DatabaseError, _ForeignError):
        raise SettingError(
            f"'{file}' is damaged, or not a store that this version of mahc made: name another folder"
        ) from None
    return connection


class _ForeignError(Exception):
    pass


def _settle(connection: sqlite3.Connection, create: bool) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if create and application == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        stamp = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA_VERSION};"
        connection.executescript(f"BEGIN; {SCHEMA} {stamp} COMMIT;")  # all of it or nothing
    elif application != APPLICATION or version != SCHEMA_VERSION:
        raise _ForeignError
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _ForeignError
