"""Effects with intervals over rows and graphs.

Each draw takes a graph (`effect_sets.py`) and what the rows say given that graph:

    no path     the target is no descendant of the cause: the effect is 0
    a path      the distribution of the target where the cause is set, by adjustment: from tables where all variables
                have states (`table_effects.py`), by regression where one holds numbers (`regression_effects.py`)

The interval holds the quantiles of the draws. Where some graphs have an effect and others none, it holds those of the
draws with an effect, and 0: graphs without one do not make an effect smaller, they make it uncertain whether there is
one. (Quantiles of both together cover a weak effect too rarely: `benchmarks/bench_effects.py`.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.aipw import aipw
from mahc.confidence.effect_sets import AdjustmentSet, WeightedSets, choose_set, weigh_sets
from mahc.confidence.positivity import check_positivity
from mahc.confidence.posterior import posterior
from mahc.confidence.regression_effects import draw_regressions
from mahc.confidence.table_effects import draw_tables
from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.matching import place_state
from mahc.errors import DataError, InvalidSettingError, MahcError, Mention, SettingError, UnknownNameError
from mahc.inference.answers import Interval
from mahc.inference.effect_estimate import CurvePoint, EffectEstimate, WeightingCheck
from mahc.inference.effects import weigh_rest
from mahc.opening import open_rows
from mahc.results.graph_sample import GraphSample
from mahc.results.learned import PAGES, Learned

DRAWS = 4000
MEAN_DRAWS = 200  # for the mean of one graph
CURVE = tuple(k / 10 for k in range(1, 10))  # the quantiles of a number at which its curve is shown
Values = NDArray[np.float64]
Value = float | str
NamedSets = tuple[tuple[tuple[str, ...], float], ...]


@PAGES.register("effect")
def effect_of(
    learned: Learned,
    data: object,
    cause: str,
    target: str,
    *,
    contrast: str | tuple[Value, Value] | None = None,
    state: str | None = None,
    given: Mapping[str, object] | None = None,
    level: float = 0.95,
    graphs: GraphSample | None = None,
    seed: int = 1,
    prior: float = 1.0,
) -> EffectEstimate:
    """`Learned.effect`, on data that were read as those of the result."""
    data = data if isinstance(data, Dataset) else open_rows(data)
    sample = draw_graphs(learned, data, cause, target, seed) if graphs is None else graphs
    rest = isinstance(contrast, str)
    pair: tuple[Value | None, Value | None]
    if contrast is None or isinstance(contrast, str):
        pair = (None, contrast)
    elif isinstance(contrast, tuple | list) and len(contrast) == 2:
        pair = contrast[0], contrast[1]
    else:
        fix = "give two states of the cause, the baseline first, or one to compare with the rest"
        raise InvalidSettingError("contrast", contrast, fix)
    _check(data, sample, cause, target, level)
    if contrast is None and cause in data.discrete_by_name:
        pair = (None, data.discrete_by_name[cause].labels[-1])
    if state is None and target in data.discrete_by_name:
        state = data.discrete_by_name[target].labels[-1]
    [found] = estimate_effects(
        data,
        sample,
        cause,
        target,
        contrast=pair,
        rest=rest,
        state=state,
        given=given,
        level=level,
        seed=seed,
        prior=prior,
    )
    return found


def draw_graphs(learned: Learned, data: Dataset, cause: str, target: str, seed: int) -> GraphSample:
    """Graphs from the posterior with the score and the knowledge of a result."""
    _check_columns(data, cause, target)
    if learned.kind == "PAG":
        raise MahcError(f"{learned.algorithm} learned a PAG, so hidden common causes are possible: effects need a DAG")
    prices = {name: learned.settings[name] for name in ("arc_price", "relative_price") if name in learned.settings}
    own = prices if learned.algorithm == "boss" else {}
    return posterior(data, learned.run.score, knowledge=learned.knowledge, seed=seed, **own)


def estimate_effects(
    data: Dataset,
    sample: GraphSample,
    cause: str,
    target: str,
    *,
    contrast: tuple[Value | None, Value | None] = (None, None),
    rest: bool = False,
    state: str | None = None,
    given: Mapping[str, object] | None = None,
    level: float = 0.95,
    seed: int = 1,
    prior: float = 1.0,
    draws: int = DRAWS,
) -> list[EffectEstimate]:
    """One estimate for each contrast of the cause, and each state of the target, or the one that is given.

    A contrast without a second value stands for all states of the cause, compared with the first value; of a number
    for its upper quartile. The first value is the first state, or the lower quartile; with `rest` it is all other
    states, each set as often as it occurs.
    """
    _check(data, sample, cause, target, level)
    if isinstance(prior, bool) or not isinstance(prior, int | float) or not 0 < prior < math.inf:
        raise InvalidSettingError("prior", prior, "tables are drawn with a prior above 0, 1 is usual: give one")
    if given is not None and not isinstance(given, Mapping):
        raise InvalidSettingError("given", given, "give the state of each variable, such as {'age': 'old'}")
    condition = dict(given or {})
    rows = _take_rows(data.without_experiments([cause]), cause, target, condition)
    start, others, curve = _choose_values(rows, cause, contrast, rest)
    values = [*start, *others, *curve]
    natural = _take_rows(data.without_experiments(), cause, target, condition) if rest else rows
    against = _weigh_start(natural, cause, start, others, rest)
    base = None if rest else start[0]
    counts = {name: column.state_count for name, column in zip(rows.names, rows.columns, strict=True)}
    states = {name: number for name, number in counts.items() if number is not None}
    sets = weigh_sets(sample, cause, target, list(condition), states, rows.size)
    parts, lacking = [], 0
    for chosen, size in sets.apportion(draws):
        part, empty = _draw(rows, cause, target, chosen, values, states, prior, size, seed)
        parts.append(part)
        lacking += empty
    drawn = np.concatenate(parts)  # draw, value of the cause, state of the target
    outcome = rows.columns[rows.index(target)]
    labels: tuple[str | None, ...] = (None,) if outcome.state_count is None else rows.discrete_by_name[target].labels
    tails = [(1 - level) / 2, (1 + level) / 2]
    named = _name_sets(sets)
    found = []
    wanted = None if state is None else _find_state(data, target, state)
    for place, other in enumerate(others, len(start)):
        for y, state in enumerate(labels):
            if wanted not in (None, state):
                continue
            points = []
            for at, value in enumerate(curve, len(start) + len(others)):
                low, high = np.quantile(drawn[:, at, y], tails).tolist()
                points.append(CurvePoint(float(value), float(drawn[:, at, y].mean()), Interval(low, high)))
            before, after = _mix(drawn[:, : len(start), y], against[place - len(start)]), drawn[:, place, y]
            ratio, ratio_interval, odds = (None, None, None) if state is None else _compare(before, after, tails)
            found.append(
                EffectEstimate(
                    cause=cause,
                    target=target,
                    contrast=(base, other),
                    state=state,
                    condition={name: str(value) for name, value in condition.items()},
                    difference=float((after - before).mean()),
                    interval=_span(after - before, 0.0, tails),
                    absent=sets.absent,
                    reversed=sets.reversed,
                    left_out=sets.left_out,
                    graphs=sets.graphs,
                    level=level,
                    origin=sample.origin,
                    without_rows=lacking,
                    curve=tuple(points),
                    sets=named,
                    check=_check_by_weighting(rows, cause, target, (base, other), state, named, seed),
                    ratio=ratio,
                    ratio_interval=ratio_interval,
                    odds_ratio=odds,
                )
            )
    return found


def mean_effects(data: Dataset, sample: GraphSample, cause: str, target: str, prior: float = 1.0) -> Values:
    """For each graph of a posterior the expected effect, in the last contrast and state; 0 where there is none."""
    _check(data, sample, cause, target, 0.95)
    data = data.without_experiments([cause])
    [base], others, _ = _choose_values(data, cause, (None, None))
    counts = {name: column.state_count for name, column in zip(data.names, data.columns, strict=True)}
    states = {name: number for name, number in counts.items() if number is not None}
    known: dict[tuple[str, ...], float] = {}
    found = []
    for dag in sample.dags:
        if target not in dag.descendants(cause):
            found.append(0.0)
            continue
        chosen = choose_set(dag, cause, target, [], states, data.size)
        if chosen not in known:
            values = [base, others[-1]]
            drawn = _draw(data, cause, target, chosen, values, states, prior, MEAN_DRAWS, 1)[0]
            known[chosen] = float((drawn[:, 1, -1] - drawn[:, 0, -1]).mean())
        found.append(known[chosen])
    return np.array(found)


def _draw(
    rows: Dataset,
    cause: str,
    target: str,
    chosen: AdjustmentSet,
    values: Sequence[Value],
    states: Mapping[str, int],
    prior: float,
    size: int,
    seed: int,
) -> tuple[Values, int]:
    """Means or probabilities [draw, value, state of the target]; how many configurations lack a state of the cause."""
    if not {cause, target, *(chosen or ())} <= set(states):
        return draw_regressions(rows, cause, target, chosen, values, size, seed), 0
    tables, empty = draw_tables(rows, cause, target, chosen, prior, size, seed)
    return tables[:, [_find_place(rows, cause, value) for value in values]], empty


def _name_sets(sets: WeightedSets) -> NamedSets:
    """The adjustment sets with their shares, the most frequent first."""
    named = [(given, share) for given, share in sets.shares.items() if given is not None]
    return tuple(sorted(named, key=lambda each: (-each[1], each[0])))


def _check_by_weighting(
    data: Dataset,
    cause: str,
    target: str,
    contrast: tuple[Value | None, Value],
    state: str | None,
    sets: NamedSets,
    seed: int,
) -> WeightingCheck | None:
    """The same effect by weighting with the most frequent set; None where the cause holds numbers or has no effect."""
    first, second = contrast
    if not sets or data.unit > 1 or not isinstance(first, str) or not isinstance(second, str):
        return None
    given = sets[0][0]
    try:
        found = aipw(data, cause, target, given, contrast=(first, second), state=state, seed=seed)
    except DataError:  # too few rows with a state of the contrast
        return None
    discrete = all(name in data.discrete_by_name for name in given)
    gaps = check_positivity(data, cause, given, states=(first, second), limit=2).gaps if discrete else ()
    return WeightingCheck(found.difference, found.standard_error, given, tuple(gap.describe(cause) for gap in gaps))


def _compare(before: Values, after: Values, tails: Sequence[float]) -> tuple[float, Interval, float]:
    """Ratio with interval, and odds ratio: medians, because a ratio may be infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(before == after, 1.0, after / before)
        odds = np.where(before == after, 1.0, after * (1 - before) / ((1 - after) * before))
    median, middle = (float(np.quantile(each, 0.5, method="inverted_cdf")) for each in (ratios, odds))
    return median, _span(ratios, 1.0, tails), middle


