"""`read` and `audit`: from a file, frame, array or dict to a data set."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Kind
from mahc.data.dataset import Dataset
from mahc.data.prepare.audit import DISCRETE_ONLY, Audit, prepare
from mahc.data.prepare.suggestions import apply_remedies
from mahc.data.prepare.types import missing_numbers_problem, refuse_missing_numbers
from mahc.data.prepare.warnings import warn_about_identical
from mahc.data.settings import Cuts, ReadSettings, Tokens
from mahc.data.shipped_samples import resolve_sample
from mahc.data.source_table import SourceTable
from mahc.data.sources.arrays import table_from_array
from mahc.data.sources.column_files import COLUMN_FILE_ENDINGS, read_columns
from mahc.data.sources.frames import is_frame, is_series, is_table, table_from_frame
from mahc.data.sources.lists import table_from_dict, table_from_records
from mahc.data.sources.queries import QueryTable, is_query, read_query
from mahc.data.sources.spreadsheets import SPREADSHEET_ENDINGS, read_spreadsheet
from mahc.data.sources.statistics_files import STATISTICS_ENDINGS, read_statistics_file
from mahc.data.sources.text_file import TEXT_ENDINGS, check_file, is_text_file
from mahc.data.sources.text_table import read_text
from mahc.errors import DataError, MahcError, Mention, SettingError, UnknownSettingError
from mahc.files import Address, Copied, find_address
from mahc.settings import complete_docstring, declarations, describe

_LOG = logging.getLogger("mahc.data")
_LOGGED = 10
_ROUNDS = 4
_OTHER_ENDINGS = (*COLUMN_FILE_ENDINGS, *SPREADSHEET_ENDINGS, *STATISTICS_ENDINGS)


def read(
    source: Any,
    *,
    missing: str = "error",
    missing_tokens: Tokens | Mapping[str, Tokens | str | float] = (),
    discretise: Cuts | Mapping[str, Cuts] | None = None,
    categorical: Sequence[str] = (),
    ordinal: Mapping[str, Sequence[str | float]] | None = None,
    continuous: Sequence[str] = (),
    merge_states: bool = False,
    weights: str | Sequence[float] | NDArray[np.generic] | None = None,
    interventions: str | Sequence[Any] | None = None,
    interventions_coded: bool = False,
    mechanism: str = "set",
    keep_unused_states: bool = False,
    delimiter: str | None = None,
    quote: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    header: bool = True,
    sheet: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    names: Sequence[str] | None = None,
) -> Dataset:
    """Read data from a file, frame, array or dict of lists.

    Fields of text files and spreadsheets spell values: whole numbers are numbers (1.0 is 1; 007 is text), true and
    false in one spelling are Booleans. In all other sources text stays text: "TRUE" and "17.5" are states. Text sorts
    by code point, or by size where all of it spells numbers. Empty text, null and NaN (also as text, in any case) are
    missing; `NA` and similar text only if it is in `missing_tokens`. Declared categories (pandas
    Categorical, polars Enum) keep their order and are not interpreted. In files of SPSS, Stata and SAS, a column whose
    values all have labels has these as states, in the order of the values, and user-missing codes are missing. A
    variable has the states that occur; they keep their type (text, whole number, Boolean).

    A column is nominal, ordinal or continuous. Columns of real numbers, and of more than 20 different whole numbers,
    are continuous, unless `discretise` cuts them or `categorical` names them; up to 20 different whole numbers are
    states, unless `continuous` names the column. Whole numbers that are dates or identify rows (nearly every row has
    its own, and they are nearly consecutive or the column is called so) are refused. Columns in `ordinal`, ordered
    categories of pandas and Enums of polars are ordinal, all others nominal.

    Parameters
    ----------
    source : str, path, frame, array, dict of lists, list of dicts or Dataset
        The data. A text is the path of a file, or an address (s3://, gs://, az://, https://). In a list of dicts, one
        for each row, a key that a row lacks is a missing value.
    {settings}

    Returns
    -------
    Dataset
        The data.

    Raises
    ------
    MahcError
        Where the data cannot be used as they are, in one sentence with the fix.

    Examples
    --------
    >>> data = read({"size": [10, 9, 10], "sold": [True, False, True]})
    >>> data.states
    ((9, 10), (False, True))
    >>> data.labels
    (('9', '10'), ('false', 'true'))
    >>> read({"size": ["1", ""]}, missing="state").labels
    (('1', 'missing'),)
    """
    if isinstance(source, Dataset):
        return source
    settings = ReadSettings(
        missing=missing,
        missing_tokens=missing_tokens,
        discretise=discretise,
        categorical=categorical,
        ordinal=ordinal,
        continuous=continuous,
        merge_states=merge_states,
        weights=weights,
        interventions=interventions,
        interventions_coded=interventions_coded,
        mechanism=mechanism,
        keep_unused_states=keep_unused_states,
        delimiter=delimiter,
        quote=quote,
        decimal=decimal,
        encoding=encoding,
        header=header,
        sheet=sheet,
        columns=columns,
        drop=drop,
        names=names,
    )
    found = read_with(source, settings, frozenset(Kind))
    if missing == "state":
        refuse_missing_numbers(found)
    return found


if read.__doc__:  # not there under python -OO
    read.__doc__ = complete_docstring(read.__doc__, "{settings}", describe(ReadSettings))


def read_rows(rows: Any, **reading: Any) -> Dataset:
    """Read rows that are in memory, as `read` does; never opens a file, whatever the rows are.

    For services that pass on what a client sent: to `read`, `learn` and the others a text is the path of a file.

    Parameters
    ----------
    rows : list of dicts, dict of lists, array or frame
        The rows, at least one. A text, a path and a list of these are refused.
    **reading
        The settings of `mahc.read`.

    Returns
    -------
    Dataset
        The data, for `learn` and all others that take data.

    Raises
    ------
    MahcError
        Where the rows are something else, or cannot be used as they are, in one sentence with the fix.

    Examples
    --------
    >>> read_rows([{"rain": "no", "wet": "no"}, {"rain": "yes", "wet": "yes"}]).names
    ('rain', 'wet')
    >>> read_rows("/etc/passwd")
    Traceback (most recent call last):
    mahc.errors.DataError: read_rows opens no file, and the rows are a text: give a list of dicts, a dict of lists, ...
    """
    listed = list(rows) if isinstance(rows, list | tuple) else [rows]
    odd = next((each for each in listed if isinstance(each, str | bytes | os.PathLike)), None)
    if odd is not None or is_query(rows):
        what = "a query" if odd is None else "a path" if isinstance(odd, os.PathLike) else "a text"
        raise DataError(
            f"read_rows opens no file, and the rows are {what}: give a list of dicts, a dict of lists, an array or a "
            "frame"
        )
    unknown = next((name for name in reading if name not in declarations(ReadSettings)), None)
    if unknown is not None:
        raise UnknownSettingError("read_rows", unknown, list(declarations(ReadSettings)))
    if isinstance(rows, Dataset):
        return rows
    settings = ReadSettings(**reading)
    return prepare(load(rows, settings), settings, one_row=True).require(frozenset(Kind))


def read_with(source: Any, settings: ReadSettings, kinds: frozenset[Kind] = DISCRETE_ONLY) -> Dataset:
    """Read data as `read` does, with the settings as one object.

    Warnings are logged and stay in `Dataset.notes`.

    Parameters
    ----------
    source : path, frame, array or dict of lists
        The data.
    settings : ReadSettings
        How to read them.
    kinds : set of Kind
        The kinds of columns that the caller takes: columns of numbers are refused unless they are among them.

    Returns
    -------
    Dataset
        The data.

    Raises
    ------
    MahcError
        If the data cannot be used as they are, in one sentence with the fix.

    Examples
    --------
    >>> read_with({"size": ["1", "2", ""]}, ReadSettings(missing="drop")).rows
    2
    """
    if settings.keeps_missing:
        raise SettingError(
            Mention("missing", settings.missing),
            " says how to learn from data, not how to read them: learn with it, or read with ",
            Mention("missing", "state"),
        )
    dataset = prepare(load(source, settings), settings).require(kinds)
    for warning in dataset.warnings[:_LOGGED]:
        _LOG.warning(warning.sentence())
    if len(dataset.warnings) > _LOGGED:
        _LOG.warning("%d more warnings: see Dataset.warnings", len(dataset.warnings) - _LOGGED)
    return dataset


def audit(source: Any, settings: ReadSettings | None = None, **reading: Any) -> Audit:
    """Check the data and report on every column, without stopping at the first problem; identical columns are named.

    Parameters
    ----------
    source : path, frame, array or dict of lists
        The data.
    settings : ReadSettings, optional
        How to read them, as one object.
    **reading
        The same as single settings, those of `mahc.read`: `audit("x.csv", missing="state")`.

    Returns
    -------
    Audit
        A report on every column, with the problems and their fixes.

    Raises
    ------
    DataError
        If the source cannot be read at all.

    Examples
    --------
    >>> [column.level for column in audit({"height": [1.5, 2.5], "when": ["then", "now"]}).columns]
    ['continuous', 'nominal']
    >>> print(audit({"size": [1, 2, 2] * 6, "when": ["then", None] * 9}, missing="state"))
    the dict: 18 rows, 2 columns: can be used
    """
    check_names("audit", reading)
    asked = replace(settings or ReadSettings(), **reading)
    return audit_loaded(load(source, asked.coding_missing()), asked)


def audit_loaded(table: SourceTable, asked: ReadSettings) -> Audit:
    """The audit of columns that were loaded already; of the settings, those count that say how values are read."""
    found = refuse_missing_as_states(prepare(table, asked.coding_missing()), asked)
    if found.dataset is None:
        return found
    return replace(found, notes=(*found.notes, *warn_about_identical(found.dataset.names, found.dataset.columns)))


def refuse_missing_as_states(found: Audit, asked: ReadSettings) -> Audit:
    """The audit with a problem where missing numbers are to be states."""
    names = [each.name for each in found.columns if each.level == "continuous" and each.missing]
    if asked.missing != "state" or not names:
        return found
    return replace(found, problems=(*found.problems, missing_numbers_problem(names)), dataset=None)


def check_names(owner: str, reading: Mapping[str, object]) -> None:
    """Refuse a setting that reading does not have."""
    unknown = next((name for name in reading if name not in declarations(ReadSettings)), None)
    if unknown is not None:
        raise UnknownSettingError(owner, unknown, list(declarations(ReadSettings)))


def suggest_settings(
    source: Any,
    settings: ReadSettings,
    found: Audit,
    look: Callable[[Any, ReadSettings], Audit] | None = None,
) -> ReadSettings | None:
    """The settings with which the data can be used, from the fixes of an audit; None where they do not suffice.

    Parameters
    ----------
    source : object
        Whatever `mahc.read` takes.
    settings : ReadSettings
        The settings of the audit.
    found : Audit
        What the audit found.
    look : callable, optional
        Makes an audit of the source with other settings; `audit` by default.

    Returns
    -------
    ReadSettings or None
        The settings with the fixes added.

    Examples
    --------
    >>> found = audit({"height": [1.71, 1.83, None], "sex": ["f", "m", "f"]})
    >>> chosen = suggest_settings({"height": [1.71, 1.83, None], "sex": ["f", "m", "f"]}, ReadSettings(), found)
    >>> chosen.missing if chosen else None
    'impute'
    """
    for _ in range(_ROUNDS):  # a fix can reveal the next problem: missing tokens make missing values
        try:
            better = apply_remedies(settings, found)
            if better == settings:
                break
            settings, found = better, (look or audit)(source, better)
        except MahcError:  # such as no columns left
            return None
    return None if found.problems else settings


def keep_applicable(source: Any, settings: ReadSettings) -> ReadSettings:
    """The settings without those that other kinds of sources need, such as the encoding of text files."""
    names = settings.names if isinstance(source, np.ndarray) else None
    text, sheet = _is_text_file(source), _is_spreadsheet(source)
    kept = settings if text else replace(settings, delimiter=None, quote=None, encoding=ReadSettings.encoding)
    return replace(
        kept, names=names, header=settings.header or not (text or sheet), sheet=settings.sheet if sheet else None
    )


def plain_settings(settings: ReadSettings) -> ReadSettings:
    """The settings that say how a file or array is taken apart, without those that interpret values."""
    return ReadSettings(
        delimiter=settings.delimiter,
        quote=settings.quote,
        encoding=settings.encoding,
        header=settings.header,
        sheet=settings.sheet,
        names=settings.names,
    )


def load(source: Any, settings: ReadSettings) -> SourceTable:
    """The columns of any supported source, not yet interpreted."""
    if isinstance(source, str | os.PathLike):
        if "\n" in os.fspath(source):
            raise DataError(
                "the data are a text with line breaks, not the name of a file: save it in a file, and give its name"
            )
        if not isinstance(source, Copied):
            source = find_address(source) or resolve_sample(Path(source))
    _check_settings_apply(source, settings)
    if is_table(source):
        from mahc.data.sources.tables import open_table

        return open_table(source).as_table(settings)
    if isinstance(source, Address):
        from mahc.data.sources.stores import copy_here

        _check_ending(Path(source.name), source)
        copy = copy_here(source)
        try:
            return load(copy, settings)
        finally:
            copy.remove()
    if isinstance(source, Copied):
        with source.naming():
            return replace(_load_file(source.path, settings), source=str(source))
    if isinstance(source, str | os.PathLike):
        return _load_file(Path(source), settings)
    if is_query(source):
        return read_query(source, settings)
    if isinstance(source, QueryTable):
        return source.as_table(settings)
    if isinstance(source, np.ndarray):
        return table_from_array(source, settings)
    if isinstance(source, Mapping):
        return table_from_dict(source, settings)
    if isinstance(source, list | tuple) and any(isinstance(row, Mapping) for row in source):
        return table_from_records(source, settings)
    if is_frame(source):
        return table_from_frame(source, settings)
    if is_series(source):
        raise DataError("a series is only one column: pass a frame, or a dict of names and series")
    if type(source).__module__.startswith("scipy.sparse"):
        raise DataError("sparse matrices are not supported: pass X.toarray(), whose zeros are a state like any other")
    raise DataError(
        f"data of type {type(source).__name__} are not supported: pass a file name, a pandas, polars or "
        "Arrow table, a table of deltalake or pyiceberg, a DuckDB relation, a numpy array of two dimensions, a dict of "
        "lists, a list of dicts or a Dataset"
    )


def _check_settings_apply(source: Any, settings: ReadSettings) -> None:
    if settings.names is not None and not isinstance(source, np.ndarray):
        raise SettingError(Mention("names"), " is for arrays: these data bring their own names")
    declared = declarations(settings)
    given = next((name for name in ("delimiter", "quote", "encoding") if declared[name].differs(settings)), None)
    if not _is_text_file(source) and given is not None:
        raise SettingError(Mention(given), " is for text files (csv, tsv, txt): leave it out here")
    if settings.sheet is not None and not _is_spreadsheet(source):
        raise SettingError(Mention("sheet"), " is for spreadsheets (xlsx, ods): leave it out here")
    if not settings.header and not (_is_text_file(source) or _is_spreadsheet(source)):
        raise SettingError(Mention("header"), " is for text files and spreadsheets: leave it out here")


def _is_text_file(source: Any) -> bool:
    path = _named(source)
    return path is not None and is_text_file(path)


def _is_spreadsheet(source: Any) -> bool:
    path = _named(source)
    return path is not None and path.suffix.lower() in SPREADSHEET_ENDINGS


def _named(source: Any) -> Path | None:
    """The path of a file, or the name of one in a store; None where the source is no file."""
    address = find_address(source)
    if address is not None:
        return Path(address.name)
    return Path(source) if isinstance(source, str | os.PathLike) else None


def _load_file(path: Path, settings: ReadSettings) -> SourceTable:
    if is_text_file(path):
        return read_text(path, settings)
    if path.suffix.lower() in COLUMN_FILE_ENDINGS:
        return read_columns(path, settings)
    if path.suffix.lower() in SPREADSHEET_ENDINGS:
        return read_spreadsheet(path, settings)
    if path.suffix.lower() in STATISTICS_ENDINGS:
        return read_statistics_file(path, settings)
    check_file(path)
    raise _wrong_ending(path, path)


def _check_ending(path: Path, name: object) -> None:
    """Refuse a file that no reader takes, by its name."""
    if not is_text_file(path) and path.suffix.lower() not in _OTHER_ENDINGS:
        raise _wrong_ending(path, name)


def _wrong_ending(path: Path, name: object) -> DataError:
    allowed = ", ".join((*TEXT_ENDINGS, *(f"{ending}.gz" for ending in TEXT_ENDINGS), *_OTHER_ENDINGS))
    return DataError(f"{name}: the ending '{path.suffix}' is not one of {allowed}: rename or convert the file")
