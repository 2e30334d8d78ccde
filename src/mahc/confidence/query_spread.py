"""How much the answer to a query depends on the graph: the same query in the graphs of a bootstrap or a sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.resampling import POISSON, Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.confidence.workers import RowResamples, learn_resamples
from mahc.data import Dataset, Kind
from mahc.data.settings import MISSING_EM
from mahc.engine import CancelFlag, CancelToken
from mahc.engine.counts import RowHolder
from mahc.errors import DataError, GraphError, InvalidSettingError, MahcError, Mention
from mahc.graphs import DAG, MixedGraph, cpdag_to_dag
from mahc.inference import Answer, Interval
from mahc.inference.answers import NumberAnswer
from mahc.inference.evidence import Given
from mahc.inference.fitting import fit_model
from mahc.inference.mixed.model import EXTRAPOLATES, QUANTILES
from mahc.learn import make_request, settle
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Progress
from mahc.learning.request import Request
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
    numbers: str = "auto",
    quantiles: Sequence[float] = QUANTILES,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    **settings: Any,
) -> Answer | NumberAnswer:
    """Ask many graphs the same question, and return the mean of the answers with their spread.

    Each graph is learned from a resample, and its tables are fitted to the same resample (by expectation-maximisation
    where missing values stay missing). So the spread includes the uncertainty about the graph and about its tables.
    With `sample` the graphs are those that a sampler drew, and their tables are fitted to the data.

    Where columns hold numbers, models have regressions instead of tables, and a number has a mean, a standard deviation
    and quantiles: those of the mixture of what the graphs answer. One treatment of the numbers is chosen from all rows;
    where they are cut, answers are for intervals, and a note says so. Answers that are estimates use draws of their own
    in each graph, and have a standard error.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.read` takes.
    target : str
        The variable to ask for.
    given, do : mapping, optional
        What was observed, and what is set from outside, as in `mahc.Model.query`.
    algorithm : str or Algorithm
        The algorithm that learns from every resample.
    sample : GraphSample, optional
        Graphs that a sampler drew from the same data; nothing is resampled then.
    resamples : int
        Number of resamples.
    seed : int
        Seed of the resamples, and of the draws where answers are estimates.
    how : str
        "bootstrap" or "half".
    level : float
        The part of the answers that the intervals hold.
    prior : float
        The equivalent sample size of the prior of the tables.
    numbers : str
        How columns of numbers are treated, as in `mahc.learn`; with `sample`, as they were for its graphs.
    quantiles : sequence of float
        The shares whose quantiles a number has in its answer.
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
    Answer or NumberAnswer
        The mean probability of each state, and in `intervals` the quantiles over the graphs; for a number its
        distribution, and in `interval` the quantiles of the mean over the graphs.

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
    RunSettings(numbers=numbers, time_limit=time_limit, threads=threads)
    control = Control(time_limit, progress, cancel)
    request = make_request(data, algorithm, threads=threads, **settings)
    if not _is_of(sample, request.data):
        has_numbers = Kind.CONTINUOUS in getattr(request.data, "kinds", ())
        treatment = "cuts" if sample is not None and has_numbers else numbers
        request = settle(request, treatment, settings.get("objective") is not None, control)
    if chosen.how == POISSON and isinstance(request.data, RowHolder):
        raise DataError(
            "Poisson resamples number the rows, and data in pieces are distinct rows here: use ",
            Mention("how", "bootstrap"),
        )
    resampler = Resampler(rows_of(request.data, data), chosen)
    missing = MISSING_EM if request.incomplete else "error"
    degree = getattr(request.score, "degree", None)
    answers: list[Answer | NumberAnswer] = []
    weights: list[int] = []

    def ask(dag: DAG, table: Dataset, weight: int) -> None:
        model = fit_model(dag, table, prior=prior, degree=degree, missing=missing)
        more: dict[str, Any] = {}
        if Kind.CONTINUOUS in table.kinds:
            more = {"quantiles": quantiles, "seed": seed + len(answers)}  # errors are independent
        answers.append(model.query(target, given, do, **more))
        weights.append(weight)

    if sample is not None:
        _check_sample(sample, resampler.data)
        with control.catching_interrupts():
            for member, dag in zip(sample.members, sample.dags, strict=True):
                if control.should_stop(0, math.nan):
                    break
                ask(dag, resampler.data, member.weight)
        if not answers:
            raise MahcError("no graph of the sample was asked in time: allow more time")
        notes = [f"over {count(sum(weights), 'sampled graph')}", *_note_cuts(request)]
        return _summarise(answers, weights, level, sample.origin, notes)
    without = 0
    with control.catching_interrupts():
        for number, learned in enumerate(learn_resamples(request, RowResamples(resampler), range(resamples), control)):
            directed = _directed(learned.graph)
            if directed is None:
                without += 1
                continue
            ask(directed, resampler.table(number), 1)
    if not answers:
        raise MahcError("no resample gave a DAG to ask: allow more time, or use an algorithm that searches by score")
    notes = [f"over {count(len(answers), 'graph')} of {count(resamples, 'resample')}", *_note_cuts(request)]
    if without:
        notes.append(f"left out: {count(without, 'resample')} with a CPDAG that no DAG fits")
    return _summarise(answers, weights, level, "bootstrap", notes)


def _note_cuts(request: Request) -> list[str]:
    if request.numbers is None or request.numbers.treatment != "cuts":
        return []
    return ["columns of numbers were cut at points learned from all rows"]


def _is_of(sample: GraphSample | None, data: Any) -> bool:
    """Whether the graphs of a sample are of these data with their numbers as they are."""
    return sample is not None and bool(sample.data.fingerprint == data.fingerprint())


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


def _summarise(
    answers: Sequence[Answer | NumberAnswer], weights: Sequence[int], level: float, method: str, notes: list[str]
) -> Answer | NumberAnswer:
    notes = [*notes, *[note for note in answers[0].notes if note.endswith(EXTRAPOLATES)]]
    numbers = [answer for answer in answers if isinstance(answer, NumberAnswer)]
    if numbers:
        return _mix_numbers(numbers, weights, level, method, notes)
    found = [answer for answer in answers if isinstance(answer, Answer)]
    states = list(found[0])
    table = np.array([[answer[state] for state in states] for answer in found])
    low, high = _between(table, weights, level)
    errors = None
    if any(answer.standard_errors is not None for answer in found):
        each = [[(answer.standard_errors or {}).get(state, 0.0) for state in states] for answer in found]
        errors = _error_of_mean(np.array(each), weights)
        notes = [*notes, f"estimated from weighted samples; standard error {errors.max():.2g}"]
    return Answer(
        targets=found[0].targets,
        probabilities=dict(zip(states, (_shares(weights) @ table).tolist(), strict=True)),
        method=method,
        standard_errors=None if errors is None else dict(zip(states, errors.tolist(), strict=True)),
        intervals={s: Interval(float(a), float(b)) for s, a, b in zip(states, low, high, strict=True)},
        level=level,
        notes=tuple(notes),
    )


def _mix_numbers(
    answers: Sequence[NumberAnswer], weights: Sequence[int], level: float, method: str, notes: list[str]
) -> NumberAnswer:
    """The mixture of distributions of a number."""
    shares = _shares(weights)
    means = np.array([answer.mean for answer in answers])
    squares = np.array([answer.standard_deviation for answer in answers]) ** 2 + means**2
    mean = float(shares @ means)
    error = None
    if any(answer.standard_error is not None for answer in answers):
        error = float(_error_of_mean(np.array([[answer.standard_error or 0.0] for answer in answers]), weights)[0])
        notes = [*notes, f"estimated from weighted samples; standard error {error:.2g}"]
    points = [answer.points for answer in answers if answer.points is not None]
    values = np.concatenate([own for own, _ in points])
    own_weights = np.concatenate([share * own for share, (_, own) in zip(shares.tolist(), points, strict=True)])
    order = np.argsort(values, kind="stable")
    values, own_weights = values[order], own_weights[order]
    below = np.cumsum(own_weights) - own_weights / 2
    low, high = _between(means[:, None], weights, level)
    return NumberAnswer(
        targets=answers[0].targets,
        mean=mean,
        standard_deviation=math.sqrt(max(0.0, float(shares @ squares) - mean**2)),
        quantiles={share: float(np.interp(share, below, values)) for share in answers[0].quantiles},
        method=method,
        standard_error=error,
        notes=tuple(notes),
        interval=Interval(float(low[0]), float(high[0])),
        level=level,
        points=(values, own_weights),
    )


def _shares(weights: Sequence[int]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.array(weights, np.float64) / sum(weights)
    return found


def _between(table: NDArray[np.float64], weights: Sequence[int], level: float) -> NDArray[np.float64]:
    """The quantiles between which that share of the graphs lies, for each column."""
    found: NDArray[np.float64] = np.quantile(
        np.repeat(table, weights, axis=0), [(1 - level) / 2, (1 + level) / 2], axis=0
    )
    return found


def _error_of_mean(errors: NDArray[np.float64], weights: Sequence[int]) -> NDArray[np.float64]:
    """The standard errors of weighted means of independent estimates, one per column."""
    found: NDArray[np.float64] = np.sqrt(_shares(weights) ** 2 @ errors**2)
    return found
