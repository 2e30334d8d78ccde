"""Files of SPSS, Stata and SAS, with their value labels and user-missing codes, by pyreadstat (extra `stats-files`)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mahc.data.names import check_count, check_names
from mahc.data.prepare.notes import Note
from mahc.data.prepare.types import label
from mahc.data.settings import ReadSettings
from mahc.data.source_table import Column, LabelColumn, SourceTable
from mahc.data.sources.arrays import code_array
from mahc.data.sources.lists import code_list
from mahc.data.sources.text_file import check_file
from mahc.errors import DataError, FormatError
from mahc.plurals import count, noun

# The function of pyreadstat for each ending, and what the file is.
_READERS = {
    ".sav": ("read_sav", "an SPSS file"),
    ".zsav": ("read_sav", "an SPSS file"),
    ".por": ("read_por", "an SPSS file"),
    ".dta": ("read_dta", "a Stata file"),
    ".sas7bdat": ("read_sas7bdat", "a SAS file"),
    ".xpt": ("read_xport", "a SAS file"),
}
STATISTICS_ENDINGS = tuple(_READERS)


def read_statistics_file(path: Path, settings: ReadSettings) -> SourceTable:
    """Read the selected columns; values that all have labels become these, and user-missing codes are missing."""
    check_file(path)
    reader, kind = _READERS[path.suffix.lower()]
    if importlib.util.find_spec("pyreadstat") is None:
        raise DataError(
            f"{path} is {kind}: export it as CSV; with the extra stats-files (pip install 'mahc[stats-files]') mahc "
            "reads it itself"
        )
    values, about = _read(path, reader, kind)
    names = list(values)
    check_names(names, str(path))
    if not about.number_rows and not any(len(each) for each in values.values()):
        raise DataError(f"{path}: {count(len(names), 'column')} but no rows: at least one is needed")
    kept = settings.kept(names)
    check_count(kept, str(path))
    labels: Mapping[str, Mapping[Any, str]] = about.variable_value_labels or {}
    measures: Mapping[str, str] = about.variable_measure or {}
    columns, notes = [], [Note(None, "file", f"{kind} with {_say_labels(len(labels))}")]
    for name in kept:
        column, note = _code(name, values[name], labels.get(name), measures.get(name) == "ordinal", settings)
        columns.append(column)
        notes += note
    return SourceTable(str(path), tuple(kept), tuple(columns), tuple(notes))


def _read(path: Path, reader: str, kind: str) -> tuple[dict[str, Any], Any]:
    import pyreadstat

    try:
        found: tuple[dict[str, Any], Any] = getattr(pyreadstat, reader)(str(path), output_format="dict")
    except Exception as mistake:  # the reader has errors of its own
        said = (str(mistake).splitlines() or [type(mistake).__name__])[0]
        raise FormatError(f"this is not {kind} that can be read ({said}): save it again, or as CSV", path) from None
    return found


def _say_labels(many: int) -> str:
    return f"value labels of {many:,} {noun(many, 'column')}" if many else "no value labels"


def _code(
    name: str, values: Sequence[Any], labels: Mapping[Any, str] | None, ordinal: bool, settings: ReadSettings
) -> tuple[Column, list[Note]]:
    """One column: declared states where every value has a label of its own, otherwise its values."""
    plain = _code_values(name, values, settings)
    if not labels or not isinstance(plain, LabelColumn):
        return plain, []
    spelt = {label(value): text.strip() for value, text in labels.items()}
    occurs = plain.count_rows() > 0
    known = [
        value for value, there in zip(plain.values, occurs.tolist(), strict=True) if there and value not in (None, "")
    ]
    lacking = [value for value in known if label(value) not in spelt]
    texts = [spelt[label(value)] for value in known if label(value) in spelt]
    if lacking or len(set(texts)) < len(texts):
        why = f"{label(lacking[0])} has none" if lacking else "two values have the same label"
        return plain, [Note(name, "value-labels", f"the value labels are not used, because {why}")]
    order = sorted(known, key=lambda value: (isinstance(value, str), value))
    place = {value: code for code, value in enumerate(order)}
    codes = np.array([place.get(value, len(order)) for value in plain.values], np.uint32)[plain.codes]
    states: list[object] = [spelt[label(value)] for value in order]
    if int(codes.max()) == len(order):
        states.append(None)
    return LabelColumn(states, codes, declared=True, ordered=ordinal), []


def _code_values(name: str, values: Sequence[Any], settings: ReadSettings) -> Column:
    """The values as they are: numbers, text (empty text is missing), or dates, which are refused."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return code_array(name, array, settings)
    column = code_list(name, list(values))
    if not isinstance(column, LabelColumn):
        return column
    texts = [value for value in column.values if isinstance(value, str)]
    if texts or None not in column.values:
        return column
    numbers = np.array([np.nan if value is None else value for value in column.values], np.float64)
    return code_array(name, numbers[column.codes], settings)
