"""What the page's data step shows of a file: its first rows, every column with its fixes, commands."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace as with_fields

from mahc.data import Audit, ReadSettings
from mahc.data.columns import Continuous
from mahc.data.prepare.suggestions import apply_remedies
from mahc.data.prepare.types import label, parse_number
from mahc.data.reading import audit_loaded, keep_applicable, load
from mahc.data.reading_record import record_reading
from mahc.data.source_table import LabelColumn, NumberColumn, SourceTable
from mahc.data.sources.dialect import DELIMITERS
from mahc.data.sources.encoding import is_utf8
from mahc.data.sources.guessing import file_settings
from mahc.data.sources.spreadsheets import SPREADSHEET_ENDINGS, sheet_names
from mahc.data.sources.statistics_files import STATISTICS_ENDINGS
from mahc.data.sources.text_file import is_text_file
from mahc.documents import to_plain
from mahc.errors import DataError, MahcError
from mahc.learning.incomplete.missingness import describe_missingness
from mahc.learning.settings import RunSettings
from mahc.ui.audit import AuditAnswer, ColumnAnswer, Remark, describe_audit
from mahc.ui.page_words import fixes_of, say
from mahc.ui.panel import PanelChoice, describe_panel
from mahc.ui.reproduce import reading_commands, reading_python
from mahc.ui.server.messages import FileAnswer, MissingAnswer, TableAnswer, Values

PREVIEW = 5
PREVIEW_LINE = 300
ROUNDS = 4  # a fix can reveal the next problem


def describe_table(
    path: Path, name: str, asked: ReadSettings, numbers: str = "auto", panel: PanelChoice | None = None
) -> TableAnswer:
    """The file as it is read with these settings, or why it cannot be; with `panel` as the long table of a panel."""
    RunSettings(numbers=numbers)
    commands = reading_commands(name, _plain(asked), numbers, panel)
    python = reading_python(name, _plain(asked), numbers, panel)
    settings = asked
    try:
        table = _load(str(path), json.dumps(_plain(file_settings(asked)), sort_keys=True))
        if panel is not None:  # whose row it is, and when, are no variables
            aside = [each for each in (panel.subject, panel.time) if each in table.names]
            settings = replace(asked, drop=tuple(dict.fromkeys((*asked.drop, *aside))))
        found = audit_loaded(table.select(settings.kept(table.names)), settings)
    except MahcError as mistake:
        problem = _problem(mistake, path, name)
        return TableAnswer(
            file=_describe_file(path, settings, None),
            audit=None,
            problem=problem,
            missing=None,
            suggested=None,
            commands=commands,
            python=python,
        )
    suggested = _suggest(table, settings, found, panel is not None)
    if suggested is not None:
        added = set(settings.drop) - set(asked.drop)
        suggested = replace(suggested, drop=tuple(each for each in suggested.drop if each not in added))
    missing = _describe_missing(table, found, settings if found.dataset is not None else suggested or settings)
    answer = describe_audit(found)
    columns = tuple(_complete(column, table, settings) for column in answer.columns)
    described, refusal = None, None
    if panel is not None and answer.ok:
        try:
            described = describe_panel(panel, panel.open(path, asked))
            answer = with_fields(answer, conclusion=f"{described.size}: can be used")
        except MahcError as mistake:
            refusal = _problem(mistake, path, name)
            answer = with_fields(answer, ok=False, conclusion="The rows cannot be used as times of subjects yet.")
    return TableAnswer(
        file=_describe_file(path, settings, table),
        audit=_without_paths(with_fields(answer, columns=columns), str(path), name),
        problem=refusal,
        missing=missing,
        suggested=None if suggested is None else {**_plain(suggested), **_panel_values(panel)},
        commands=commands,
        python=python,
        panel=described,
    )


def _problem(mistake: MahcError, path: Path, name: str) -> Remark:
    return Remark(text=say(mistake).replace(str(path), name), serious=True, fixes=fixes_of(mistake.message))


def _panel_values(panel: PanelChoice | None) -> Values:
    return {} if panel is None else {"panel": to_plain(panel)}


@lru_cache(maxsize=2)
def _load(path: str, reading: str) -> SourceTable:
    source = Path(path)
    return load(source, keep_applicable(source, ReadSettings(**json.loads(reading))))


def _plain(settings: ReadSettings) -> Values:
    return dict(record_reading(settings, ()).settings)


def _describe_file(path: Path, settings: ReadSettings, table: SourceTable | None) -> FileAnswer:
    ending = path.suffix.lower()
    kind = "text" if is_text_file(path) else "sheet" if ending in SPREADSHEET_ENDINGS else "columns"
    kind = "statistics" if ending in STATISTICS_ENDINGS else kind
    sheets: tuple[str, ...] = ()
    if kind == "sheet":
        try:
            sheets = tuple(sheet_names(path))
        except MahcError:
            sheets = ()
    if table is None:
        return FileAnswer(kind=kind, sheets=sheets, lines=_first_lines(path, settings) if kind == "text" else ())
    first = [[None if value is None else label(value) for value in column.first(PREVIEW)] for column in table.columns]
    note = next((note.message for note in table.notes if note.kind == "delimiter"), "")
    separator = next((name for name in DELIMITERS if f"by {name} " in note), None)
    return FileAnswer(
        kind=kind, sheets=sheets, names=table.names, rows=tuple(zip(*first, strict=True)), separator=separator
    )


def _first_lines(path: Path, settings: ReadSettings) -> tuple[str, ...]:
    """The first lines of a text that cannot be taken apart yet."""
    try:
        with path.open("rb") as stream:
            head = stream.read(PREVIEW * PREVIEW_LINE * 4)
    except OSError:
        return ()
    text = head.decode("utf-8" if is_utf8(settings.encoding) else settings.encoding, "replace")
    return tuple(line[:PREVIEW_LINE] for line in text.splitlines()[: PREVIEW + 1])


def _complete(column: ColumnAnswer, table: SourceTable, settings: ReadSettings) -> ColumnAnswer:
    """The entry of a column with what only its source has: the numbers before they are cut, examples of values."""
    source = table.columns[table.names.index(column.name)]
    examples = tuple(label(value)[:40] for value in source.first(50) if value is not None)
    shown = with_fields(column, examples=tuple(dict.fromkeys(examples))[:3])
    if column.cuts is None and column.level != "nominal" and not column.refused:
        return shown
    numbers = _numbers_of(source, column.name, settings)
    known = None if numbers is None else numbers[~np.isnan(numbers)]
    if known is None or len(np.unique(known)) < 2:
        return shown
    return with_fields(shown, histogram=Continuous(known).summary(None)["histogram"])


def _numbers_of(column: object, name: str, settings: ReadSettings) -> Any:
    """The numbers of a column that has nothing else, NaN where one is missing; None for other columns."""
    if isinstance(column, NumberColumn):
        return np.where(settings.missing_numbers(column.numbers, name), np.nan, column.numbers)
    if not isinstance(column, LabelColumn):
        return None
    found = []
    for value in column.values:
        missing = settings.is_missing(value, name)
        text = settings.parse_number(value) if isinstance(value, str) else parse_number(value)
        if text is None and not missing:
            return None
        found.append(np.nan if missing or text is None else float(text))
    numbers = np.array(found, np.float64)
    return numbers[column.codes] if np.isfinite(numbers[~np.isnan(numbers)]).all() else None


def _describe_missing(table: SourceTable, found: Audit, settings: ReadSettings) -> MissingAnswer | None:
    """How much is missing, and the method to use; None where nothing is, or other problems come first."""
    if not any(column.missing for column in found.columns):
        return None
    usable = replace(settings, missing="impute")
    try:
        data = audit_loaded(table.select(usable.kept(table.names)), usable).dataset
        described = None if data is None else describe_missingness(data.state_as_missing())
    except DataError:
        return None  # a column without any value, which the audit reports
    if described is None:
        return None
    return MissingAnswer(
        sentences=tuple(described.sentences()), recommended=described.recommended, reason=described.reason
    )


def _suggest(table: SourceTable, settings: ReadSettings, found: Audit, is_panel: bool) -> ReadSettings | None:
    """The settings with all recommended fixes; None where there is nothing to fix, or fixes do not suffice."""
    better = settings
    for _ in range(ROUNDS):
        try:
            more = apply_remedies(better, found)
            if more == better:
                break
            better = more
            found = audit_loaded(table.select(better.kept(table.names)), better)
        except MahcError:
            return None
    if found.problems:
        return None
    if settings.missing == "error" and better.missing != "error":
        described = None if is_panel else _describe_missing(table, found, better)
        usual = "drop" if is_panel else "impute"  # a panel leaves out windows that lack a value
        better = replace(better, missing=usual if described is None else described.recommended)
    return None if better == settings else better


def _without_paths(answer: AuditAnswer, path: str, name: str) -> AuditAnswer:
    notes = tuple(note.replace(path, name) for note in answer.notes)
    return with_fields(answer, notes=notes)
