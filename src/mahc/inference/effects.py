"""Effects of interventions: probabilities under do() and their contrasts; over a class of DAGs as intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from mahc.data.prepare.matching import place_state
from mahc.errors import DataError, MahcError, SettingError, UnknownNameError
from mahc.graphs import MixedGraph
from mahc.inference.adjustment_sets import possible_parents
from mahc.inference.answers import Interval
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.evidence import Question
from mahc.inference.exact import MAX_BYTES, joint
from mahc.inference.factors import Values
from mahc.networks.network import Network
from mahc.plurals import count


@dataclass(frozen=True, eq=False)
class Effect:
    """The distribution of a target under each intervention on a cause, in every DAG that is possible.

    Values are intervals over the tables: data alone cannot say which of them is right. Where there is one table, both
    ends of an interval are equal.

    Parameters
    ----------
    cause, target : str
        The variables.
    cause_states, target_states : tuple of str
        Their states.
    parent_sets : tuple of tuples
        The sets of parents that the cause can have.
    tables : tuple of arrays
        For each of these sets, the probability of the target's state y when the cause is set to its state x, at [x, y].
    shares : tuple of float
        How often each state of the cause occurs where nothing sets it.

    Examples
    --------
    >>> from mahc.inference import Model
    >>> effect = Model.load("asia").effect("smoke", "lung", over="class")
    >>> effect.parent_sets
    ((), ('bronc',), ('lung',))
    >>> effect.probability("yes", "no").high.__round__(3)
    0.055
    """

    cause: str
    target: str
    cause_states: tuple[str, ...]
    target_states: tuple[str, ...]
    parent_sets: tuple[tuple[str, ...], ...]
    tables: tuple[Values, ...]
    shares: tuple[float, ...]

    @property
    def identified(self) -> bool:
        """Whether all possible DAGs agree, within rounding."""
        return all(np.allclose(table, self.tables[0], rtol=1e-9, atol=1e-12) for table in self.tables)

    def probability(self, target_state: str, cause_state: str) -> Interval:
        """The probability of a state of the target when the cause is set to a state."""
        x, y = self._cause(cause_state), self._target(target_state)
        return _span([float(table[x, y]) for table in self.tables])

    def difference(self, target_state: str, cause_state: str, baseline: str | None = None) -> Interval:
        """The probability under do(cause_state) less that under do(baseline).

        Without a baseline it is compared with the rest: all other states, each set as often as it occurs.
        """
        return _span([after - before for before, after in self._compare(target_state, cause_state, baseline)])

    def ratio(self, target_state: str, cause_state: str, baseline: str | None = None) -> Interval:
        """The probability under do(cause_state) divided by that under do(baseline); infinite where that is 0."""
        return _span([_divide(after, before) for before, after in self._compare(target_state, cause_state, baseline)])

    def odds_ratio(self, target_state: str, cause_state: str, baseline: str | None = None) -> Interval:
        """The odds under do(cause_state) divided by those under do(baseline); infinite where these are 0."""
        pairs = self._compare(target_state, cause_state, baseline)
        return _span([_divide(after * (1 - before), before * (1 - after)) for before, after in pairs])

    def _compare(self, target_state: str, cause_state: str, baseline: str | None) -> list[tuple[float, float]]:
        """In each DAG the probability under the baseline, or under the rest, and that under do(cause_state)."""
        x, y = self._cause(cause_state), self._target(target_state)
        if baseline is None:
            weights = weigh_rest(self.cause, self.cause_states, self.shares, x)
        else:
            weights = np.arange(len(self.cause_states)) == self._cause(baseline)
        return [(float(weights @ table[:, y]), float(table[x, y])) for table in self.tables]

    def to_dict(self, baseline: str | None = None, to: str | None = None) -> dict[str, object]:
        """For JSON: an entry per state of the cause and of the target, compared with `baseline` and with the rest.

        With `to`, the entries of that state of the cause and of the baseline alone.
        """
        base = self.cause_states[0] if baseline is None else baseline
        rows = []
        for x in self._shown(base, to):
            for y in self.target_states:
                values: dict[str, object] = {"do": x, "state": y, "probability": _pair(self.probability(y, x))}
                if x != base:
                    values |= self._contrast(y, x, base)
                if self._has_rest(x):
                    values["against_the_rest"] = self._contrast(y, x, None)
                rows.append(values)
        return {
            "cause": self.cause,
            "target": self.target,
            "baseline": base,
            "parent_sets": [list(names) for names in self.parent_sets],
            "identified": self.identified,
            "effects": rows,
        }

    def _contrast(self, target_state: str, cause_state: str, baseline: str | None) -> dict[str, object]:
        measures = {"difference": self.difference, "ratio": self.ratio, "odds_ratio": self.odds_ratio}
        return {name: _pair(measure(target_state, cause_state, baseline)) for name, measure in measures.items()}

    def _has_rest(self, cause_state: str) -> bool:
        return any(share > 0 for x, share in zip(self.cause_states, self.shares, strict=True) if x != cause_state)

    def _shown(self, baseline: str | None, to: str | None) -> list[str]:
        """The states of the cause to tell about."""
        if to is None:
            return list(self.cause_states)
        chosen = self.cause_states[self._cause(to)]
        if chosen == baseline:
            raise SettingError(f"{self.cause} = {chosen} is compared with itself: give another baseline")
        return [x for x in self.cause_states if x in (baseline, chosen)]

    def lines(self, baseline: str | None = None, *, to: str | None = None, rest: bool = False) -> list[str]:
        """A line per intervention and state of the target, compared with `baseline` or, with `rest`, with the rest.

        With `to`, those of that state of the cause and of the baseline alone.
        """
        base = None if rest else self.cause_states[self._cause(baseline or self.cause_states[0])]
        number = len(self.tables)
        against = "all other states together" if base is None else f"do({self.cause}={base})"
        over = "" if number == 1 else f", over {count(number, 'possible set')} of causes of {self.cause}"
        lines = [f"Effect of {self.cause} on {self.target}{over}; compared with {against}"]
        width, changes = max(map(len, self.target_states)), False
        for x in self._shown(base, to):
            lines.append(f"do({self.cause}={x})")
            for y in self.target_states:
                text = f"  {y.ljust(width)}  {_show(self.probability(y, x))}"
                if x != base and (base is not None or self._has_rest(x)):
                    difference = self.difference(y, x, base)
                    changes = changes or max(abs(difference.low), abs(difference.high)) > 1e-9
                    text += f"  difference {_show(difference)}  ratio {_show(self.ratio(y, x, base))}"
                    text += f"  odds ratio {_show(self.odds_ratio(y, x, base))}"
                lines.append(text)
        return lines if changes else [*lines, f"Setting {self.cause} does not change {self.target} in this graph"]

    def __repr__(self) -> str:
        many = len(self.tables)
        which = "" if many == 1 else f", over {count(many, 'possible parent set')} of {self.cause}"
        lines = [f"Effect of {self.cause} on {self.target}{which}"]
        for x in self.cause_states:
            shown = ", ".join(f"{y} {_show(self.probability(y, x))}" for y in self.target_states)
            lines.append(f"  do({self.cause}={x}): {shown}")
        return "\n".join(lines)

    def _cause(self, state: str) -> int:
        return place_state(self.cause, self.cause_states, state)

    def _target(self, state: str) -> int:
        return place_state(self.target, self.target_states, state)


def weigh_rest(cause: str, states: Sequence[str], shares: Sequence[float] | Values, state: int) -> Values:
    """How often each of the other states occurs among them; a DataError where none does.

    >>> weigh_rest("dose", ["no", "low", "high"], [0.5, 0.25, 0.25], 0).tolist()
    [0.0, 0.5, 0.5]
    """
    weights = np.array(shares, np.float64)
    weights[state] = 0.0
    total = weights.sum()
    if not total > 0:
        raise DataError(f"{cause} is always {states[state]}: there is no other state to compare it with")
    rest: Values = weights / total
    return rest


def _divide(first: float, second: float) -> float:
    return first / second if second else (1.0 if not first else inf)


def _span(values: list[float]) -> Interval:
    return Interval(min(values), max(values))


def _pair(interval: Interval) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in (interval.low, interval.high)]


def _show(interval: Interval) -> str:
    same = interval.high - interval.low <= 1e-9
    return f"{interval.low:.4f}" if same else f"{interval.low:.4f} to {interval.high:.4f}"


def compute_effect(
    compiled: CompiledNetwork, cause: str, target: str, pattern: MixedGraph | None, max_bytes: int = MAX_BYTES
) -> Effect:
    """The effect in the network's DAG or, with a pattern, in all DAGs of that class.

    In one DAG, P(target | do(cause)) is the sum over the states s of the cause's parents of
    P(target | cause, s) P(s). All DAGs of a class have the same joint distribution, so the network's gives it.
    """
    network = compiled.network
    places = {name: node for node, name in enumerate(network.names)}
    for name in (cause, target):
        if name not in places:
            raise UnknownNameError("variable", str(name), places)
    if cause == target:
        raise SettingError(f"the effect of '{cause}' on itself was asked for: name two variables")
    x, y = places[cause], places[target]
    if pattern is None:
        sets: tuple[tuple[str, ...], ...] = (tuple(sorted(network.names[p] for p in network.parents[x])),)
        tables = [_by_truncation(compiled, x, y, max_bytes)]
    else:
        sets = possible_parents(pattern, cause)
        tables = [_by_adjustment(compiled, x, y, [places[name] for name in names], max_bytes) for names in sets]
    shares = tuple(joint(compiled, Question((x,), {}, {}, {}), max_bytes)[0][0].tolist())
    return Effect(cause, target, network.states[x], network.states[y], sets, tuple(tables), shares)


def _by_truncation(compiled: CompiledNetwork, x: int, y: int, max_bytes: int) -> Values:
    rows = []
    for state in range(compiled.sizes[x]):
        table, _ = joint(compiled, Question((y,), {}, {}, {x: state}), max_bytes)
        rows.append(table[0])
    return np.stack(rows)


def _by_adjustment(compiled: CompiledNetwork, x: int, y: int, parents: list[int], max_bytes: int) -> Values:
    if y in parents:  # the target comes before the cause: nothing changes
        table, _ = joint(compiled, Question((y,), {}, {}, {}), max_bytes)
        return np.repeat(table, compiled.sizes[x], axis=0)
    found, _ = joint(compiled, Question((x, y, *parents), {}, {}, {}), max_bytes)
    together = found[0].reshape(compiled.sizes[x], compiled.sizes[y], -1)  # x, y, states of the parents
    of_parents = together.sum(axis=(0, 1))
    with_cause = together.sum(axis=1)
    lacking = (with_cause <= 0) & (of_parents > 0)
    if lacking.any():
        _refuse_lacking(compiled.network, x, parents, int(np.argwhere(lacking)[0][0]))
    divisor = np.where(with_cause > 0, with_cause, 1.0)
    adjusted: Values = (together * (of_parents / divisor)[:, None, :]).sum(axis=2)
    return adjusted


def _refuse_lacking(network: Network, x: int, parents: list[int], state: int) -> None:
    shown = ", ".join(network.names[p] for p in parents)
    raise MahcError(
        f"{network.names[x]}={network.states[x][state]} has probability 0 in some configuration of {shown}, so its "
        "effect cannot be computed: fit the tables with a prior above 0"
    )
