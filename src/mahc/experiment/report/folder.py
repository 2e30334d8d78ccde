"""The folder of a report: written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mahc.errors import SettingError

MARK = ".mahc-report"
MARK_TEXT = "written by mahc experiment report\n"


def write_folder(out: Path, texts: Mapping[str, str]) -> None:
    """Put these files into the folder, in place of an older report; anything else there is refused."""
    out = Path(os.path.abspath(out))
    _check(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    try:
        _fill(fresh, texts)
        _exchange(fresh, out)
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _check(out: Path) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SettingError(f"the report's folder '{out}' is a file or a link: name a folder")
    if out.is_dir() and not (out / MARK).is_file() and any(out.iterdir()):
        raise SettingError(f"the folder '{out}' holds other things than a report: name a new or an empty folder")


def _fill(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in {**texts, MARK: MARK_TEXT}.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    folder.chmod(0o755)  # a temporary folder is its owner's alone


def _exchange(fresh: Path, out: Path) -> None:
    if not out.exists():
        os.rename(fresh, out)
        return
    # No system renames a folder over a full one: the old report steps aside, and comes back if the new one cannot.
    aside = Path(tempfile.mkdtemp(prefix=f".{out.name}.old.", dir=out.parent)) / "report"
    os.rename(out, aside)
    try:
        os.rename(fresh, out)
    except OSError:
        os.rename(aside, out)
        os.rmdir(aside.parent)
        raise
    shutil.rmtree(aside.parent, ignore_errors=True)
