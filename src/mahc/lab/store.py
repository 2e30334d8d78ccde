"""The store of an experiment: a folder with one SQLite file, which survives a kill at any moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from mahc.errors import PerInterface, SettingError
from mahc.files import exists, is_file, is_folder
from mahc.lab.outline import OUTCOME_WORDS, Outline, Row

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
_Seconds = Annotated[float, msgspec.Meta(ge=0, lt=1e300)]


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


@dataclass(frozen=True)
class StoredRow:
    """A row with the limits of its cell."""

    row: Row
    seconds_limit: float
    memory_limit_mebibytes: int


class Store:
    """An open store; `Store.open` makes it and locks the folder.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store.open(Path(folder.name) / "mine") as store:
    ...     store.results()
    {}
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @staticmethod
    @contextmanager
    def open(folder: Path) -> Iterator[Store]:
        """Open the store for a run, creating it if needed; a second run at the same time is refused."""
        check_place(folder)
        with lock(folder), closing(connect(folder, create=True)) as connection:
            yield Store(folder, connection)

    def results(self) -> dict[str, StoredRow]:
        """All results by the key of their cell."""
        question = "SELECT key, row, seconds_limit, memory_limit_mebibytes FROM results ORDER BY key"
        with _reading(self.folder):
            found = self._connection.execute(question)
            return {
                key: StoredRow(_load_row(text), msgspec.convert(seconds, _Seconds), msgspec.convert(memory, int))
                for key, text, seconds, memory in found
            }

    def begin(self, outline: Outline, keys: Iterable[str]) -> None:
        """Make this the plan that readers of the store see; results of other plans stay."""
        with self._writing() as work:
            work.execute("INSERT OR REPLACE INTO plan VALUES (1, ?)", (_dump(outline),))
            work.execute("DELETE FROM cells")
            work.executemany("INSERT INTO cells (key) VALUES (?)", [(key,) for key in keys])

    def add(self, key: str, kept: StoredRow, cell: Mapping[str, Any]) -> None:
        """Store a result, replacing an older one of the same cell."""
        row = kept.row
        values = (
            *(key, row.contestant, row.case, row.data, row.rows, row.seed, row.outcome),
            *(kept.seconds_limit, kept.memory_limit_mebibytes),
            *(_dump(row), _dump(cell)),
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
                f"the store '{self.folder}' cannot be written: {problem}; the rows stored before are intact"
            ) from None


def read_store(store_path: str | Path) -> tuple[Outline, tuple[Row, ...]]:
    """Read the outline of the plan that was run last, and its rows, as of one moment.

    Parameters
    ----------
    store_path : str or path
        The folder of the store.

    Returns
    -------
    tuple of Outline and tuple of Row
        The outline and the rows.

    Raises
    ------
    MahcError
        If there is no store.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store.open(Path(folder) / "mine") as store:
    ...         store.begin(Outline("mine", (), ("asia",), (100,), ("clean",), (1,)), [])
    ...     read_store(Path(folder) / "mine")[0].sizes
    (100,)
    """
    with closing(connect(Path(store_path), create=False)) as connection, _reading(Path(store_path)):
        connection.execute("BEGIN")  # one transaction: plan and rows belong together
        outline = _read_outline(connection, Path(store_path))
        found = connection.execute("SELECT row FROM results JOIN cells USING (key) ORDER BY position").fetchall()
        rows = [_load_row(text) for (text,) in found]
        return outline, _sort_rows(rows, outline)


def _sort_rows(rows: list[Row], outline: Outline) -> tuple[Row, ...]:
    labels = [contestant.label for contestant in outline.contestants]
    orders = [{value: i for i, value in enumerate(known)} for known in (labels, outline.cases, outline.data)]

    def place(row: Row) -> tuple[int, ...]:
        return (*(o[v] for o, v in zip(orders, (row.contestant, row.case, row.data), strict=True)), row.rows, row.seed)

    return tuple(sorted(rows, key=place))


def read_rows(store_path: str | Path) -> tuple[Row, ...]:
    """Read the rows of the plan that was run last, by contestant, case, data, size and seed in the plan's order.

    Parameters
    ----------
    store_path : str or path
        The folder of the store.

    Returns
    -------
    tuple of Row
        One row for each cell that was run.

    Raises
    ------
    MahcError
        If there is no store.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store.open(Path(folder) / "mine") as store:
    ...         store.begin(Outline("mine", (), ("asia",), (100,), ("clean",), (1,)), [])
    ...     read_rows(Path(folder) / "mine")
    ()
    """
    return read_store(store_path)[1]


def read_outline(store_path: str | Path) -> Outline:
    """Read the outline of the plan that was run last.

    Parameters
    ----------
    store_path : str or path
        The folder of the store.

    Returns
    -------
    Outline
        The outline.

    Raises
    ------
    MahcError
        If there is no store.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store.open(Path(folder) / "mine") as store:
    ...         store.begin(Outline("mine", (), ("asia",), (100,), ("clean",), (1,)), [])
    ...     read_outline(Path(folder) / "mine").cases
    ('asia',)
    """
    with closing(connect(Path(store_path), create=False)) as connection, _reading(Path(store_path)):
        return _read_outline(connection, Path(store_path))


def _read_outline(connection: sqlite3.Connection, folder: Path) -> Outline:
    found = connection.execute("SELECT facts FROM plan").fetchone()
    if found is None:
        raise SettingError(
            f"the store '{folder}' is empty: fill it with ",
            PerInterface("mahc.lab.run", f"'mahc experiment run PLAN --store {folder}'"),
        )
    return msgspec.json.decode(found[0], type=Outline)


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as problem:
        raise SettingError(f"the store '{folder}' cannot be read: {problem}") from None
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, RecursionError):  # anybody can edit a store
        raise SettingError(
            f"the store '{folder}' is damaged, or was written by another version of mahc: run the plan again into a "
            "new one"
        ) from None


def _dump(value: object) -> str:
    return msgspec.json.encode(value, order="sorted", enc_hook=dict).decode()  # a mapping that is not a dict


def _load_row(text: str) -> Row:
    row = msgspec.json.decode(text, type=Row)
    if row.outcome not in OUTCOME_WORDS:
        raise ValueError(f"{row.outcome!r} is not an outcome")
    return row
