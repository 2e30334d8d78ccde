"""Answers to queries: mappings from states to probabilities, with what is known about their precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

State = str | tuple[str, ...]


@dataclass(frozen=True)
class Interval:
    """The lowest and the highest value.

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

    `given_log2` is the binary logarithm of the probability of what was given, where it was computed. An estimate has
    `standard_errors`; an answer with a credible level has `intervals`. `notes` are sentences for the reader.

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
class MostProbable:
    """The most probable states of all variables together, given those that were observed or set.

    `probability` is that of these states given what was given; `log2_joint` is the binary logarithm of the probability
    of these states and what was given together.
    """

    states: Mapping[str, str]
    probability: float
    log2_joint: float
