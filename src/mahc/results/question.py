"""A question to an expert: is one variable a direct cause of another, or the reverse, or neither?"""

from __future__ import annotations

from dataclasses import dataclass

from mahc.errors import InvalidSettingError
from mahc.knowledge.knowledge import Knowledge

ANSWERS = ("no edge", "->", "<-")


@dataclass(frozen=True)
class Change:
    """What an answer changes about another pair: the probability of an answer about it, before and after."""

    left: str
    answer: str
    right: str
    before: float
    after: float

    def __str__(self) -> str:
        what = f"{self.left} {self.answer} {self.right}" if self.answer != ANSWERS[0] else _none(self.left, self.right)
        return f"{what} ({100 * self.before:.0f} -> {100 * self.after:.0f} %)"


@dataclass(frozen=True)
class Question:
    """A pair of variables to ask an expert about.

    Parameters
    ----------
    left, right : str
        The variables.
    probabilities : dict
        The probability of each answer in the sample: "->" (left causes right), "<-", "no edge".
    worth : float
        The expected fall of entropy in bits or, where an effect is in question, the share of its variance.
    changes : dict
        For each answer, what it would change about other pairs most.

    Examples
    --------
    >>> asked = Question("smoke", "lung", {"no edge": 0.1, "->": 0.6, "<-": 0.3}, 1.9, {})
    >>> asked.knowledge("->").required_arcs, asked.knowledge("no edge").forbidden_edges
    ((('smoke', 'lung'),), (('lung', 'smoke'),))
    """

    left: str
    right: str
    probabilities: dict[str, float]
    worth: float
    changes: dict[str, tuple[Change, ...]]

    def knowledge(self, answer: str) -> Knowledge:
        """The answer as knowledge: a required arc, or a forbidden edge."""
        return answer_knowledge(self.left, answer, self.right)

    def lines(self) -> list[str]:
        """The question, and what each answer would change."""
        found = [f"Is {self.left} a direct cause of {self.right}, or {self.right} of {self.left}, or neither?"]
        for answer in ("->", "<-", ANSWERS[0]):
            what = f"{self.left} {answer} {self.right}" if answer != ANSWERS[0] else _none(self.left, self.right)
            text = f"  {100 * self.probabilities[answer]:3.0f} %  {what}"
            told = self.changes.get(answer, ())
            found.append(text + (f"; then {', '.join(map(str, told))}" if told else ""))
        return found

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "left": self.left,
            "right": self.right,
            "probabilities": dict(self.probabilities),
            "worth": self.worth,
            "changes": {
                answer: [
                    {"left": c.left, "answer": c.answer, "right": c.right, "before": c.before, "after": c.after}
                    for c in told
                ]
                for answer, told in self.changes.items()
            },
        }


def answer_knowledge(left: str, answer: str, right: str) -> Knowledge:
    """What an expert's answer about two variables says.

    >>> answer_knowledge("smoke", "<-", "age").required_arcs
    (('age', 'smoke'),)
    """
    if answer == "->":
        return Knowledge(required_arcs=((left, right),))
    if answer == "<-":
        return Knowledge(required_arcs=((right, left),))
    if answer == ANSWERS[0]:
        return Knowledge(forbidden_edges=((left, right),))
    raise InvalidSettingError("answer", answer, 'give "->", "<-" or "no edge"')


def _none(left: str, right: str) -> str:
    return f"no edge between {left} and {right}"
