"""Temporary names beside their target, with the process in them, so that those of killed processes can be removed.

Files and folders are created with the usual permissions, which the system restricts by the umask. Reading the umask
would mean setting it for a moment, for all threads of the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
from pathlib import Path

SUFFIX = ".part"
_NAME_LETTERS = 40  # of up to four bytes; a file name has at most 255
_PATTERN = re.compile(r"\..*\.([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}\.part")


def temporary_path(target: Path) -> Path:
    """A new name beside the target.

    >>> temporary_path(Path("arcs.csv")).name.startswith(".arcs.csv.")
    True
    """
    owner = f"{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"
    return target.parent / f".{target.name[:_NAME_LETTERS]}.{owner}{SUFFIX}"


def temporary_folder(target: Path) -> Path:
    """A new empty folder beside the target; what killed processes left there is removed."""
    remove_stale(target.parent)
    place = temporary_path(target)
    place.mkdir()
    return place


def remove_stale(folder: Path) -> None:
    """Remove temporary files and folders of processes of this machine that no longer run."""
    if os.name != "posix":  # elsewhere os.kill ends the process instead of looking for it
        return
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            made = _PATTERN.fullmatch(entry.name) if entry.name.endswith(SUFFIX) else None
            if made and made[1] == _machine() and not _runs(int(made[2])):
                _remove(entry)


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)


def _machine() -> str:
    # Process numbers mean nothing on another machine that shares the disk.
    import socket

    return hashlib.sha256(socket.gethostname().encode("utf-8", "replace")).hexdigest()[:8]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
