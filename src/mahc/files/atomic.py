"""Atomic writing: a reader sees the old file or the complete new one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from mahc.errors import FormatError
from mahc.files.bounded import exists, is_file, is_folder
from mahc.files.paths import to_path
from mahc.files.temporary import remove_stale, temporary_folder, temporary_path

Content = str | bytes
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_atomically(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file under a temporary name, then rename it; text is encoded as UTF-8 with its line ends unchanged.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> write_atomically(Path(folder.name) / "arcs.csv", "from,to\\n")
    >>> (Path(folder.name) / "arcs.csv").read_text()
    'from,to\\n'
    >>> folder.cleanup()
    """
    target = to_path(path)
    write_all(target.parent, {target.name: content})


def write_all(folder: str | os.PathLike[str], contents: Mapping[str, Content]) -> None:
    """Write several files into a folder: all of them or, after an error, none.

    A new folder appears with all its files at once. In an existing folder, all files are written under temporary
    names before the first is renamed, in the order given. So a full disk, a missing permission or an interrupt
    leaves the old files unchanged; only a kill between two renames leaves new files next to old ones.
    Temporary files that killed processes left in the folder are removed.
    """
    place = to_path(folder)
    for name in contents:
        if (place / name).name != name:
            raise FormatError(f"'{name}' is not a plain file name", place)
        if is_folder(place / name):
            raise FormatError("a folder has this name: choose another file name", place / name)
        if exists(place / name) and not is_file(place / name):
            raise FormatError("is a device or a pipe, which a file would replace: choose another name", place / name)
    try:
        if exists(place):
            remove_stale(place)
            _write_into(place, contents)
        else:
            _write_new(Path(os.path.abspath(place)), contents)
    except OSError as problem:
        raise FormatError(f"cannot be written: {problem.strerror or problem}", place) from None


def _write_into(place: Path, contents: Mapping[str, Content]) -> None:
    temporary: dict[Path, Path] = {}
    try:
        for name, content in contents.items():
            temporary[place / name] = _write_temporary(place / name, content)
        for target in list(temporary):
            os.replace(temporary[target], target)
            del temporary[target]
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)


def _write_new(place: Path, contents: Mapping[str, Content]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_folder(place)
    try:
        _write_into(temporary, contents)
        try:
            os.rename(temporary, place)
        except OSError:
            if not place.is_dir():
                raise
            _write_into(place, contents)  # another process made the folder in the meantime
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _write_temporary(target: Path, content: Content) -> Path:
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = temporary_path(target)
    mode = _mode_of(target)
    try:
        # From the first byte no more open than the file that is replaced; a new one as the umask allows.
        handle = os.open(temporary, _CREATE, 0o666 if mode is None else mode)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _mode_of(target: Path) -> int | None:
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        return None
