"""Answers to queries: mappings from states to probabilities, with what is known about their precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

State = str | tuple[str, ...]


@dataclass(frozen=True)
class Interval:
    """The lowest and the highest value.

    Parameters
    ----------
    low, high : float
        The ends.

    Examples
    --------
    >>> Interval(0.25, 0.5)
    0.25 to 0.5
    """

    low: float
    high: float

    def __repr__(self) -> str:
        return f"{self.low:.6g} to {self.high:.6g}"

    @property
    def width(self) -> float:
        """The distance between the two."""
        return self.high - self.low


@dataclass(frozen=True, eq=False)
class Answer(Mapping[State, float]):
    """The probability of each state; of each tuple of states where several variables were asked for together.

    Parameters
    ----------
    targets : tuple of str
        The variables that were asked for.
    probabilities : mapping
        The probability of each state.
    method : str
        How they were computed.
    given_log2 : float, optional
        The binary logarithm of the probability of what was given, where it was computed.
    standard_errors : mapping, optional
        Of an estimate: the standard error of each probability.
    effective_draws : float, optional
        Of an estimate: how many independent draws it is worth.
    intervals : mapping, optional
        The credible interval of each probability.
    level : float, optional
        The level of the intervals.
    notes : tuple of str
        Sentences for the reader.

    Examples
    --------
    >>> Answer(("lung",), {"yes": 0.1, "no": 0.9})["yes"]
    0.1
    """

    targets: tuple[str, ...]
    probabilities: Mapping[State, float]
    method: str = "exact"
    given_log2: float | None = None
    standard_errors: Mapping[State, float] | None = None
    effective_draws: float | None = None
    intervals: Mapping[State, Interval] | None = None
    level: float | None = None
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, state: State) -> float:
        return self.probabilities[state]

    def __iter__(self) -> Iterator[State]:
        return iter(self.probabilities)

    def __len__(self) -> int:
        return len(self.probabilities)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash((self.targets, tuple(self.probabilities.items())))

    def __repr__(self) -> str:
        inner = ", ".join(f"{state!r}: {self._show(state)}" for state in self)
        return "{" + inner + "}"

    def _show(self, state: State) -> str:
        text = f"{self[state]:.6g}"
        if self.standard_errors is not None:
            text += f" ± {self.standard_errors[state]:.2g}"
        if self.intervals is not None:
            text += f" ({self.intervals[state]!r})"
        return text

    @property
    def most_probable(self) -> State:
        """The state with the largest probability, the first of equal ones."""
        return max(self, key=self.probabilities.__getitem__)

    def to_dict(self) -> dict[str, object]:
        """For JSON: one entry per state."""
        states = []
        for state in self:
            entry: dict[str, object] = {"state": state if isinstance(state, str) else list(state)}
            entry["probability"] = self[state]
            if self.standard_errors is not None:
                entry["standard_error"] = self.standard_errors[state]
            if self.intervals is not None:
                entry["interval"] = [self.intervals[state].low, self.intervals[state].high]
            states.append(entry)
        found: dict[str, object] = {"targets": list(self.targets), "method": self.method, "states": states}
        if self.given_log2 is not None:
            found["given_log2"] = self.given_log2
        if self.effective_draws is not None:
            found["effective_draws"] = self.effective_draws
        if self.level is not None:
            found["level"] = self.level
        if self.notes:
            found["notes"] = list(self.notes)
        return found


@dataclass(frozen=True)
class NumberAnswer:
    """The distribution of a number: mean, standard deviation and quantiles, in the units of the data.

    Parameters
    ----------
    targets : tuple of str
        The variable that was asked for.
    mean, standard_deviation : float
        Of its distribution.
    quantiles : mapping
        The value below which each share of the distribution lies.
    method : str
        How they were computed: exact, quadrature (numerical integration) or weighting (an estimate).
    standard_error : float, optional
        Of an estimate: the standard error of the mean.
    effective_draws : float, optional
        Of an estimate: how many independent draws it is worth.
    notes : tuple of str
        Sentences for the reader.
    interval : Interval, optional
        The interval of the means, where many graphs were asked.
    level : float, optional
        The level of the interval.
    points : tuple of array, optional
        Points of the distribution and their weights, which have the sum 1.

    Examples
    --------
    >>> NumberAnswer(("dose",), 2.0, 0.5, {0.05: 1.2, 0.5: 2.0, 0.95: 2.8})
    mean 2, standard deviation 0.5, median 2, 5 % 1.2, 95 % 2.8
    """

    targets: tuple[str, ...]
    mean: float
    standard_deviation: float
    quantiles: Mapping[float, float]
    method: str = "exact"
    standard_error: float | None = None
    effective_draws: float | None = None
    notes: tuple[str, ...] = field(default=())
    interval: Interval | None = None
    level: float | None = None
    points: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False, compare=False)

    @property
    def median(self) -> float:
        """The value that half of the distribution lies below; a KeyError where the quantile 0.5 was not asked for."""
        return self.quantiles[0.5]

    def lines(self) -> list[tuple[str, float]]:
        """What is shown, each number with its name."""
        named = [("mean", self.mean), ("standard deviation", self.standard_deviation)]
        named += [("median", value) for share, value in self.quantiles.items() if share == 0.5]
        return named + [(f"{share:.3g} %", value) for share, value in self._shares() if share != 50]

    def _shares(self) -> list[tuple[float, float]]:
        return [(100 * share, value) for share, value in sorted(self.quantiles.items())]

    def __repr__(self) -> str:
        texts = [f"{name} {value:.6g}" for name, value in self.lines()]
        if self.standard_error is not None:
            texts[0] += f" ± {self.standard_error:.2g}"
        if self.interval is not None:
            texts[0] += f" ({self.interval!r})"
        return ", ".join(texts)

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        found: dict[str, object] = {"targets": list(self.targets), "method": self.method, "mean": self.mean}
        found["standard_deviation"] = self.standard_deviation
        found["quantiles"] = [{"share": share, "value": value} for share, value in sorted(self.quantiles.items())]
        if self.standard_error is not None:
            found["standard_error"] = self.standard_error
        if self.effective_draws is not None:
            found["effective_draws"] = self.effective_draws
        if self.interval is not None:
            found["interval"] = [self.interval.low, self.interval.high]
        if self.level is not None:
            found["level"] = self.level
        if self.notes:
            found["notes"] = list(self.notes)
        return found


@dataclass(frozen=True)
class MostProbable:
    """The most probable states of all variables together, given those that were observed or set.

    Parameters
    ----------
    states : mapping
        The state of each variable that was not given or set.
    probability : float
        The probability of these states, given what was given.
    log2_joint : float
        The binary logarithm of the probability of these states and what was given together.

    Examples
    --------
    >>> MostProbable({"rain": "yes"}, 0.75, -1.4).states["rain"]
    'yes'
    """

    states: Mapping[str, str]
    probability: float
    log2_joint: float