def _span(draws: Values, none: float, tails: Sequence[float]) -> Interval:
    """The quantiles of the draws; with a share of draws of no effect (`none`), of the others, and `none` itself.

    >>> _span(np.array([0.0, 0.0, 0.2, 0.3, 0.4]), 0.0, [0.025, 0.975]).low
    0.0
    """
    present = draws[draws != none]
    if tails[0] * len(draws) < len(present) < tails[1] * len(draws):
        low, high = np.quantile(present, tails, method="inverted_cdf").tolist()
        return Interval(min(low, none), max(high, none))
    low, high = np.quantile(draws, tails, method="inverted_cdf").tolist()
    return Interval(low, high)


def _weigh_start(
    data: Dataset, cause: str, start: Sequence[Value], others: Sequence[Value], rest: bool
) -> list[Values]:
    """For each value that is compared the weights of those that it is compared with; `data` are rows as they come."""
    if not rest:
        return [np.ones(1)] * len(others)
    column = data.discrete_by_name[cause]
    shares = np.bincount(column.codes, data.weights, len(column.labels)).astype(np.float64)
    return [weigh_rest(cause, column.labels, shares, start.index(other)) for other in others]


def _mix(drawn: Values, weights: Values) -> Values:
    """The weighted mean of the columns; exactly what all of them are, where they are equal."""
    same = (drawn == drawn[:, :1]).all(axis=1)
    mixed: Values = np.where(same, drawn[:, 0], drawn @ weights)
    return mixed


