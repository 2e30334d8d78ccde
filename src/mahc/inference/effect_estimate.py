"""An effect with its interval over rows and graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mahc.inference.answers import Interval
from mahc.plurals import count


@dataclass(frozen=True)
class EffectEstimate:
    """What setting a cause to one state instead of another changes, with an interval over rows and graphs.

    Parameters
    ----------
    cause, target : str
        The variables.
    contrast : tuple of str
        The states of the cause that are compared: the first is the baseline.
    state : str
        The state of the target whose probability is compared.
    difference : float
        The mean change of the probability.
    interval : Interval
        The interval of the difference.
    ratio, odds_ratio : float
        Medians; 1 where there is no effect.
    ratio_interval : Interval
        The interval of the ratio.
    absent : float
        The share of graphs without an effect: the target is no descendant of the cause.
    reversed : float
        The share of graphs in which the cause is a descendant of the target.
    graphs : int
        Number of graphs.
    level : float
        The share of the draws that the intervals hold.
    origin : str
        Where the graphs come from: "posterior".
    without_rows : int
        Number of configurations of the adjustment sets in which a state of the contrast was never seen.

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
    contrast: tuple[str, str]
    state: str
    difference: float
    interval: Interval
    ratio: float
    ratio_interval: Interval
    odds_ratio: float
    absent: float
    reversed: float
    graphs: int
    level: float
    origin: str
    without_rows: int

    @property
    def e_value(self) -> float:
        """How strong an unmeasured confounder would have to be to explain the ratio away (VanderWeele and Ding 2017).

        It is the risk ratio that the confounder would need with both cause and target; 1 where there is no effect.
        """
        ratio = self.ratio if self.ratio >= 1 else (1 / self.ratio if self.ratio else math.inf)
        return ratio + math.sqrt(ratio * (ratio - 1)) if math.isfinite(ratio) else math.inf

    def describe(self) -> str:
        """The estimate, its interval, and what the graphs say, in one sentence each."""
        low, high = self.interval.low, self.interval.high
        text = (
            f"{self.cause} = {self.contrast[1]} instead of {self.contrast[0]} changes the probability of "
            f"{self.target} = {self.state} by {self.difference:+.3f}, {100 * self.level:g} % interval {low:+.3f} to "
            f"{high:+.3f} (ratio {self.ratio:.3g}, {self.ratio_interval.low:.3g} to {self.ratio_interval.high:.3g})."
        )
        share = f"{100 * self.absent:.0f} % of {count(self.graphs, 'graph')} ({self.origin}) have no such effect"
        turned = f", {100 * self.reversed:.0f} % an effect of {self.target} on {self.cause}" if self.reversed else ""
        text += f" {share}{turned}."
        if low <= 0 <= high:
            return f"{text} The data and graphs do not tell the effect from none."
        return f"{text} E-value {self.e_value:.2f}."

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "contrast": list(self.contrast),
            "state": self.state,
            "difference": self.difference,
            "interval": [self.interval.low, self.interval.high],
            "ratio": self.ratio if math.isfinite(self.ratio) else None,
            "ratio_interval": [
                x if math.isfinite(x) else None for x in (self.ratio_interval.low, self.ratio_interval.high)
            ],
            "odds_ratio": self.odds_ratio if math.isfinite(self.odds_ratio) else None,
            "e_value": self.e_value if math.isfinite(self.e_value) else None,
            "absent": self.absent,
            "reversed": self.reversed,
            "graphs": self.graphs,
            "origin": self.origin,
            "level": self.level,
            "without_rows": self.without_rows,
        }
