"""The one place that decides which kind of model a graph and its data give."""

from __future__ import annotations

from typing import Any

from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.settings import MISSING_EM
from mahc.engine.counts import TableSource
from mahc.errors import DataError, Mention
from mahc.graphs import DAG, MixedGraph
from mahc.inference.model import Model
from mahc.networks.fitting import states_of
from mahc.opening import open_counts


def fit_model(
    graph: DAG,
    data: object,
    *,
    prior: float = 1.0,
    degree: int | None = None,
    pattern: MixedGraph | None = None,
    not_causal: str | None = None,
    missing: str = "error",
    **how: Any,
) -> Any:
    """Fit a graph to data: a `Model` where all its variables have states, a `MixedModel` where one holds numbers.

    `degree` is that of the score that the graph was learned with: 1 keeps regressions linear. With any other, each node
    chooses its own, which may be higher: a curve costs a node less than it costs the score, which sees it from both
    sides. `how` are arguments of `mahc.opening.open_data`, for data that are not open yet.

    >>> fit_model(DAG(["a"], []), {"a": ["x", "y", "x"]}, prior=0).query("a")["x"]
    0.6666666666666666
    >>> fit_model(DAG(["a"], []), {"a": [1.5, 2.5, 4.5] * 9})
    MixedModel(1 number, 0 discrete variables, 0 arcs)
    """
    if not isinstance(data, Dataset | TableSource):
        settings = ReadSettings(missing="state" if missing == MISSING_EM else missing)
        if missing == MISSING_EM:
            how.pop("counts_only", None)
        with open_counts(data, settings, kinds=frozenset(Kind), **how) as table:
            return fit_model(
                graph,
                table,
                prior=prior,
                degree=degree,
                pattern=pattern,
                not_causal=not_causal,
                missing=missing,
            )
    if not isinstance(data, Dataset):
        for name in graph.names:
            if name in data.names:
                states_of(data, name)  # refuses numbers
    held = (column for name, column in zip(data.names, data.columns, strict=True) if name in graph.names)
    if all(column.state_count is not None for column in held):
        return Model.fit(graph, data, prior=prior, pattern=pattern, not_causal=not_causal, missing=missing)
    if missing == MISSING_EM:
        raise DataError(
            "values are missing, and expectation-maximisation fits tables only: leave incomplete rows out with ",
            Mention("missing", "drop"),
        )
    from mahc.inference.mixed.model import MixedModel

    return MixedModel.fit(
        graph,
        data,
        prior=prior,
        degree=1 if degree == 1 else None,
        pattern=pattern,
        not_causal=not_causal,
        missing=missing,
    )