def _choose_values(
    data: Dataset, cause: str, contrast: tuple[Value | None, Value | None], rest: bool = False
) -> tuple[list[Value], list[Value], list[float]]:
    """The baseline (for the rest all states), what is compared with it, and the deciles of a number for its curve."""
    column = data.columns[data.index(cause)]
    first, second = contrast
    if rest:
        if column.state_count is None:
            raise SettingError(f"'{cause}' holds numbers, which have no other states: give two values to compare")
        every: list[Value] = [*data.discrete_by_name[cause].labels]
        return every, every if second is None else [_find_state(data, cause, second)], []
    if column.state_count is None:
        numbers = column.as_array().astype(np.float64)
        if data.weights is not None:
            numbers = np.repeat(numbers, data.weights)
        low, high = (float(f"{each:.4g}") for each in np.quantile(numbers, [0.25, 0.75]).tolist())
        base = low if first is None else _number(cause, first)
        other = high if second is None else _number(cause, second)
        if base == other:
            raise SettingError(f"{cause} = {base:g} is compared with itself: give another baseline")
        deciles = [float(f"{each:.4g}") for each in np.quantile(numbers, CURVE).tolist()]
        return [base], [other], list(dict.fromkeys(deciles))
    labels = data.discrete_by_name[cause].labels
    start = labels[0] if first is None else _find_state(data, cause, first)
    if second is None:
        return [start], [label for label in labels if label != start], []
    end = _find_state(data, cause, second)
    if start == end:
        raise SettingError(f"{cause} = {start} is compared with itself: give another baseline")
    return [start], [end], []


