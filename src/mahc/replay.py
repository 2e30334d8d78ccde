"""Doing a saved run over again on the same data."""

from __future__ import annotations

from collections.abc import Callable

from mahc.data import Dataset, read
from mahc.errors import DataError, MahcError
from mahc.learn import learn
from mahc.learning.algorithm import make_algorithm
from mahc.learning.control import Progress
from mahc.results.learned import Learned
from mahc.scores import make_score

CUT_SHORT = ("time_limit", "interrupted")
SINGLE_CLIMBS = ("mahc", "hc", "mmhc")  # the number of steps says where they were


def replay(
    saved: Learned,
    data: object,
    *,
    missing: str = "error",
    weights: str | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """Learn again with the settings of a saved result; the data must be those it was learnt from.

    A run that a time limit or Ctrl-C ended is replayed up to the step it had reached.

    >>> import mahc
    >>> columns = {"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}
    >>> first = mahc.learn(columns)
    >>> replay(first, columns) == first
    True
    """
    table = data if isinstance(data, Dataset) else read(data, missing=missing, weights=weights)
    _refuse_other_data(saved, table)
    if saved.stop_reason in CUT_SHORT and saved.algorithm not in SINGLE_CLIMBS:
        raise MahcError(
            f"this {saved.algorithm.upper()} run was ended by the clock or by hand, and not after so many steps of "
            "one climb, and cannot be replayed: learn again without a time limit"
        )
    settings = dict(saved.settings)
    if saved.stop_reason in CUT_SHORT:
        settings["step_limit"] = len(saved.steps)
    again = learn(
        table,
        make_algorithm(saved.algorithm, **settings),
        score=make_score(saved.score_name, base=saved.score_base, **saved.score_settings),
        knowledge=saved.knowledge,
        start=saved.start,
        ties=saved.ties,
        threads=threads,
        progress=progress,
    )
    if again.stop_reason == "interrupted":
        raise KeyboardInterrupt
    if (again.arcs, again.edges) != (saved.arcs, saved.edges):
        raise MahcError(
            f"the replay gave another graph than the one saved by mahc {saved.version} (this is {again.version}): "
            "please report this"
        )
    return again


def _refuse_other_data(saved: Learned, table: Dataset) -> None:
    if table.fingerprint() == saved.fingerprint:
        return
    theirs, ours = set(saved.variables), set(table.names)
    if theirs != ours:
        odd = sorted(theirs ^ ours)[0]
        where = "the data do not have" if odd in theirs else "the result does not have"
        difference = f"{where} the variable '{odd}'"
    elif table.size != saved.size:
        difference = f"they have {table.size:,} rows, the result was learnt from {saved.size:,}"
    else:
        difference = f"the values differ, fingerprint {table.fingerprint()[:12]}... against {saved.fingerprint[:12]}..."
    raise DataError(
        f"these data are not the ones that the result was learnt from ({difference}): "
        "give the same file with the same options"
    )
