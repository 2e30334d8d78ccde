"""What the server holds: data sets and runs, in a working folder of its own."""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mahc.documents import to_plain
from mahc.errors import DataError, UnknownNameError
from mahc.ui.server.messages import DataAnswer

MAX_NAME = 120
ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".parquet", ".arrow", ".feather")


@dataclass
class DataSource:
    """Data that can be learned from: an uploaded file, the sample, or the file named on the command line."""

    id: str
    name: str
    path: Path

    @property
    def bytes(self) -> int | None:
        """The size of the file; None where it is gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return None

    def require_file(self) -> DataSource:
        """These data, unless their file is gone."""
        if self.bytes is None:
            raise DataError(f"the file of '{self.name}' is no longer there: choose the file again")
        return self

    def describe(self) -> dict[str, Any]:
        """As plain values, without the path."""
        plain: dict[str, Any] = to_plain(DataAnswer(id=self.id, name=self.name, bytes=self.bytes))
        return plain


@dataclass
class RunEntry:
    """A finished run with what it was learned from."""

    number: int
    source: DataSource
    reading: dict[str, Any]
    folder: Path
    summary: dict[str, Any]
    when: str

    def describe(self) -> dict[str, Any]:
        """As plain values, without the path."""
        return {
            "id": self.number,
            "data": self.source.id,
            "name": self.source.name,
            "reading": self.reading,
            "when": self.when,
            **self.summary,
        }


class Store:
    """Data sets and runs by their numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sources: dict[str, DataSource] = {}
        self.runs: dict[int, RunEntry] = {}
        self._numbers = itertools.count(1)
        self._folders = itertools.count(1)

    def add_file(self, path: Path, name: str) -> DataSource:
        """Register a file that is there already."""
        source = DataSource(f"d{next(self._numbers)}", name, path)
        self.sources[source.id] = source
        return source

    def place_upload(self, name: str) -> tuple[Path, str]:
        """Where to write an upload, and the name to show; nothing of the given name but its ending is in the path."""
        shown = clean_name(name)
        ending = next((each for each in sorted(ENDINGS, key=len, reverse=True) if shown.lower().endswith(each)), "")
        return self.new_folder("upload") / f"data{ending or Path(shown).suffix[:12].lower()}", shown

    def new_folder(self, kind: str) -> Path:
        """A new folder in the working folder."""
        place = self.folder / f"{kind}-{next(self._folders)}"
        place.mkdir(parents=True)
        return place

    def add_run(self, source: DataSource, reading: dict[str, Any], folder: Path, summary: dict[str, Any]) -> int:
        """Add a finished run to the history."""
        number = len(self.runs) + 1
        when = time.strftime("%H:%M:%S")
        self.runs[number] = RunEntry(number, source, reading, folder, summary, when)
        return number

    def source(self, id_: str) -> DataSource:
        """The data of this id, whose file is there."""
        if id_ not in self.sources:
            raise UnknownNameError("data", id_[:40], list(self.sources))
        return self.sources[id_].require_file()

    def run(self, number: int) -> RunEntry:
        """The run of this number."""
        if number not in self.runs:
            raise UnknownNameError("run", str(number)[:40], [str(each) for each in self.runs])
        return self.runs[number]


def clean_name(name: str) -> str:
    r"""The last part of a name, without control characters.

    >>> clean_name("../../etc/passwd"), clean_name("C:\\data\\covid.csv")
    ('passwd', 'covid.csv')
    """
    last = re.split(r"[\\/]", name)[-1]
    shown = "".join(letter for letter in last if letter.isprintable())[-MAX_NAME:]
    return shown.strip(". ") or "data"
