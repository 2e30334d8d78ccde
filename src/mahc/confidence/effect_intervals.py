"""Effects with intervals over rows and graphs.

Each draw takes a graph of the posterior and tables from their posterior given the rows:

    no path     the target is no descendant of the cause: the effect is 0
    a path      the sum over the states z of an adjustment set of P(target | cause, z) P(z); both from Dirichlet
                distributions whose parameters are the counts and a small prior

The interval holds the quantiles of all draws, zeros included. The adjustment set is the optimal one (Henckel, Perković
and Maathuis 2022), the parents of the variables between cause and target; where its table has more cells than there are
rows, the parents of the cause.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.posterior import posterior
from mahc.data import Dataset, Kind
from mahc.data.prepare.matching import UNKNOWN, StateFinder
from mahc.engine import EngineRows, Families
from mahc.errors import DataError, InvalidSettingError, MahcError, SettingError, UnknownNameError
from mahc.graphs import DAG
from mahc.inference.answers import Interval
from mahc.inference.effect_estimate import EffectEstimate
from mahc.networks.random_streams import stream
from mahc.opening import open_rows
from mahc.results.graph_sample import GraphSample
from mahc.results.learned import PAGES, Learned

DRAWS = 4000
CELLS = 1 << 22  # numbers drawn at once
Values = NDArray[np.float64]


@PAGES.register("effect")
def effect_of(
    learned: Learned,
    data: object,
    cause: str,
    target: str,
    *,
    contrast: tuple[str, str] | None = None,
    state: str | None = None,
    level: float = 0.95,
    graphs: GraphSample | None = None,
    seed: int = 1,
    prior: float = 1.0,
) -> EffectEstimate:
    """`Learned.effect`, on data that were read as those of the result."""
    data = data if isinstance(data, Dataset) else open_rows(data)
    sample = draw_graphs(learned, data, cause, target, seed) if graphs is None else graphs
    _check(data, sample, cause, target, level)
    labels = dict(zip(data.names, data.labels, strict=True))
    given = contrast if contrast is not None else (labels[cause][0], labels[cause][-1])
    if isinstance(given, str) or len(given) != 2:
        raise InvalidSettingError("contrast", contrast, "give two states of the cause, the baseline first")
    _, other = (place_state(cause, labels[cause], each) for each in given)
    shown = labels[target][-1 if state is None else place_state(target, labels[target], state)]
    found = estimate_effects(data, sample, cause, target, baseline=given[0], level=level, seed=seed, prior=prior)
    for each in found:
        if each.contrast[1] == labels[cause][other] and each.state == shown:
            return each
    raise InvalidSettingError("contrast", contrast, "give two different states of the cause")


def draw_graphs(learned: Learned, data: Dataset, cause: str, target: str, seed: int) -> GraphSample:
    """Graphs from the posterior with the score and the knowledge of a result."""
    _check_columns(data, cause, target)
    if learned.kind == "PAG":
        raise MahcError(f"{learned.algorithm} learned a PAG, so hidden common causes are possible: effects need a DAG")
    prices = {name: learned.settings[name] for name in ("arc_price", "relative_price") if name in learned.settings}
    own = prices if learned.algorithm == "boss" else {}
    return posterior(data, learned.run.score, knowledge=learned.knowledge, seed=seed, **own)


def optimal_set(dag: DAG, cause: str, target: str) -> tuple[str, ...] | None:
    """The optimal adjustment set, sorted: the parents of the variables between; None where no path leads there.

    >>> optimal_set(DAG(["x", "m", "y", "c"], [("x", "m"), ("m", "y"), ("c", "x"), ("c", "y")]), "x", "y")
    ('c',)
    """
    x, y = dag.index(cause), dag.index(target)
    below, above = _reach(dag, x, forward=True), _reach(dag, y, forward=False)
    if y not in below:
        return None
    between = (below & above) | {y}
    parents = {p for v in between for p in dag.parent_sets[v]} - between - {x}
    return tuple(sorted(dag.names[p] for p in parents))


def _reach(dag: DAG, start: int, *, forward: bool) -> set[int]:
    """The descendants or ancestors of a variable, without itself."""
    steps: list[list[int]] = [[] for _ in dag.names]
    for v, mine in enumerate(dag.parent_sets):
        for u in mine:
            steps[u if forward else v].append(v if forward else u)
    found: set[int] = set()
    left = list(steps[start])
    while left:
        v = left.pop()
        if v not in found:
            found.add(v)
            left.extend(steps[v])
    return found


def estimate_effects(
    data: Dataset,
    sample: GraphSample,
    cause: str,
    target: str,
    *,
    baseline: str | None = None,
    level: float = 0.95,
    seed: int = 1,
    prior: float = 1.0,
    draws: int = DRAWS,
) -> list[EffectEstimate]:
    """One estimate for each state of the cause but the baseline, and each state of the target."""
    _check(data, sample, cause, target, level)
    names, labels = data.names, dict(zip(data.names, data.labels, strict=True))
    base = place_state(cause, labels[cause], labels[cause][0] if baseline is None else baseline)
    rows = EngineRows(data.without_experiments([cause]))
    weights, reversed_weight = _group_by_set(sample, cause, target, rows)
    total = sum(weights.values())
    sets = sorted(weights, key=lambda given: (given is None, given or ()))
    parts, lacking = [], 0
    for given, size in zip(sets, _apportion([weights[each] / total for each in sets], draws), strict=True):
        tables, empty = _draw_tables(rows, names, (cause, target), given, prior, size, seed)
        parts.append(tables)
        lacking += empty
    drawn = np.concatenate(parts)  # draw, state of the cause, state of the target
    absent = weights.get(None, 0) / total
    found = []
    for x, to in enumerate(labels[cause]):
        for y, state in enumerate(labels[target]):
            if x != base:
                found.append(
                    _summarise(
                        drawn[:, base, y],
                        drawn[:, x, y],
                        (cause, target, (labels[cause][base], to), state),
                        (absent, reversed_weight / total, total, level, sample.origin, lacking),
                    )
                )
    return found


def _check(data: Dataset, sample: GraphSample, cause: str, target: str, level: float) -> None:
    _check_columns(data, cause, target)
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InvalidSettingError("level", level, "give a number between 0 and 1, such as 0.95")
    if sample.origin != "posterior" or not sample.members:
        raise MahcError(
            f"the graphs are a {sample.origin}, in which directions that data do not determine are arbitrary: give "
            "a posterior"
        )
    if sample.data.fingerprint != data.fingerprint():
        raise DataError("the graphs are of other data: give the data that they were drawn from")


def _check_columns(data: Dataset, cause: str, target: str) -> None:
    for name in (cause, target):
        if name not in data.names:
            raise UnknownNameError("variable", str(name), data.names)
    if cause == target:
        raise SettingError(f"the effect of '{cause}' on itself was asked for: name two variables")
    if not data.complete:
        raise DataError(
            "effects with intervals need complete rows, and values are missing: read the data with missing values "
            "dropped or as a state"
        )
    if Kind.CONTINUOUS in data.kinds:
        raise DataError(
            "effects with intervals are for states, and a column holds numbers: use learned.fit(data).effect(...), or "
            "learn with numbers cut"
        )


def place_state(variable: str, states: Sequence[str], state: object) -> int:
    """The place of a state; an UnknownNameError where there is none such."""
    found = StateFinder(states).find(state)
    if found == UNKNOWN:
        raise UnknownNameError(f"state of '{variable}'", str(state), states, ordered=True)
    return found


def _group_by_set(
    sample: GraphSample, cause: str, target: str, rows: EngineRows
) -> tuple[dict[tuple[str, ...] | None, int], int]:
    """How many graphs have each adjustment set (None: no effect), and in how many the effect is reversed."""
    states = dict(zip(rows.names, (len(counts) for counts in rows.marginals), strict=True))
    ends = states[cause] * states[target]
    weights: dict[tuple[str, ...] | None, int] = {}
    turned = 0
    for member, dag in zip(sample.members, sample.dags, strict=True):
        given = optimal_set(dag, cause, target)
        if given is not None and ends * math.prod(states[z] for z in given) > rows.size:
            given = tuple(sorted(dag.names[p] for p in dag.parent_sets[dag.index(cause)]))
        turned += member.weight * (given is None and optimal_set(dag, target, cause) is not None)
        weights[given] = weights.get(given, 0) + member.weight
    return weights, turned


def _apportion(shares: Sequence[float], draws: int) -> list[int]:
    """How many draws each share gets, together all of them: by largest remainder, the first of equals."""
    sizes = [math.floor(share * draws) for share in shares]
    rests = sorted(range(len(shares)), key=lambda i: (sizes[i] - shares[i] * draws, i))
    for i in rests[: draws - sum(sizes)]:
        sizes[i] += 1
    return sizes


def _draw_tables(
    rows: EngineRows,
    names: Sequence[str],
    pair: tuple[str, str],
    given: tuple[str, ...] | None,
    prior: float,
    size: int,
    seed: int,
) -> tuple[Values, int]:
    """Tables of P(target | do(cause)), [draw, x, y]; and how many configurations lack a state of the cause.

    Where `given` is None the cause changes nothing, and the target has its marginal distribution.
    """
    at = {name: v for v, name in enumerate(names)}
    x, y = (at[name] for name in pair)
    random = stream(seed, "effects", "\0".join([*pair, "none" if given is None else "given", *(given or ())]))
    if given is None:
        counts = np.asarray(rows.marginals[y], np.float64)
        drawn = _dirichlet(random, counts + prior / len(counts), size)
        return np.repeat(drawn[:, None, :], len(rows.marginals[x]), axis=1), 0
    family = Families.of([(y, [*(at[z] for z in given), x])])
    found = rows.count_families(family).tables(0, len(rows.marginals[x]), len(rows.marginals[y])).astype(np.float64)
    found = found[found.sum(axis=(1, 2)) > 0]  # configurations that occur
    cells = found.size
    lacking = int((found.sum(axis=2) == 0).any(axis=1).sum())
    parts = []
    step = max(1, CELLS // cells)
    for start in range(0, size, step):
        mine = min(step, size - start)
        of_given = _dirichlet(random, found.sum(axis=(1, 2)) + prior / len(found), mine)
        tables = _dirichlet(random, found + prior / cells, mine)
        parts.append(np.einsum("dz,dzxy->dxy", of_given, tables))
    return np.concatenate(parts) if parts else np.zeros((0, *found.shape[1:])), lacking


def _dirichlet(random: np.random.Generator, alpha: Values, size: int) -> Values:
    """Draws whose last axis sums to 1; parameters far below 1 are drawn by their logarithms."""
    logs = np.log(random.standard_gamma(alpha + 1, (size, *alpha.shape)))
    logs += np.log(1 - random.random(logs.shape)) / alpha
    logs -= logs.max(axis=-1, keepdims=True)
    tables = np.exp(logs)
    drawn: Values = tables / tables.sum(axis=-1, keepdims=True)
    return drawn


def _summarise(
    before: Values,
    after: Values,
    asked: tuple[str, str, tuple[str, str], str],
    known: tuple[float, float, int, float, str, int],
) -> EffectEstimate:
    absent, turned, graphs, level, origin, lacking = known
    tails = [(1 - level) / 2, (1 + level) / 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(before == after, 1.0, after / before)
        odds = np.where(before == after, 1.0, after * (1 - before) / ((1 - after) * before))
    low, high = np.quantile(after - before, tails).tolist()
    ratio_low, ratio_high = np.quantile(ratios, tails, method="inverted_cdf").tolist()
    cause, target, contrast, state = asked
    return EffectEstimate(
        cause=cause,
        target=target,
        contrast=contrast,
        state=state,
        difference=float((after - before).mean()),
        interval=Interval(low, high),
        ratio=float(np.quantile(ratios, 0.5, method="inverted_cdf")),
        ratio_interval=Interval(ratio_low, ratio_high),
        odds_ratio=float(np.quantile(odds, 0.5, method="inverted_cdf")),
        absent=absent,
        reversed=turned,
        graphs=graphs,
        level=level,
        origin=origin,
        without_rows=lacking,
    )
