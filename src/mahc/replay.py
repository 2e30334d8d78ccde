"""Repeating a saved run on the same data."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from mahc.data import Dataset
from mahc.engine import CountSource
from mahc.errors import DataError, MahcError, Mention, SettingError, wrong_type
from mahc.knowledge import Knowledge
from mahc.learn import learn
from mahc.learning.algorithm import Algorithm, make_algorithm
from mahc.learning.control import Progress
from mahc.learning.stop_reason import StopReason
from mahc.opening import close_opened, count_again, open_again
from mahc.plurals import count
from mahc.results.learned import Learned
from mahc.sources import find_result

SINGLE_CLIMBS = ("mahc", "hc", "mmhc")  # the number of steps says how far they had come


def replay(
    saved: Learned | str | PathLike[str],
    data: object,
    *,
    time_limit: float | None = None,
    memory_mebibytes: int | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    on: Any = None,
    **reading: Any,
) -> Learned:
    """Learn again with the settings of a saved result; the data must be those that it was learned from.

    A run that a time limit or Ctrl-C stopped is repeated up to the step that it had reached.

    Parameters
    ----------
    saved : Learned, str or path
        The result to repeat, or the path of its result.json or of the folder that holds it.
    data : path, frame, array, dict, Dataset or CountSource
        The data that it was learned from; in pieces, as for `mahc.learn`, they need not fit into memory.
    time_limit : float, optional
        Give up after this many seconds.
    memory_mebibytes : int, optional
        How much the process may grow; as in the saved run if left out.
    threads : int, optional
        Number of threads; all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    **reading
        Settings of `mahc.read`. Left out they are those with which the data of the result were read, with the same
        cut points; others are refused. Only a result that does not have them needs them here.

    Returns
    -------
    Learned
        The new result, equal to the saved one.

    Raises
    ------
    DataError
        If the data are not those of the saved result.
    SettingError
        If a setting of reading is not that of the saved result.
    MahcError
        If the run cannot be repeated, or gives another graph.

    Examples
    --------
    >>> import mahc
    >>> columns = {"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}
    >>> first = mahc.learn(columns)
    >>> replay(first, columns) == first
    True
    """
    if not isinstance(saved, Learned):
        if not isinstance(saved, str | PathLike):
            raise wrong_type("saved", saved, "give a Learned, or the path of its result.json")
        saved = find_result(saved)
    method = saved.run.missing
    if reading and isinstance(data, Dataset):
        raise SettingError(Mention(min(reading)), " is a reading setting, and a Dataset is already read: leave it out")
    given = {"missing": method, **reading} if method and saved.data.reading is None else reading
    algorithm = _repeat_algorithm(saved, memory_mebibytes)
    how = {"on": on, "threads": threads, "memory_mebibytes": getattr(algorithm, "memory_mebibytes", None)}
    table = count_again(data, saved.data.reading, given, kinds=saved.run.score.columns, **how)
    try:
        _refuse_other_data(saved, table)
        again = learn(
            table,
            algorithm,
            objective=saved.run.score,
            knowledge=saved.knowledge,
            start=saved.run.start,
            ties=saved.run.ties,
            time_limit=time_limit,
            threads=threads,
            progress=progress,
            missing=method,
        )
    finally:
        close_opened(table, data)
    if again.stop_reason is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if again.stop_reason.by_clock_or_user:
        raise MahcError(f"{again.stop_reason.words} before the run was repeated: allow more")
    if (again.arcs, again.edges) != (saved.arcs, saved.edges):
        versions = f"mahc {saved.run.version} (this is {again.run.version})"
        raise MahcError(f"the replay gave another graph than the one saved by {versions}: please report this")
    return again


def learn_with(saved: Learned, data: object, knowledge: Knowledge) -> Learned:
    """Learn again with the settings of a result and other knowledge.

    >>> import mahc
    >>> columns = {"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}
    >>> learn_with(mahc.learn(columns), columns, mahc.Knowledge(required_arcs=[("b", "a")])).arcs
    (('b', 'a'),)
    """
    table = open_again(data, saved.data.reading, {}, kinds=saved.run.score.columns)
    _refuse_other_data(saved, table)
    algorithm = make_algorithm(saved.algorithm, **saved.settings)
    return learn(
        table,
        algorithm,
        objective=saved.run.score,
        knowledge=knowledge,
        start=saved.run.start,
        ties=saved.run.ties,
        missing=saved.run.missing,
    )


def _repeat_algorithm(saved: Learned, memory_mebibytes: int | None) -> Algorithm:
    """The algorithm with the saved settings, limited to the steps of a run that was stopped."""
    settings = dict(saved.settings)
    if memory_mebibytes is not None:
        settings["memory_mebibytes"] = memory_mebibytes
    if saved.stop_reason.by_clock_or_user:
        if saved.algorithm not in SINGLE_CLIMBS:
            raise MahcError(
                f"{saved.stop_reason.words} in this {saved.algorithm.upper()} run, which is not a single climb, so it "
                "cannot be replayed: learn again without a time limit"
            )
        settings["step_limit"] = len(saved.steps)
    return make_algorithm(saved.algorithm, **settings)


def _refuse_other_data(saved: Learned, table: Dataset | CountSource) -> None:
    if table.fingerprint() == saved.data.fingerprint:
        return
    theirs, ours = set(saved.variables), set(table.names)
    if theirs != ours:
        name = sorted(theirs ^ ours)[0]
        where = "the data do not have" if name in theirs else "the result does not have"
        difference = f"{where} the variable '{name}'"
    elif table.size != saved.data.size:
        difference = f"they have {count(table.size, 'row')}, the result was learned from {saved.data.size:,}"
    else:
        prints = f"{table.fingerprint()[:12]}... against {saved.data.fingerprint[:12]}..."
        difference = f"the values differ, fingerprint {prints}"
    raise DataError(
        f"these are not the data that the result was learned from ({difference}): "
        "give the same file with the same options"
    )
