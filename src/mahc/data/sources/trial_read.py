"""Reading files in a helper process first, so that a damaged one cannot end the user's process.

A damaged Arrow file can make polars abort the process or wait for ever: its lengths are not checked before memory is
requested. Parquet files bring their own checksums and lengths and are refused by polars without that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mahc.errors import FormatError

BASE_SECONDS = 60.0
SECONDS_PER_FILE = 0.1
BYTES_PER_SECOND = 5e6
SPARE_BYTES = 4 << 30  # beside what the file itself says: compressed columns grow
GROWTH = 100
MOST_REMEMBERED = 100_000

# Only polars is loaded: the process reads every column of every file, and says in one line of JSON for each file
# whether it can, or why it cannot. The file that it has no line for is the one that ended it.
_PROGRAM = """
import glob, json, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]),) * 2)
except (ImportError, ValueError, OSError):
    pass
import polars
for file in json.load(sys.stdin):
    said = None
    try:
        for name in polars.read_ipc_schema(file):
            polars.read_ipc(glob.escape(file), columns=[name])
    except BaseException as problem:
        said = (str(problem).splitlines() or [type(problem).__name__])[0]
    print(json.dumps(said), flush=True)
    if said is not None:
        break
"""
_tried: set[tuple[str, int, int]] = set()  # files that were read, by path, size and time of change


def try_arrow(*paths: Path) -> None:
    """Read Arrow files in one helper process; a FormatError where one fails, however it fails.

    A file that was read before, and has not changed since, is not read again.
    """
    marks = {path: _mark(path) for path in paths}
    waiting = [path for path, mark in marks.items() if mark not in _tried]
    if not waiting or not sys.executable:  # embedded: there is no interpreter to start
        return
    sizes = [marks[path][1] for path in waiting]
    allowed = BASE_SECONDS + SECONDS_PER_FILE * (len(waiting) - 1) + sum(sizes) / BYTES_PER_SECOND
    ended = ""
    import subprocess

    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(SPARE_BYTES + GROWTH * max(sizes))],
            input=json.dumps([str(path) for path in waiting]).encode("utf-8"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=allowed,
            check=False,
        )
        answers = _answers(done.stdout)
        if done.returncode < 0:
            ended = f"reading it ended a helper process by signal {-done.returncode}"
    except subprocess.TimeoutExpired as problem:
        answers, ended = _answers(problem.stdout), "reading it does not end"
    except OSError:  # no process can be started: read without the trial
        return
    for path, said in zip(waiting, answers, strict=False):
        if said is not None:
            raise _damaged(path, said)
        if len(_tried) < MOST_REMEMBERED:
            _tried.add(marks[path])
    if ended and len(answers) < len(waiting):
        raise _damaged(waiting[len(answers)], ended)


def _mark(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path.absolute()), found.st_size, found.st_mtime_ns


def _answers(output: bytes | None) -> Sequence[str | None]:
    """What was said about each file; a line that was not written to its end counts as none."""
    return [json.loads(line) for line in (output or b"").split(b"\n")[:-1]]


def _damaged(path: Path, said: str) -> FormatError:
    return FormatError(f"the file is damaged or cut off ({said}): copy or save it again", path)