def _number(cause: str, value: Value) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise InvalidSettingError("contrast", value, f"'{cause}' holds numbers: give a finite number")
    return number


def _take_rows(data: Dataset, cause: str, target: str, condition: Mapping[str, object]) -> Dataset:
    """The rows in which the condition holds."""
    keep = np.ones(data.rows, np.bool_)
    for name, value in condition.items():
        if name not in data.names:
            raise UnknownNameError("variable", str(name), data.names)
        if name in (cause, target):
            raise SettingError(f"the condition names '{name}', of which the effect is asked for: leave it out")
        column = data.columns[data.index(name)]
        if column.state_count is None:
            raise SettingError(
                f"the condition names '{name}', which holds numbers: name variables with states, or cut it first"
            )
        keep &= column.as_array() == _find_place(data, name, value)
    if not keep.any():
        shown = ", ".join(f"{name}={value}" for name, value in condition.items())
        raise DataError(f"no row has {shown}: the effect there cannot be estimated")
    return data.take(keep) if condition else data


def _check(data: Dataset, sample: GraphSample, cause: str, target: str, level: float) -> None:
    _check_columns(data, cause, target)
    if not isinstance(sample, GraphSample):
        raise InvalidSettingError("graphs", sample, "give a GraphSample; GraphSample.load(folder) reads a saved one")
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InvalidSettingError("level", level, "give a number between 0 and 1, such as 0.95")
    if sample.kind == "PAG" or not sample.members:
        why = "are PAGs, in which hidden common causes are possible" if sample.kind == "PAG" else "were not kept"
        raise MahcError(f"the graphs of the {sample.origin} {why}: draw a posterior, or resample with a score")
    if sample.data.fingerprint != data.fingerprint():
        raise DataError("the graphs are of other data: give the data that they were drawn from")


def _check_columns(data: Dataset, cause: str, target: str) -> None:
    for name in (cause, target):
        if name not in data.names:
            raise UnknownNameError("variable", str(name), data.names)
    if cause == target:
        raise SettingError(f"the effect of '{cause}' on itself was asked for: name two variables")
    if not set(data.names) <= set(data.discrete_by_name):
        refuse_fractions(data, "a regression on columns of numbers")
    if not data.complete:
        raise DataError(
            "effects with intervals need complete rows, and values are missing: read the data with ",
            Mention("missing", "drop"),
            " (an effect among complete rows), or with ",
            Mention("missing", "state"),
        )


def _find_place(data: Dataset, variable: str, state: object) -> int:
    return place_state(variable, data.discrete_by_name[variable].labels, state)


def _find_state(data: Dataset, variable: str, state: object) -> str:
    if data.columns[data.index(variable)].state_count is None:
        raise SettingError(f"'{variable}' holds numbers, which have no states: leave out the state")
    return data.discrete_by_name[variable].labels[_find_place(data, variable, state)]
