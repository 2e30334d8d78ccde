"""Projects: each has data, what a person chose on the page, and runs, in a folder that survives the server."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import field as new_field
from msgspec.structs import replace

from mahc.data.sources.guessing import guess_reading
from mahc.documents import Document, Format, from_plain, read_json, to_plain, write_json
from mahc.errors import DataError, MahcError, UnknownNameError
from mahc.ui.server.messages import DataAnswer, PageState, RunAnswer, Values

MAX_NAME = 120
ENDINGS = (".csv.gz", ".tsv.gz", ".txt.gz")  # of two parts; others are the suffix
PROJECT = Format(
    "mahc-project",
    1,
    "a project of mahc",
    "give a file that the page saved with Share, Project file",
    "save it again",
)
PROJECT_FILE = "project.json"


class SavedRun(Document, frozen=True):
    """A finished run of a project; its result is in the folder run-NUMBER."""

    number: int
    reading: Values
    when: str
    summary: RunAnswer


class SavedProject(Document, frozen=True):
    """What project.json holds; the data are in `file` of the project's folder, or at `path`."""

    name: str
    file: str | None = None
    path: str | None = None
    used: str = ""
    reading: Values = new_field(default_factory=dict)
    state: PageState = PageState()
    runs: tuple[SavedRun, ...] = ()


@dataclass
class Project:
    """Data that can be learned from, with their runs."""

    id: str
    folder: Path
    saved: SavedProject

    @property
    def name(self) -> str:
        """The name of the file, for people."""
        return self.saved.name

    @property
    def path(self) -> Path | None:
        """Where the data are; None where the project came without them."""
        if self.saved.path is not None:
            return Path(self.saved.path)
        return None if self.saved.file is None else self.folder / self.saved.file

    @property
    def bytes(self) -> int | None:
        """The size of the data; None where they are gone."""
        try:
            return None if self.path is None else self.path.stat().st_size
        except OSError:
            return None

    def require_file(self) -> Path:
        """The file of the data, unless it is gone."""
        if self.path is None:
            raise DataError(f"the project '{self.name}' came without its rows: choose the file of its data again")
        if self.bytes is None:
            raise DataError(f"the file of '{self.name}' is no longer there: choose the file again")
        return self.path

    def describe(self) -> DataAnswer:
        """As the page lists it, without the path."""
        return DataAnswer(
            id=self.id,
            name=self.name,
            bytes=self.bytes,
            runs=len(self.saved.runs),
            used=self.saved.used,
            kept=self.saved.path is None,
            reading=self.saved.reading,
            state=self.saved.state,
        )

    def change(self, **values: Any) -> None:
        """Change what is saved, and write it."""
        self.saved = replace(self.saved, **values)
        write_json(self.folder / PROJECT_FILE, PROJECT.stamp(to_plain(self.saved)))


@dataclass
class RunEntry:
    """A finished run with what it was learned from."""

    number: int
    source: Project
    saved: SavedRun
    folder: Path = field(default_factory=Path)

    @property
    def reading(self) -> Values:
        """The settings with which its data were read."""
        return self.saved.reading

    def describe(self) -> Values:
        """As plain values, without the path."""
        return {
            "id": self.number,
            "data": self.source.id,
            "name": self.source.name,
            "reading": self.saved.reading,
            "when": self.saved.when,
            **to_plain(self.saved.summary),
        }


