"""Writing files so that a reader finds the old one or the new one whole, never a part."""

from __future__ import annotations

import os
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
    """Write several files into a folder (made where absent), all of them or, on a failure, none.

    Everything is on the disk under temporary names before the first is renamed, so a full disk, a missing
    right or an interrupt leaves the old files as they were; only a rename that fails midway is not undone.
    """
    place = Path(folder)
    goals = {name: place / name for name in contents}
    for name, goal in goals.items():
        if goal.name != name:
            raise FormatError(f"'{name}' is not a plain file name", place)
        if goal.is_dir():
            raise FormatError("a folder has this name: choose another file name", goal)
    waiting: dict[Path, Path] = {}
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            waiting[goals[name]] = _write_beside(goals[name], content)
        for goal in list(waiting):
            os.replace(waiting[goal], goal)
            del waiting[goal]
    except OSError as problem:
        raise FormatError(f"cannot be written: {problem.strerror or problem}", place) from None
    finally:
        for left in waiting.values():
            left.unlink(missing_ok=True)


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
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
