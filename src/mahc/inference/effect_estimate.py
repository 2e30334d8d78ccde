"""An effect with its interval over rows and graphs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mahc.inference.answers import Interval
from mahc.plurals import count

Value = float | str


class CurvePoint(NamedTuple):
    """One point of a dose-response curve: the mean or the probability of the target where the cause has a value."""

    value: float
    expected: float
    interval: Interval


class WeightingCheck(NamedTuple):
    """The same effect by augmented inverse-probability weighting, with the most frequent adjustment set."""

    difference: float
    standard_error: float
    adjusted_for: tuple[str, ...]
    gaps: tuple[str, ...]  # configurations of the set in which a state of the contrast was never seen; the first few

    def describe(self) -> str:
        """The check in words."""
        over = f"adjusted for {', '.join(self.adjusted_for)}" if self.adjusted_for else "without adjustment"
        text = f"Check by weighting, {over}: {self.difference:+.3f}, standard error {self.standard_error:.3f}."
        return f"{text} Never seen: {'; '.join(self.gaps)}." if self.gaps else text


@dataclass(frozen=True)
class EffectEstimate:
    """What setting a cause to one value instead of another changes, with an interval over rows and graphs.

    Parameters
    ----------
    cause, target : str
        The variables.
    contrast : tuple
        The states or numbers of the cause that are compared: the first is the baseline, None for the rest: all other
        states, each set as often as it occurs.
    state : str or None
        The state of the target whose probability is compared; None where the target holds numbers: means are compared.
    condition : mapping
        The states of other variables to which the effect is confined.
    difference : float
        The mean change of the probability, or of the mean.
    interval : Interval
        The interval of the difference. Where a share of the graphs has no effect, it reaches from 0 to the interval of
        those that have one.
    absent : float
        The share of graphs without an effect: the target is no descendant of the cause.
    reversed : float
        The share of graphs in which the cause is a descendant of the target.
    left_out : float
        The share of graphs that were left out: the cause has an effect on a variable of the condition there.
    graphs : int
        Number of graphs.
    level : float
        The share of the draws that the intervals hold.
    origin : str
        Where the graphs come from: "posterior", "bootstrap", ...
    without_rows : int
        Number of configurations of the adjustment sets in which a state of the contrast was never seen.
    curve : tuple of CurvePoint
        Of a cause that holds numbers: what is expected at its deciles.
    sets : tuple
        The adjustment sets, each with the share of the graphs that have it, the most frequent first.
    check : WeightingCheck or None
        The same effect by weighting, where the cause has states, some graph has the effect, and no weight a fraction.
    ratio, odds_ratio : float or None
        Medians; 1 where there is no effect, None for a target that holds numbers.
    ratio_interval : Interval or None
        The interval of the ratio.

    Examples
    --------
    >>> import mahc
    >>> from mahc.networks import load_network, sample
    >>> data = sample(load_network("asia"), 2000, seed=1)
    >>> found = mahc.learn(data, "boss").effect(data, "bronc", "dysp", contrast=("no", "yes"), state="yes")
    >>> found.interval.low < 0.65 < found.interval.high, found.absent < 0.5
    (True, True)
    """

    cause: str
    target: str
    contrast: tuple[Value | None, Value]
    state: str | None
    condition: Mapping[str, str]
    difference: float
    interval: Interval
    absent: float
    reversed: float
    left_out: float
    graphs: int
    level: float
    origin: str
    without_rows: int
    curve: tuple[CurvePoint, ...] = ()
    sets: tuple[tuple[tuple[str, ...], float], ...] = ()
    check: WeightingCheck | None = None
    ratio: float | None = None
    ratio_interval: Interval | None = None
    odds_ratio: float | None = None

    @property
    def per_unit(self) -> float | None:
        """The difference for each unit of a cause that holds numbers."""
        first, second = self.contrast
        if first is None or isinstance(first, str) or isinstance(second, str):
            return None
        return self.difference / (second - first)

    @property
    def e_value(self) -> float | None:
        """How strong an unmeasured confounder would have to be to explain the ratio away (VanderWeele and Ding 2017).

        It is the risk ratio that the confounder would need with both cause and target; 1 where there is no effect.
        """
        if self.ratio is None:
            return None
        ratio = self.ratio if self.ratio >= 1 else (1 / self.ratio if self.ratio else math.inf)
        return ratio + math.sqrt(ratio * (ratio - 1)) if math.isfinite(ratio) else math.inf

    def describe(self) -> str:
        """The estimate, its interval, and what the graphs say, in one sentence each."""
        low, high = self.interval.low, self.interval.high
        first_value, second_value = self.contrast
        after = _show_value(second_value)
        before = "the other states" if first_value is None else _show_value(first_value)
        what = f"mean of {self.target}" if self.state is None else f"probability of {self.target} = {self.state}"
        form = "+.4g" if self.state is None else "+.3f"
        where = " and ".join(f"{name} = {value}" for name, value in self.condition.items())
        if self.absent >= 1:
            return self._describe_absence(f"{f'Where {where}, ' if where else ''}{self.cause} = {after}", before, what)
        text = (
            f"{f'Where {where}, ' if where else ''}{self.cause} = {after} instead of {before} changes the {what} by "
            f"{self.difference:{form}}, {100 * self.level:g} % interval {low:{form}} to {high:{form}}"
        )
        if self.per_unit is not None:
            text += f" ({self.per_unit:+.4g} per unit)"
        if self.ratio is not None and self.ratio_interval is not None:
            first, last = _show_ratio(self.ratio_interval.low), _show_ratio(self.ratio_interval.high)
            text += f" (ratio {_show_ratio(self.ratio)}, {first} to {last}"
            text += ")" if self.odds_ratio is None else f"; odds ratio {_show_ratio(self.odds_ratio)})"
        text += f". {100 * self.absent:.0f} % of {count(self.graphs, 'graph')} ({self.origin}) have no such effect"
        text += f", {100 * self.reversed:.0f} % an effect of {self.target} on {self.cause}." if self.reversed else "."
        if self.left_out:
            text += (
                f" {100 * self.left_out:.0f} % of the graphs were left out: {self.cause} changes "
                f"{' or '.join(self.condition)} there."
            )
        if low <= 0 <= high:
            text += " The data and graphs do not tell the effect from none."
        elif self.e_value is not None:
            text += f" E-value {_show_ratio(self.e_value)}."
        return text if self.check is None else f"{text} {self.check.describe()}"

    def _describe_absence(self, after: str, before: str, what: str) -> str:
        """What is said where no graph has the effect: a difference of 0 would look as if it had been measured."""
        text = f"{after} instead of {before} does not change the {what}: none of {count(self.graphs, 'graph')} "
        text += f"({self.origin}) has a directed path from {self.cause} to {self.target}"
        return f"{text}, {100 * self.reversed:.0f} % have one back." if self.reversed else f"{text}."

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        ratios = self.ratio_interval
        return {
            "contrast": list(self.contrast),
            "state": self.state,
            "condition": dict(self.condition),
            "difference": self.difference,
            "interval": [self.interval.low, self.interval.high],
            "per_unit": self.per_unit,
            "ratio": _finite(self.ratio),
            "ratio_interval": None if ratios is None else [_finite(ratios.low), _finite(ratios.high)],
            "odds_ratio": _finite(self.odds_ratio),
            "e_value": _finite(self.e_value),
            "absent": self.absent,
            "reversed": self.reversed,
            "left_out": self.left_out,
            "graphs": self.graphs,
            "origin": self.origin,
            "level": self.level,
            "without_rows": self.without_rows,
            "check": None if self.check is None else self.check._asdict(),
            "adjustment_sets": [{"variables": list(names), "share": share} for names, share in self.sets],
            "curve": [
                {
                    "value": point.value,
                    "expected": point.expected,
                    "interval": [point.interval.low, point.interval.high],
                }
                for point in self.curve
            ],
        }


def _show_value(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _show_ratio(ratio: float) -> str:
    """Three digits; where a probability is nearly 0, only that the ratio is far from 1.

    >>> _show_ratio(1.234), _show_ratio(1e-9), _show_ratio(2e9)
    ('1.23', 'below 0.001', 'above 1,000')
    """
    return "below 0.001" if ratio < 0.001 else "above 1,000" if ratio > 1000 else f"{ratio:.3g}"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
