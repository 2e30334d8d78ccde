"""An audit of data in pieces: what `mahc.data.audit` finds, without the rows in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mahc.cluster.choosing import is_cluster_frame
from mahc.cluster.engines import make_runner
from mahc.cluster.meter import PassProgress
from mahc.cluster.opening import name_source, open_pieces, read_states
from mahc.cluster.passes import UncodedFingerprint
from mahc.cluster.runner import LocalRunner, Runner
from mahc.data.columns import Kind
from mahc.data.dataset import whole_rows
from mahc.data.fingerprint import combine_hashes
from mahc.data.prepare.audit import Audit, UsableRows
from mahc.data.prepare.notes import Note
from mahc.data.reading import refuse_missing_as_states
from mahc.data.settings import ReadSettings


def audit_pieces(
    data: Any,
    settings: ReadSettings | None = None,
    progress: Callable[[PassProgress], None] | None = None,
    *,
    on: object = None,
) -> Audit:
    """Check files in pieces and report on every column, without stopping at the first problem.

    Each pass reads one piece at a time: one pass counts the values, one the complete rows where values are missing, and
    one makes the fingerprint where the data can be used.

    Parameters
    ----------
    data : str, path, list of paths, or data frame of Dask or Spark
        Files, folders or globs; or a frame.
    settings : ReadSettings, optional
        How to read them.
    progress : callable, optional
        Called with a `PassProgress` after each piece.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.

    Returns
    -------
    Audit
        The findings of `mahc.data.audit` on the same rows; `counted` has the shape of the data instead of the data.
        A column of more than 1,048,576 different values is said to have at least that many.

    Raises
    ------
    DataError
        If a file cannot be read at all.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> for part in ("a", "b"):
    ...     _ = (pathlib.Path(folder.name) / f"{part}.csv").write_text("rain,wet\\nno,no\\nyes,yes\\n")
    >>> found = audit_pieces(folder.name)
    >>> found.rows, found.usable.states
    (4, (2, 2))
    >>> folder.cleanup()
    """
    asked = settings or ReadSettings()
    chosen = asked.coding_missing()
    runner: Runner
    if on is None and not is_cluster_frame(data):
        runner, names, notes, every = open_pieces(data, chosen, lambda pieces: LocalRunner(pieces, progress=progress))
    else:
        runner, every = make_runner(on, data, progress, chosen)
        names, notes = chosen.kept(every), ()
    try:
        return _audit(runner, names, notes, every, asked, chosen, name_source(data))
    finally:
        runner.close()


def _audit(
    runner: Runner,
    names: Sequence[str],
    notes: tuple[Note, ...],
    every: Sequence[str],
    asked: ReadSettings,
    chosen: ReadSettings,
    source: str,
) -> Audit:
    states = read_states(runner, names, chosen, source, notes, kinds=frozenset(Kind), every=every)
    found = refuse_missing_as_states(states.audit, asked)
    if found.problems:
        return found
    coding, size = states.coding, states.found.size
    sums = runner.run(UncodedFingerprint(coding))
    assert sums is not None
    fingerprint = combine_hashes(coding.terms, size, sums, coding.unit)
    counts = tuple(column.state_count or 0 for column in coding.columns)
    usable = UsableRows(
        coding.names, counts, states.rows, whole_rows(size, coding.unit), coding.weights is not None, fingerprint
    )
    return replace(found, counted=usable)
