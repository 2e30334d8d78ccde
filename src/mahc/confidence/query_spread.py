"""How much the answer to a query depends on the graph: the same query in the graphs of a bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mahc.confidence.resampling import POISSON, Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.confidence.workers import RowResamples, learn_resamples
from mahc.data import Dataset, Kind
from mahc.data.settings import MISSING_EM
from mahc.engine import CancelFlag, CancelToken
from mahc.engine.counts import RowHolder
from mahc.errors import DataError, GraphError, InvalidSettingError, MahcError, Mention, SettingError
from mahc.graphs import DAG, MixedGraph, cpdag_to_dag
from mahc.inference import Answer, Interval, Model
from mahc.inference.evidence import Given
from mahc.learn import make_request, settle
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Progress
from mahc.learning.settings import RunSettings
from mahc.opening import rows_of
from mahc.plurals import count
from mahc.results.graph_sample import GraphSample


def query_spread(
    data: object,
    target: str,
    given: Given | None = None,
    do: Given | None = None,
    *,
    algorithm: str | Algorithm = "mahc",
    sample: GraphSample | None = None,
    resamples: int = 50,
    seed: int = 1,
    how: str = "bootstrap",
    level: float = 0.9,
    prior: float = 1.0,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    **settings: Any,
) -> Answer:
    """Ask many graphs the same question, and return the mean of the answers with their spread.

    Each graph is learned from a resample, and its tables are fitted to the same resample (by expectation-maximisation
    where missing values stay missing). So the spread includes the uncertainty about the graph and about its tables.
    With `sample` the graphs are those that a sampler drew, and their tables are fitted to the data. Columns of numbers
    are cut at learned points, the same for all resamples, whatever the algorithm would do alone; a note says so.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.read` takes.
    target : str
        The variable to ask for.
    given, do : mapping, optional
        Observed states, and states set from outside, as in `mahc.Model.query`.
    algorithm : str or Algorithm
        The algorithm that learns from every resample.
    sample : GraphSample, optional
        Graphs that a sampler drew from the same data; nothing is resampled then.
    resamples : int
        Number of resamples.
    seed : int
        Seed of the resamples.
    how : str
        "bootstrap" or "half".
    level : float
        The part of the answers that the intervals hold.
    prior : float
        The equivalent sample size of the prior of the tables.
    time_limit : float, optional
        Stop after this many seconds with the resamples done so far.
    threads : int, optional
        Number of threads, all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`.
    cancel : CancelToken or threading.Event, optional
        Ends with the resamples done so far when any thread calls its `cancel()`.
    **settings
        The other arguments of `mahc.learn`.

    Returns
    -------
    Answer
        The mean probability of each state, and in `intervals` the quantiles over the graphs.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence; also where an algorithm gives a PAG.

    Examples
    --------
    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40}
    >>> round(query_spread(columns, "wet", {"rain": "yes"}, algorithm="hc", resamples=5)["wet"], 2)
    0.99
    """
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InvalidSettingError("level", level, "give a number between 0 and 1, such as 0.9")
    chosen = BootstrapSettings(resamples=resamples, seed=seed, how=how)
    RunSettings(time_limit=time_limit, threads=threads)
    control = Control(time_limit, progress, cancel)
    if settings.pop("numbers", None) not in (None, "cuts"):
        raise SettingError("query_spread answers with probabilities of states: use ", Mention("numbers", "cuts"))
    request = make_request(data, algorithm, threads=threads, **settings)
    treatment = "cuts" if Kind.CONTINUOUS in getattr(request.data, "kinds", ()) else "auto"
    request = settle(request, treatment, settings.get("objective") is not None, control)
    if chosen.how == POISSON and isinstance(request.data, RowHolder):
        raise DataError(
            "Poisson resamples number the rows, and data in pieces are distinct rows here: use ",
            Mention("how", "bootstrap"),
        )
    resampler = Resampler(rows_of(request.data, data), chosen)
    missing = MISSING_EM if request.incomplete else "error"
    if sample is not None:
        _check_sample(sample, resampler.data)
        with control.catching_interrupts():
            answers = [
                Model.fit(dag, resampler.data, prior=prior, missing=missing).query(target, given, do)
                for dag in sample.dags
                if not control.should_stop(0, math.nan)
            ]
        if not answers:
            raise MahcError("no graph of the sample was asked in time: allow more time")
        weights = [member.weight for member in sample.members[: len(answers)]]
        return _summarise(answers, weights, level, sample.origin, [f"over {count(sum(weights), 'sampled graph')}"])
    answers, without = [], 0
    with control.catching_interrupts():
        for number, found in enumerate(learn_resamples(request, RowResamples(resampler), range(resamples), control)):
            dag = _directed(found.graph)
            if dag is None:
                without += 1
                continue
            model = Model.fit(dag, resampler.table(number), prior=prior, missing=missing)
            answers.append(model.query(target, given, do))
    if not answers:
        raise MahcError("no resample gave a DAG to ask: allow more time, or use an algorithm that searches by score")
    notes = [f"over {count(len(answers), 'graph')} of {count(resamples, 'resample')}"]
    if request.numbers is not None:
        notes.append("columns of numbers were cut at points learned from all rows, because the answer is for states")
    if without:
        notes.append(f"left out: {count(without, 'resample')} with a CPDAG that no DAG fits")
    return _summarise(answers, [1] * len(answers), level, "bootstrap", notes)


def _check_sample(sample: GraphSample, data: Dataset) -> None:
    if not sample.members:
        raise MahcError(f"a sample by {sample.origin} keeps counts and no graphs: leave it out to resample")
    if sample.data.fingerprint != data.fingerprint():
        raise DataError("the sample is of other data: give the data that its graphs were learned from")


def _directed(graph: DAG | MixedGraph) -> DAG | None:
    """The graph, or a DAG of its class; None where there is none."""
    if isinstance(graph, DAG):
        return graph
    if any(edge.mark not in ("-->", "---") for edge in graph.edges):
        raise GraphError("the algorithm gives a PAG, which has no tables: use one that gives a DAG or CPDAG")
    try:
        return cpdag_to_dag(graph)
    except GraphError:
        return None


def _summarise(answers: list[Answer], weights: list[int], level: float, method: str, notes: list[str]) -> Answer:
    states = list(answers[0])
    table = np.repeat([[answer[state] for state in states] for answer in answers], weights, axis=0)
    low, high = np.quantile(table, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Answer(
        targets=answers[0].targets,
        probabilities=dict(zip(states, table.mean(axis=0).tolist(), strict=True)),
        method=method,
        intervals={s: Interval(float(a), float(b)) for s, a, b in zip(states, low, high, strict=True)},
        level=level,
        notes=tuple(notes),
    )
