"""The options that say how data are read, and reading with them, for every command that reads data."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from mahc.cli.options.data_options import Options, plain_texts, with_options
from mahc.cli.options.groups import DATA, argument
from mahc.cli.printing import tell
from mahc.cli.progress import is_terminal, passes_line, rewriting_line
from mahc.cli.spelling import CommandLineSpelling
from mahc.cli.usage import STDIN
from mahc.cluster import CompactRows, ShardedRows
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.prepare.audit import DISCRETE_ONLY
from mahc.data.prepare.notes import Note, enumerate_some
from mahc.data.reading import keep_applicable
from mahc.data.reading_record import ReadingRecord
from mahc.data.sources.queries import Query
from mahc.data.watching import watched_by
from mahc.errors import Mention, SettingError
from mahc.files import Address
from mahc.learning.control import Control, Progress
from mahc.opening import Report, Watcher, open_rows
from mahc.plurals import count
from mahc.settings import declarations
from mahc.sources import find_data

_SHOWN = 5
_ENDINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x1f\x8b": ".csv.gz"}
DATA_HELP = (
    "CSV, TSV or TXT (also .gz), Parquet, Arrow, Excel, SPSS, Stata or SAS file, also at an address (s3://, gs://, "
    "az://, https://); - for standard input; or the name of a shipped sample: asia."
)
DataArgument = Annotated[Path, argument("DATA", DATA_HELP)]


@with_options(lambda: plain_texts(declarations(ReadSettings)), DATA)
class ReadingOptions(Options):
    """How data are read."""

    def settings(self) -> ReadSettings:
        """The options as the settings of `mahc.read`."""
        return ReadSettings(**self.given())  # type: ignore[arg-type]

    def settings_like(
        self,
        record: ReadingRecord | None,
        data: Path | Address | Query,
        names: Sequence[str] | None = None,
        instead: Collection[str] = (),
    ) -> ReadSettings:
        """The settings that a result records, where it does; other options are refused."""
        if record is None:
            return self.settings()
        return keep_applicable(data, record.restore(self.given(), names, instead))


def find_input(data: str | Path | Address) -> Path | Address:
    """The file of DATA: a path, an address, a shipped sample, or `-`: standard input, kept in a file until the end."""
    return _keep_stdin() if str(data) == STDIN else find_data(data)


@cache
def _keep_stdin() -> Path:
    if sys.stdin is None or sys.stdin.isatty():
        raise SettingError("DATA is '-', standard input, which is a terminal: pipe the data in, or name a file")
    folder = tempfile.mkdtemp(prefix="mahc-stdin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    head = sys.stdin.buffer.read(8)
    path = Path(folder) / ("stdin" + next((end for magic, end in _ENDINGS.items() if head.startswith(magic)), ".csv"))
    with path.open("wb") as file:
        file.write(head)
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


class Terminal(Watcher):
    """Lines on the terminal while data are opened, and the notes on them."""

    def __init__(self, control: Control | None = None) -> None:
        # The warnings are printed here; without a handler Python would print the logged ones once more.
        logging.getLogger("mahc.data").addHandler(logging.NullHandler())
        self._control = control or Control()

    def tell(self, sentence: str) -> None:
        """Tell it on stderr."""
        tell(sentence)

    @contextlib.contextmanager
    def reading(self, data: object) -> Iterator[None]:
        """A line of progress, and what is left of the time limit."""
        left = self._control.seconds_left()
        with reading_line(max(1e-6, left) if left < 1e17 else None), quiet_stderr(data):
            yield

    def passes(self) -> contextlib.AbstractContextManager[Report]:
        """A bar for the passes."""
        return passes_line()

    def query(self) -> contextlib.AbstractContextManager[Callable[[str], None] | None]:
        """A line that shows how many rows there are so far."""
        if not is_terminal():
            return contextlib.nullcontext()
        return rewriting_line(lambda text, width: text[: max(0, width - 1)])

    def opened(self, found: Dataset | CompactRows | ShardedRows) -> None:
        """How many rows there are in pieces, what was decided, and the warnings."""
        if isinstance(found, CompactRows):
            kept = f"{found.distinct.rows:,} of them distinct: these are kept in memory"
            tell(f"{count(found.rows, 'row')} in pieces, {kept}")
        elif isinstance(found, ShardedRows) and found.counts_only:
            tell(f"{count(found.rows, 'row')} in pieces, counted in passes")
        elif isinstance(found, ShardedRows):
            tell(f"{count(found.rows, 'row')} in pieces, too many of them distinct for the memory: counted in passes")
        tell_notes(found.notes)


def load_dataset(
    data: Path | Address | Query,
    settings: ReadSettings,
    time_limit: float | None = None,
    kinds: frozenset[Kind] = DISCRETE_ONLY,
) -> Dataset:
    """Open the rows; warnings go to stderr, one line each, and refusals are raised."""
    control = Control(time_limit)
    return open_rows(data, settings, control=control, kinds=kinds, watcher=Terminal(control))


@contextlib.contextmanager
def reading_line(time_limit: float | None = None) -> Iterator[None]:
    """While data are read: a line of progress on a terminal, and the time limit."""
    line = rewriting_line(_write_reading) if is_terminal() else contextlib.nullcontext()
    with line as show, watched_by(Control(time_limit, show).watch_reading):
        yield


def _write_reading(progress: Progress, width: int) -> str:
    return f"reading, {progress.detail}, {progress.seconds:.1f} s"[: max(0, width - 1)]


def tell_notes(notes: Sequence[Note]) -> None:
    """What was decided while data were read, and the warnings, on stderr."""
    _tell_discretised(notes)
    warnings = [note for note in notes if note.warning]
    for warning in warnings[:_SHOWN]:
        tell(f"warning: {warning.as_message().render(CommandLineSpelling())}")
    if len(warnings) > _SHOWN:
        more = len(warnings) - _SHOWN
        tell(f"warning: {more} more; 'mahc audit' with the same options lists all")


def words_for(settings: ReadSettings) -> list[str]:
    """The options that stand for settings of reading, as words."""
    given = [name for name, declared in ReadingOptions.declared.items() if declared.differs(settings)]
    return [word for name in given for word in CommandLineSpelling().words(Mention(name, getattr(settings, name)))]


def _tell_discretised(notes: Sequence[Note]) -> None:
    """What was cut into intervals, column by column, and what a rule for all columns left as it is."""
    cut = [note for note in notes if note.kind == "discretised"]
    left = [note for note in notes if note.kind == "not-discretised"]
    for note in cut[:_SHOWN]:
        tell(f"note: {note.sentence()}")
    if len(cut) > _SHOWN:
        more = len(cut) - _SHOWN
        tell(f"note: intervals for {count(more, 'more column')}; 'mahc audit' with the same options lists all")
    if left:
        shown = enumerate_some([f"'{note.column}' ({count(int(note.numbers[0]), 'state')})" for note in left], _SHOWN)
        tell(f"note: columns of whole numbers left as they are: {shown}")


@contextlib.contextmanager
def quiet_stderr(data: object) -> Iterator[None]:
    """Keep stderr to ourselves while a Parquet or Arrow file is read.

    On some damaged files the reader underneath prints a Rust backtrace before it raises; the user gets our
    sentence alone.
    """
    from mahc.data.sources.column_files import COLUMN_FILE_ENDINGS

    if not isinstance(data, Path) or data.suffix.lower() not in COLUMN_FILE_ENDINGS:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
