"""Reading a file in a helper process first, so that a damaged one cannot end the user's process.

A damaged Arrow file can make polars abort the process or wait for ever: its lengths are not checked before memory is
requested. Parquet files bring their own checksums and lengths and are refused by polars without that.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mahc.errors import FormatError

BASE_SECONDS = 60.0
BYTES_PER_SECOND = 5e6
SPARE_BYTES = 4 << 30  # beside what the file itself says: compressed columns grow
GROWTH = 100

# Only polars is loaded: the process reads every column, and says in one line why it cannot.
_PROGRAM = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]),) * 2)
except (ImportError, ValueError, OSError):
    pass
import polars
try:
    for name in polars.read_ipc_schema(sys.argv[1]):
        polars.read_ipc(sys.argv[1], columns=[name])
except BaseException as problem:
    print((str(problem).splitlines() or [type(problem).__name__])[0])
    sys.exit(3)
"""
_REFUSED = 3


def try_arrow(path: Path) -> None:
    """Read an Arrow file in a helper process; a FormatError where that fails, however it fails."""
    if not sys.executable:  # embedded: there is no interpreter to start
        return
    size = path.stat().st_size
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(path), str(SPARE_BYTES + GROWTH * size)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=BASE_SECONDS + size / BYTES_PER_SECOND,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _damaged(path, "reading it does not end") from None
    except OSError:  # no process can be started: read without the trial
        return
    if done.returncode == _REFUSED:
        raise _damaged(path, done.stdout.decode("utf-8", "replace").strip() or "no reason given")
    if done.returncode < 0:
        raise _damaged(path, f"reading it ended a helper process by signal {-done.returncode}")


def _damaged(path: Path, said: str) -> FormatError:
    return FormatError(f"the file is damaged or cut off ({said}): copy or save it again", path)
