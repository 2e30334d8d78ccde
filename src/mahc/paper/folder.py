"""The folder of a report: written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mahc.errors import SettingError
from mahc.files import temporary_folder

MARK = ".mahc-report"
MARK_TEXT = "written by mahc experiment report"
IGNORED = (".DS_Store", "Thumbs.db", "desktop.ini")  # file managers leave these


def write_folder(out: Path, texts: Mapping[str, str]) -> None:
    """Put these files into the folder, in place of an older report; anything else there is refused."""
    out = Path(os.path.abspath(out))
    try:
        _check(out, texts)
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = temporary_folder(out)
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    try:
        _fill(fresh, texts)
        _exchange(fresh, out)
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _check(out: Path, texts: Mapping[str, str]) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SettingError(f"the report's folder '{out}' is a file or a link: name a folder")
    if out.is_dir() and not (out / MARK).is_file() and any(out.iterdir()):
        raise SettingError(f"the folder '{out}' has other files than a report: name a new or an empty folder")
    if (out / MARK).is_file() and (others := _others(out, texts)):
        raise SettingError(
            f"the report in '{out}' cannot be replaced, because '{others[0]}' in it is not part of a report: "
            "move that file, or name a new folder"
        )


def _others(out: Path, texts: Mapping[str, str]) -> list[str]:
    """Files in a report's folder that no report wrote, and that would be lost."""
    written = {MARK, *texts, *(out / MARK).read_text(encoding="utf-8", errors="replace").splitlines()}
    found = (file for file in out.rglob("*") if file.is_symlink() or not file.is_dir())
    names = (file.relative_to(out).as_posix() for file in found if file.name not in IGNORED)
    return sorted(name for name in names if name not in written)


def _fill(folder: Path, texts: Mapping[str, str]) -> None:
    mark = "\n".join([MARK_TEXT, *sorted(texts), ""])
    for name, text in {**texts, MARK: mark}.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def _exchange(fresh: Path, out: Path) -> None:
    if not out.exists():
        os.rename(fresh, out)
        return
    # A folder cannot be renamed onto one with files: move the old report aside, and back if the new one fails.
    # It is not a temporary file: after a kill at this moment nothing else is left.
    aside = Path(tempfile.mkdtemp(prefix=f".{out.name[:40]}.old.", dir=out.parent)) / "report"
    os.rename(out, aside)
    try:
        os.rename(fresh, out)
    except OSError:
        os.rename(aside, out)
        os.rmdir(aside.parent)
        raise
    shutil.rmtree(aside.parent, ignore_errors=True)
