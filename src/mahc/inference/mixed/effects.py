"""Effects in models of numbers: means or probabilities of a target under do(), and contrasts between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

from mahc.errors import PerInterface, SettingError
from mahc.inference.answers import Answer, NumberAnswer


@dataclass(frozen=True, eq=False)
class MixedEffect:
    """The distribution of a target under each intervention on a cause, one of which holds numbers.

    Estimates have standard errors; that of a contrast takes the two draws as independent.

    Parameters
    ----------
    cause, target : str
        The variables.
    values : tuple of float or str
        The numbers or states that the cause is set to.
    answers : tuple of Answer or NumberAnswer
        For each of these, the distribution of the target.

    Examples
    --------
    >>> low, high = (NumberAnswer(("y",), mean, 1.0, {0.5: mean}) for mean in (2.0, 8.0))
    >>> effect = MixedEffect("x", "y", (1.0, 3.0), (low, high))
    >>> effect.difference(3.0), effect.per_unit(3.0)
    (6.0, 3.0)
    """

    cause: str
    target: str
    values: tuple[float | str, ...]
    answers: tuple[Answer, ...] | tuple[NumberAnswer, ...]

    @property
    def target_states(self) -> tuple[str, ...] | None:
        """The states of the target; None where it holds numbers."""
        first = self.answers[0]
        return None if isinstance(first, NumberAnswer) else tuple(map(str, first))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the reader, each once."""
        return tuple(dict.fromkeys(note for answer in self.answers for note in answer.notes))

    def expected(self, value: float | str, state: str | None = None) -> float:
        """The mean of the target under do(value) or, where it has states, the probability of one."""
        return self._at(value, state)[0]

    def error(self, value: float | str, state: str | None = None) -> float:
        """The standard error of `expected`; 0 where it is exact."""
        return self._at(value, state)[1]

    def difference(self, value: float | str, baseline: float | str | None = None, state: str | None = None) -> float:
        """What setting the cause to `value`, not to `baseline` (the first value), adds to mean or probability."""
        return self.expected(value, state) - self.expected(self._base(baseline), state)

    def difference_error(
        self, value: float | str, baseline: float | str | None = None, state: str | None = None
    ) -> float:
        """The standard error of `difference`."""
        return hypot(self.error(value, state), self.error(self._base(baseline), state))

    def per_unit(self, value: float | str, baseline: float | str | None = None, state: str | None = None) -> float:
        """`difference` for each unit of the cause, which must hold numbers."""
        return self.difference(value, baseline, state) / self._distance(value, self._base(baseline))

    def to_dict(self, baseline: float | str | None = None) -> dict[str, object]:
        """For JSON: an entry per value of the cause and, where the target has states, per state."""
        base = self._base(baseline)
        rows = []
        for value in self.values:
            for state in self.target_states or (None,):
                entry: dict[str, object] = {"do": value}
                entry |= {"mean": self.expected(value)} if state is None else {"state": state}
                entry |= {} if state is None else {"probability": self.expected(value, state)}
                entry["standard_error"] = self.error(value, state)
                if value != base:
                    entry["difference"] = self.difference(value, base, state)
                    entry["difference_error"] = self.difference_error(value, base, state)
                    if not isinstance(value, str):
                        entry["per_unit"] = self.per_unit(value, base, state)
                rows.append(entry)
        method = "weighting" if any(answer.method == "weighting" for answer in self.answers) else "exact"
        found = {"cause": self.cause, "target": self.target, "baseline": base, "method": method, "effects": rows}
        return {**found, "notes": list(self.notes)}

    def lines(self, baseline: float | str | None = None) -> list[str]:
        """A line per intervention and, where the target has states, per state; then the notes."""
        base = self._base(baseline)
        compared = f"; compared with do({self.cause}={_show(base)})"
        lines = [f"Effect of {self.cause} on {self.target}{compared}"]
        for value in self.values:
            lines.append(f"do({self.cause}={_show(value)})")
            for state in self.target_states or (None,):
                what = "mean" if state is None else state
                text = f"  {what}  {_with_error(self.expected(value, state), self.error(value, state))}"
                if value != base:
                    change = _with_error(self.difference(value, base, state), self.difference_error(value, base, state))
                    text += f"  difference {change}"
                    if not isinstance(value, str):
                        text += f"  per unit {self.per_unit(value, base, state):.4g}"
                lines.append(text)
        return [*lines, *self.notes]

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _at(self, value: float | str, state: str | None) -> tuple[float, float]:
        answer = self.answers[self.values.index(self._base(value))]
        if isinstance(answer, NumberAnswer):
            return answer.mean, answer.standard_error or 0.0
        states = self.target_states or ()
        if state is None or str(state) not in states:
            raise SettingError(f"'{self.target}' has no state {state!r}: name one of {', '.join(states)}")
        error = 0.0 if answer.standard_errors is None else answer.standard_errors[state]
        return answer[state], error

    def _base(self, value: float | str | None) -> float | str:
        """One of the values, however it is written."""
        if value is None:
            return self.values[0]
        found = next((each for each in self.values if _same(each, value)), None)
        if found is None:
            listed = ", ".join(map(_show, self.values))
            raise SettingError(f"the effect of {self.cause}={value} was not asked for: name one of {listed}")
        return found

    def _distance(self, value: float | str, base: float | str) -> float:
        if isinstance(value, str) or isinstance(base, str):
            raise SettingError(f"'{self.cause}' has states, which have no unit: ask for the difference")
        return float(value) - float(base) or inf


def _same(value: float | str, given: float | str) -> bool:
    if isinstance(value, str):
        return value == str(given)
    try:
        return value == float(given)
    except ValueError:
        return False


def _show(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _with_error(value: float, error: float) -> str:
    return f"{value:.4g}" + (f" ± {error:.2g}" if error else "")


def check_values(cause: str, values: Sequence[object]) -> None:
    """Refuse fewer than two values to compare."""
    if len(values) < 2:
        more = PerInterface("values=[1, 2]", "--from 1 --to 2")
        raise SettingError(f"an effect of '{cause}' compares two values at least: give them as in ", more)
