"""The file of a store: a folder with one SQLite file, which survives a kill at any moment.

The journal is SQLite's rollback journal, not its write-ahead log: there is one writer with a few small commits a
second, readers wait for milliseconds, the folder can be copied at any time, and it works on network disks. Every row
is committed and on the disk before the next cell starts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mahc.errors import SettingError
from mahc.files import exists, is_file, is_folder

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
    """Create the folder of a store; a folder with other files is refused."""
    try:
        if exists(folder) and not is_folder(folder):
            raise SettingError(f"the store '{folder}' is a file: name a folder")
        if is_folder(folder) and not exists(folder / FILE) and any(entry.name != LOCK for entry in folder.iterdir()):
            raise SettingError(f"the folder '{folder}' has other files and no store in it: name a new folder")
        for name in (FILE, LOCK):
            if exists(folder / name) and not is_file(folder / name):
                raise SettingError(f"'{folder / name}' is not a regular file: remove it, or name another store")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingError(f"the store '{folder}' cannot be created: {problem.strerror}") from None


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Lock the store for one run."""
    # SQLite's lock on a separate file: it works wherever SQLite does, and ends with the process however that ends.
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
    """Open the file, created on request; a damaged file or one of another program is refused."""
    file = folder / FILE
    try:
        if not create and not is_file(file):
            raise SettingError(f"'{folder}' is not a store of an experiment: it has no {FILE}")
        connection = sqlite3.connect(file, timeout=30)
        try:
            _prepare(connection, create)
        except BaseException:
            connection.close()
            raise
    except (sqlite3.OperationalError, OSError) as problem:
        raise SettingError(f"the store '{file}' cannot be opened: {problem}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError, _ForeignError):  # SQLite quotes damaged text in its messages
        raise SettingError(
            f"'{file}' is damaged, or not a store of this version of mahc: name another folder"
        ) from None
    return connection


class _ForeignError(Exception):
    pass


def _prepare(connection: sqlite3.Connection, create: bool) -> None:
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
