"""The store of an experiment: rows by the key of their cell, and the outline of the plan that was run last."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mahc.errors import PerInterface, SettingError
from mahc.experiment.outline import Outline
from mahc.experiment.row import OUTCOME_WORDS, Row
from mahc.experiment.store_file import check_place, connect, lock
from mahc.experiment.typed_values import check_types


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
            kept = {key: StoredRow(_load_row(text), seconds, memory) for key, text, seconds, memory in found}
            for stored in kept.values():
                check_types(stored)
            return kept

    def begin(self, outline: Outline, keys: Iterable[str]) -> None:
        """Make this the plan that readers of the store see; results of other plans stay."""
        with self._writing() as work:
            work.execute("INSERT OR REPLACE INTO plan VALUES (1, ?)", (_dump(outline.to_dict()),))
            work.execute("DELETE FROM cells")
            work.executemany("INSERT INTO cells (key) VALUES (?)", [(key,) for key in keys])

    def add(self, key: str, kept: StoredRow, cell: Mapping[str, Any]) -> None:
        """Store a result, replacing an older one of the same cell."""
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
            PerInterface("mahc.experiment.run", f"'mahc experiment run PLAN --store {folder}'"),
        )
    outline = Outline.from_dict(json.loads(found[0]))
    check_types(outline)
    return outline


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as problem:
        raise SettingError(f"the store '{folder}' cannot be read: {problem}") from None
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise SettingError(
            f"the store '{folder}' is damaged, or was written by another version of mahc: run the plan again into a "
            "new one"
        ) from None


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, allow_nan=False)


def _load_row(text: str) -> Row:
    found = json.loads(text)
    pruned = found.pop("pruned_per_level")
    measures = MappingProxyType(found.pop("measures"))
    pattern = found.pop("pattern", None)
    row = Row(
        **found,
        measures=measures,
        pruned_per_level=None if pruned is None else tuple(pruned),
        pattern=None if pattern is None else tuple(tuple(edge) for edge in pattern),
    )
    check_types(row)
    if row.outcome not in OUTCOME_WORDS:
        raise ValueError(f"{row.outcome!r} is not an outcome")
    return row