class Store:
    """All projects of a folder, and a folder for what is needed for a moment only."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.folder = folder
        self.work = work
        self.projects: dict[str, Project] = {}
        self.runs: dict[int, RunEntry] = {}
        self._folders = 0
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for place in sorted(folder.glob(f"d*/{PROJECT_FILE}")):
            with contextlib.suppress(MahcError):  # a damaged project stays on the disk and is not listed
                self._take(place.parent, read_saved(place))

    def _take(self, folder: Path, saved: SavedProject) -> Project:
        project = Project(folder.name, folder, saved)
        self.projects[project.id] = project
        runs = []
        for run in saved.runs:
            place = folder / f"run-{run.number}"
            if (place / "result.json").is_file():
                number = run.number if run.number not in self.runs else self._next_run()
                self.runs[number] = RunEntry(number, project, run, place)
                runs.append(run)
        project.saved = replace(saved, runs=tuple(runs))
        return project

    def _next_run(self) -> int:
        return max(self.runs, default=0) + 1

    def latest(self) -> list[Project]:
        """All projects, the last one used first."""
        return sorted(self.projects.values(), key=lambda each: each.saved.used, reverse=True)

    def _new_project(self, saved: SavedProject) -> Project:
        number = 1
        while True:
            place = self.folder / f"d{number}"
            try:
                place.mkdir(mode=0o700)
            except FileExistsError:
                number += 1
                continue
            project = Project(place.name, place, saved)
            project.change(used=now())
            self.projects[project.id] = project
            return project

    def add_file(self, path: Path, name: str) -> Project:
        """A project for a file that stays where it is; one that there is already is taken up again."""
        for project in self.projects.values():
            if project.saved.path == str(path):
                project.change(used=now())
                return project
        return self._new_project(SavedProject(name=name, path=str(path), reading=guess_reading(path)))

    def add_upload(self, path: Path, name: str) -> Project:
        """A project that takes over an uploaded file."""
        project = self._new_project(SavedProject(name=name, file=path.name, reading=guess_reading(path)))
        shutil.move(path, project.folder / path.name)
        return project

    def adopt(self, folder: Path) -> Project:
        """A project from a folder that was checked, such as one from a project file."""
        project = self._new_project(SavedProject(name="project"))
        saved = read_saved(folder / PROJECT_FILE)
        runs = []
        for run in saved.runs:
            number = self._next_run()
            place = project.folder / f"run-{number}"
            shutil.move(folder / f"run-{run.number}", place)
            renumbered = replace(run, number=number)
            self.runs[number] = RunEntry(number, project, renumbered, place)
            runs.append(renumbered)
            if saved.state.run == run.number:
                saved = replace(saved, state=replace(saved.state, run=number))
        if saved.file is not None:
            shutil.move(folder / saved.file, project.folder / saved.file)
        project.saved = replace(saved, runs=tuple(runs), path=None)
        project.change(used=now())
        return project

    def remove(self, id_: str) -> None:
        """Remove a project with its runs; a file that is elsewhere stays."""
        project = self.project(id_)
        del self.projects[project.id]
        self.runs = {number: run for number, run in self.runs.items() if run.source is not project}
        shutil.rmtree(project.folder, ignore_errors=True)

    def place_upload(self, name: str) -> tuple[Path, str]:
        """Where to write an upload, and the name to show; nothing of the given name but its ending is in the path."""
        shown = clean_name(name)
        ending = next((each for each in ENDINGS if shown.lower().endswith(each)), "")
        return self.new_folder("upload") / f"data{ending or Path(shown).suffix[:12].lower()}", shown

    def new_folder(self, kind: str) -> Path:
        """A new folder that is removed when the server ends."""
        self._folders += 1
        place = self.work / f"{kind}-{self._folders}"
        place.mkdir(parents=True)
        return place

    def add_run(self, source: Project, reading: Values, folder: Path, summary: Values) -> int:
        """Add a finished run to its project, and move its files there."""
        number = self._next_run()
        place = source.folder / f"run-{number}"
        while place.exists():  # of another server
            number += 1
            place = source.folder / f"run-{number}"
        shutil.move(folder, place)
        run = SavedRun(number=number, reading=reading, when=now(), summary=from_plain(summary, RunAnswer))
        source.change(runs=(*source.saved.runs, run))
        self.runs[number] = RunEntry(number, source, run, place)
        return number

    def project(self, id_: str) -> Project:
        """The project of this id."""
        if id_ not in self.projects:
            raise UnknownNameError("data", id_[:40], list(self.projects))
        return self.projects[id_]

    def run(self, number: int) -> RunEntry:
        """The run of this number."""
        if number not in self.runs:
            raise UnknownNameError("run", str(number)[:40], [str(each) for each in self.runs])
        return self.runs[number]


def read_saved(path: Path) -> SavedProject:
    """What a project.json holds; a FormatError where it is damaged or of another version."""
    found = PROJECT.check(read_json(path, PROJECT.expected), path)
    with PROJECT.refusing_damage(path):
        saved: SavedProject = from_plain(found, SavedProject)
        numbers = [run.number for run in saved.runs]
        if len(set(numbers)) < len(numbers) or any(number < 1 for number in numbers):
            raise ValueError("a run has no number of its own")
        if saved.file is not None and not re.fullmatch(r"data[.\w]{0,16}", saved.file):
            raise ValueError("the name of the data's file is not one that mahc gives")
    return saved


def now() -> str:
    """The time, as projects and runs keep it; it sorts as text."""
    return time.strftime("%Y-%m-%d %H:%M:%S")


def clean_name(name: str) -> str:
    r"""The last part of a name, without control characters.

    >>> clean_name("../../etc/passwd"), clean_name("C:\\data\\covid.csv")
    ('passwd', 'covid.csv')
    """
    last = re.split(r"[\\/]", name)[-1]
    shown = "".join(letter for letter in last if letter.isprintable())[-MAX_NAME:]
    return shown.strip(". ") or "data"
