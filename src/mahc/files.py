"""Atomic writing: a reader sees the old file or the complete new one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mahc.errors import FormatError

Content = str | bytes


def write_atomically(path: str | Path, content: Content) -> None:
    """Write a file under a temporary name, then rename it; text is encoded as UTF-8 with its line ends unchanged.

    >>> folder = tempfile.TemporaryDirectory()
    >>> write_atomically(Path(folder.name) / "arcs.csv", "from,to\\n")
    >>> (Path(folder.name) / "arcs.csv").read_text()
    'from,to\\n'
    >>> folder.cleanup()
    """
    target = Path(path)
    write_all(target.parent, {target.name: content})


def write_all(folder: str | Path, contents: Mapping[str, Content]) -> None:
    """Write several files into a folder: all of them or, after an error, none.

    A new folder appears with all its files at once. In an existing folder, all files are written under temporary
    names before the first is renamed, in the order given. So a full disk, a missing permission or an interrupt
    leaves the old files unchanged; only a kill between two renames leaves new files next to old ones.
    """
    place = Path(folder)
    for name in contents:
        if (place / name).name != name:
            raise FormatError(f"'{name}' is not a plain file name", place)
        if (place / name).is_dir():
            raise FormatError("a folder has this name: choose another file name", place / name)
    try:
        if place.exists():
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
    temporary = Path(tempfile.mkdtemp(prefix=f".{place.name[:80]}.", suffix=".part", dir=place.parent))
    try:
        _write_into(temporary, contents)
        temporary.chmod(0o777 & ~_umask())
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
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _file_mode(target))
    except BaseException:
        os.unlink(name)
        raise
    return Path(name)


def _file_mode(target: Path) -> int:
    # mkstemp makes private files; use the permissions of the old file, or the default ones.
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
