"""Doing a saved run over again on the same data."""

from __future__ import annotations

from mahc.data import Dataset, read
from mahc.errors import DataError, MahcError
from mahc.scores import make_score
from mahc.search.algorithm import make_algorithm
from mahc.search.learn import learn
from mahc.search.learned import Learned


def replay(saved: Learned, data: object, *, missing: str = "error", weights: str | None = None) -> Learned:
    """Learn again with the settings of a saved result; the data must be those it was learnt from.

    A run that a time limit or Ctrl-C ended is replayed up to the step it had reached.

    >>> import mahc
    >>> columns = {"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}
    >>> first = mahc.learn(columns)
    >>> replay(first, columns) == first
    True
    """
    table = data if isinstance(data, Dataset) else read(data, missing=missing, weights=weights)
    if table.fingerprint() != saved.fingerprint:
        raise DataError(
            f"these data are not the ones that the result was learnt from (fingerprint {table.fingerprint()[:12]}..., "
            f"the result has {saved.fingerprint[:12]}...): give the same file with the same options"
        )
    if saved.stop_reason in ("time_limit", "interrupted") and saved.algorithm == "tabu":
        raise MahcError(
            "this TABU run was ended by the clock or by hand in the midst of an escape and cannot be replayed: "
            "learn again without a time limit"
        )
    settings = dict(saved.settings)
    if saved.stop_reason in ("time_limit", "interrupted"):
        settings["step_limit"] = len(saved.steps)
    score = make_score(saved.score_name, base=saved.score_base, **saved.score_settings)
    again = learn(
        table,
        make_algorithm(saved.algorithm, **settings),
        score=score,
        knowledge=saved.knowledge,
        start=saved.start,
        ties=saved.ties,
    )
    if again.arcs != saved.arcs:
        raise MahcError(
            f"the replay gave another graph than the one saved by mahc {saved.version} (this is {again.version}): "
            "please report this"
        )
    return again
