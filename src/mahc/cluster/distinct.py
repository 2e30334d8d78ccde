"""The distinct rows of files in pieces as one weighted table, for whatever needs rows and not only counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.cluster.choosing import DEFAULT_MEMORY
from mahc.cluster.meter import PassProgress
from mahc.cluster.opening import name_source, open_shards
from mahc.cluster.sharded_rows import CompactRows
from mahc.data.settings import ReadSettings
from mahc.engine.control import RunControl
from mahc.errors import DataError, Mention


def read_distinct(
    data: Any,
    reading: ReadSettings | None = None,
    *,
    on: object = None,
    memory_bytes: int = DEFAULT_MEMORY,
    progress: Callable[[PassProgress], None] | None = None,
    control: RunControl | None = None,
) -> CompactRows:
    """Read a folder, a glob or a list of files as the distinct rows and how often each occurs.

    Parameters
    ----------
    data : str, path, list of paths, or data frame of Dask or Spark
        A folder, a glob, or files.
    reading : ReadSettings, optional
        Which columns, what counts as missing, the column of weights.
    on : distributed.Client, Spark session or str, optional
        Who reads the files: a cluster or its address; this process if left out.
    memory_bytes : int
        Memory for them; distinct rows may take a quarter of it.
    progress : callable, optional
        Called with a `PassProgress` when pieces are done.
    control : RunControl, optional
        Its time limit and its token end the reading.

    Returns
    -------
    CompactRows
        Its `distinct` is a weighted `Dataset`, which every function of mahc that needs rows accepts.

    Raises
    ------
    DataError
        If the distinct rows do not fit, or a file cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> for part in ("a", "b"):
    ...     _ = (pathlib.Path(folder.name) / f"{part}.csv").write_text("rain,wet\\n" + "no,no\\nyes,yes\\n" * 20)
    >>> found = read_distinct(folder.name)
    >>> found.rows, found.distinct.rows, found.distinct.weights.tolist()
    (80, 2, [40, 40])
    >>> folder.cleanup()
    """
    found = open_shards(data, reading, on=on, memory_bytes=memory_bytes, progress=progress, control=control)
    if isinstance(found, CompactRows):
        return found
    found.close()
    raise DataError(
        f"{name_source(data)}: the distinct rows do not fit into memory, and only learning and auditing count in "
        "passes: choose fewer ",
        Mention("columns"),
        ", or save a sample of the rows as one file",
    )
