"""The file of a store: one folder with one SQLite file, whole after being killed at any moment.

The journal is SQLite's rollback journal and not its write-ahead log: there is one writer and a few small commits a
second at most, a reader waits milliseconds, the folder can be copied as it is, and it also works on a network disk.
Every row is committed, and on the disk, before the next cell starts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mahc.errors import SettingError

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


def check_place(folder: Path) -> None:
    """Make the folder of a store; one that holds other things is refused."""
    try:
        if folder.exists() and not folder.is_dir():
            raise SettingError(f"the store '{folder}' is a file: name a folder")
        if folder.is_dir() and not (folder / FILE).exists() and any(entry.name != LOCK for entry in folder.iterdir()):
            raise SettingError(f"the folder '{folder}' holds other things and no store: name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingError(f"the store '{folder}' cannot be made: {problem.strerror}") from None


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold the store for one run alone."""
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


def connect(folder: Path, create: bool) -> sqlite3.Connection:
    """Open the file, made if it is not there and may be; what is damaged or foreign is refused."""
    file = folder / FILE
    try:
        if not create and not file.is_file():
            raise SettingError(f"'{folder}' is no store of an experiment: there is no {FILE} in it")
        connection = sqlite3.connect(file, timeout=30)
        try:
            _settle(connection, create)
        except BaseException:
            connection.close()
            raise
    except (sqlite3.OperationalError, OSError) as problem:
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
