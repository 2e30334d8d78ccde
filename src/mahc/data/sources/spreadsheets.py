"""Spreadsheets: one sheet, where polars' reader for them is installed."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

from mahc.data.prepare.notes import Note, enumerate_some
from mahc.data.settings import ReadSettings
from mahc.data.source_table import LabelColumn, SourceTable
from mahc.data.sources.frames import table_from_frame
from mahc.data.sources.text_file import check_file
from mahc.data.sources.text_records import nameless
from mahc.errors import DataError, FormatError, Mention, Message, UnknownNameError

SPREADSHEET_ENDINGS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")


def read_spreadsheet(path: Path, settings: ReadSettings) -> SourceTable:
    """Read one sheet, the first unless another is named; other sheets are named in a warning."""
    names = sheet_names(path)
    chosen = _choose(names, settings.sheet)
    others = [name for name in names if name != chosen]
    frame = _read_sheet(path, chosen, settings.header, others)
    if not frame.height and others:
        message = f"{path}: the sheet '{chosen}' has no rows below its first line: read another with "
        raise DataError(message, Mention("sheet", others[0]))
    table = table_from_frame(frame, settings)
    # A cell is text where a person typed it so; a sheet has no types of columns.
    spelt = (replace(column, spelt=True) if isinstance(column, LabelColumn) else column for column in table.columns)
    table = replace(table, columns=tuple(spelt))
    notes = [*table.notes, Note(None, "sheet", f"the sheet '{chosen}' is read")]
    if others and settings.sheet is None:
        listed = enumerate_some([f"'{name}'" for name in others])
        message = f"only the first sheet, '{chosen}', is read; not {listed}"
        fix = Message("to read another, pass ", Mention("sheet", others[0]))
        notes = [*table.notes, Note(None, "sheet", message, (float(len(names)),), warning=True, fix=fix)]
    return replace(table, source=str(path), notes=tuple(notes))


def sheet_names(path: Path) -> list[str]:
    """The names of the sheets of a spreadsheet."""
    check_file(path)
    if importlib.util.find_spec("fastexcel") is None:
        raise DataError(
            f"{path} is a spreadsheet: export the sheet as CSV, or read it with pandas or polars and pass the frame; "
            "with the extra excel (pip install 'mahc[excel]') mahc reads it itself"
        )
    import fastexcel

    try:
        return list(fastexcel.read_excel(path).sheet_names)
    except Exception as mistake:  # the reader has errors of its own
        raise _unreadable(mistake, path) from None


def _choose(names: list[str], wanted: str | None) -> str:
    if wanted is None or wanted in names:
        return wanted or names[0]
    if wanted.isdigit() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    raise UnknownNameError("sheet", wanted, names)


def _read_sheet(path: Path, sheet: str, header: bool, others: list[str]) -> Any:
    import polars as pl

    try:
        frame = pl.read_excel(path, sheet_name=sheet, engine="calamine", has_header=header)
    except pl.exceptions.NoDataError:
        other = Mention("sheet", others[0]) if others else Mention("sheet")
        raise DataError(f"{path}: the sheet '{sheet}' is empty: choose another with ", other) from None
    except Exception as mistake:
        raise _unreadable(mistake, path) from None
    return frame if header else frame.rename(dict(zip(frame.columns, nameless(frame.width), strict=True)))


def _unreadable(mistake: Exception, path: Path) -> FormatError:
    said = (str(mistake).splitlines() or [type(mistake).__name__])[0]
    return FormatError(f"this is not a spreadsheet that can be read ({said}): save it again, or as CSV", path)
