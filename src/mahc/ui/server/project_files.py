"""Project files (.mahc): a ZIP of JSON and the data, written and read; nothing in it is executed."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import IO

from msgspec.structs import replace

from mahc.documents import from_plain, parse_json, to_plain
from mahc.errors import FormatError, MahcError
from mahc.plurals import count
from mahc.ui.server.store import PROJECT, PROJECT_FILE, SavedProject

MAX_ENTRIES = 5_000
MAX_PROJECT = 2**26  # bytes of project.json
_BLOCK = 2**20
_NAME = re.compile(r"project\.json|data[.\w]{0,16}|run-[1-9]\d{0,8}/result\.json")


def write_project_file(path: Path, saved: SavedProject, folder: Path, data: Path | None) -> None:
    """Write a project into one file; without `data` the rows stay out of it."""
    name = None if data is None else f"data{''.join(data.suffixes)[-12:]}"
    kept = replace(saved, path=None, file=name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(PROJECT_FILE, json.dumps(PROJECT.stamp(to_plain(kept)), allow_nan=False))
        for run in saved.runs:
            archive.write(folder / f"run-{run.number}/result.json", f"run-{run.number}/result.json")
        if data is not None and name is not None:
            archive.write(data, name)


def unpack_project_file(path: Path, folder: Path, limit: int) -> SavedProject:
    """Unpack a project file into an empty folder; refuse other files, other versions, and more than `limit` bytes."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _unpack(archive, folder, limit)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as problem:
        if isinstance(problem, MahcError):
            raise
        raise FormatError(f"this is not a project file of mahc: {PROJECT.expected}", "the file") from None


def _unpack(archive: zipfile.ZipFile, folder: Path, limit: int) -> SavedProject:
    entries = archive.infolist()
    names = [entry.filename for entry in entries]
    if PROJECT_FILE not in names:
        raise FormatError(f"this is not a project file of mahc: {PROJECT.expected}", "the file")
    if len(entries) > MAX_ENTRIES or len(set(names)) < len(names):
        raise FormatError(f"holds {count(len(entries), 'part')}, some twice or too many: {PROJECT.again}", "the file")
    odd = next((name for name in names if not _NAME.fullmatch(name)), None)
    if odd is not None:
        raise FormatError(f"holds '{odd[:60]}', which is no part of a project: {PROJECT.again}", "the file")
    left = limit
    for entry in entries:
        most = min(left, MAX_PROJECT) if entry.filename == PROJECT_FILE else left
        target = folder / entry.filename
        target.parent.mkdir(exist_ok=True)
        with archive.open(entry) as source, target.open("wb") as file:
            left -= _copy(source, file, most)
    text = (folder / PROJECT_FILE).read_text(encoding="utf-8")
    found = PROJECT.check(parse_json(text, "the file"), "the file")
    with PROJECT.refusing_damage("the file"):
        saved: SavedProject = from_plain(found, SavedProject)
        if saved.file is not None and not (folder / saved.file).is_file():
            raise ValueError("the data are not in it")
        if any(not (folder / f"run-{run.number}" / "result.json").is_file() for run in saved.runs):
            raise ValueError("a run is not in it")
    return saved


def _copy(source: IO[bytes], file: IO[bytes], most: int) -> int:
    """Copy a part; what a ZIP says of its size may be wrong."""
    done = 0
    while block := source.read(_BLOCK):
        done += len(block)
        if done > most:
            raise FormatError("unpacks to more than the upload limit allows: start `mahc ui` with a larger one", "it")
        file.write(block)
    return done
