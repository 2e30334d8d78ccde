"""Writing files so that a reader finds the old one or the new one whole, never a part."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mahc.errors import FormatError

Content = str | bytes


def write_atomically(path: str | Path, content: Content) -> None:
    """Write a file beside its place, then rename it there; texts are UTF-8 and keep their line ends.

    >>> folder = tempfile.TemporaryDirectory()
    >>> write_atomically(Path(folder.name) / "arcs.csv", "from,to\\n")
    >>> (Path(folder.name) / "arcs.csv").read_text()
    'from,to\\n'
    >>> folder.cleanup()
    """
    goal = Path(path)
    write_all(goal.parent, {goal.name: content})


def write_all(folder: str | Path, contents: Mapping[str, Content]) -> None:
    """Write several files into a folder, all of them or, on a failure, none.

    A folder that is not there yet appears with all its files at once. In one that is, everything is on the disk
    under temporary names before the first is renamed, in the order given, so a full disk, a missing right or an
    interrupt leaves the old files as they were; only a kill between two renames shows new files beside old ones.
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
    waiting: dict[Path, Path] = {}
    try:
        for name, content in contents.items():
            waiting[place / name] = _write_beside(place / name, content)
        for goal in list(waiting):
            os.replace(waiting[goal], goal)
            del waiting[goal]
    finally:
        for left in waiting.values():
            left.unlink(missing_ok=True)


def _write_new(place: Path, contents: Mapping[str, Content]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name[:80]}.", suffix=".part", dir=place.parent))
    try:
        _write_into(beside, contents)
        beside.chmod(0o777 & ~_mask())
        try:
            os.rename(beside, place)
        except OSError:
            if not place.is_dir():
                raise
            _write_into(place, contents)  # somebody made the folder meanwhile
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write_beside(goal: Path, content: Content) -> Path:
    data = content.encode("utf-8") if isinstance(content, str) else content
    handle, name = tempfile.mkstemp(prefix=f".{goal.name[:80]}.", suffix=".part", dir=goal.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _usual_mode(goal))
    except BaseException:
        os.unlink(name)
        raise
    return Path(name)


def _usual_mode(goal: Path) -> int:
    # mkstemp makes private files; the file written is to have the rights of the old one, or the usual ones.
    try:
        return goal.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0o666 & ~_mask()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
