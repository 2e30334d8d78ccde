"""Spreadsheets: the first sheet, where polars' reader for them is installed."""

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
from mahc.errors import DataError, FormatError

SPREADSHEET_ENDINGS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")


def read_spreadsheet(path: Path, settings: ReadSettings) -> SourceTable:
    """Read the first sheet; its first row holds the names. Other sheets are named in a warning."""
    check_file(path)
    if importlib.util.find_spec("fastexcel") is None:
        raise DataError(
            f"{path} is a spreadsheet: export the sheet as CSV, or read it with pandas or polars and pass the frame; "
            "with the extra excel (pip install 'mahc[excel]') mahc reads it itself"
        )
    names, frame = _read_first_sheet(path)
    table = table_from_frame(frame, settings)
    # A cell is text where a person typed it so; a sheet has no types of columns.
    spelt = (replace(column, spelt=True) if isinstance(column, LabelColumn) else column for column in table.columns)
    table = replace(table, columns=tuple(spelt))
    notes = [*table.notes, Note(None, "sheet", f"the sheet '{names[0]}' is read")]
    if names[1:]:
        others = enumerate_some([f"'{name}'" for name in names[1:]])
        message = f"only the first sheet, '{names[0]}', is read; not {others}"
        notes = [*table.notes, Note(None, "sheet", message, (float(len(names)),), warning=True)]
    return replace(table, source=str(path), notes=tuple(notes))


def _read_first_sheet(path: Path) -> tuple[list[str], Any]:
    import fastexcel
    import polars as pl

    try:
        book = fastexcel.read_excel(path)
        return book.sheet_names, pl.read_excel(path, sheet_id=1, engine="calamine")
    except Exception as mistake:  # the reader has errors of its own, and polars others
        said = (str(mistake).splitlines() or [type(mistake).__name__])[0]
        raise FormatError(
            f"this is not a spreadsheet that can be read ({said}): save it again, or as CSV", path
        ) from None
