"""Reading whole files that anybody may have made: never more than a limit, never a device or a pipe."""

from __future__ import annotations

import errno
import io
import os
import stat

from mahc.errors import FormatError

PathLike = str | os.PathLike[str]
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_bounded(path: PathLike, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes.

    A folder, a pipe, a device (such as /dev/zero) or a larger file is a FormatError, without waiting and without
    reading it. What `open` raises is raised here too: an OSError.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.txt").write_bytes(b"abc")
    ...     read_bounded(Path(folder) / "a.txt", 3)
    b'abc'
    """
    try:
        _check(os.stat(path), path, limit)
        descriptor = os.open(path, os.O_RDONLY | _NO_WAITING)
    except ValueError as problem:  # a zero character in the name
        raise OSError(errno.EINVAL, str(problem)) from None
    with open(descriptor, "rb") as stream:
        _check(os.fstat(stream.fileno()), path, limit)  # the name may have changed hands since
        content = stream.read(limit + 1)
    if len(content) > limit:  # it grows, or says of itself that it is empty, as those in /proc do
        raise _too_large(path, f"more than {limit:,}", limit)
    return content


def read_bounded_text(path: PathLike, limit: int, encoding: str = "utf-8") -> str:
    r"""The text of such a file, with line ends as \n; a UnicodeDecodeError where it is not in this encoding."""
    return io.TextIOWrapper(io.BytesIO(read_bounded(path, limit)), encoding=encoding).read()


def exists(path: PathLike) -> bool:
    """Whether there is something of this name; a name that no file can have is not there."""
    return _mode(path) is not None


def is_file(path: PathLike) -> bool:
    """Whether this is a regular file."""
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: PathLike) -> bool:
    """Whether this is a folder."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def _mode(path: PathLike) -> int | None:
    # Path.is_dir and the like raise for names that are too long.
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


def _check(status: os.stat_result, path: PathLike, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise FormatError("the file cannot be read: it is a folder, name a file", path)
    if not stat.S_ISREG(status.st_mode):
        kind = "pipe" if stat.S_ISFIFO(status.st_mode) else "device or socket"
        raise FormatError(f"the file cannot be read: it is a {kind}, save its content in a file", path)
    if status.st_size > limit:
        raise _too_large(path, f"{status.st_size:,}", limit)


def _too_large(path: PathLike, size: str, limit: int) -> FormatError:
    return FormatError(f"the file is too large: its size in bytes is {size}, the limit is {limit:,}", path)
