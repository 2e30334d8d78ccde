"""What was decided about the input, and what stands in the way of using it."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.errors import Message


@dataclass(frozen=True)
class Decision:
    """One thing that was decided or noticed while the data came in; `warning` marks those to look at.

    The numbers belong to the kind: cut points of `discretised`, (states, rows) of `identifier`, and so on.

    >>> Decision("age", "discretised", "cut at 18 and 65", (18.0, 65.0)).warning
    False
    """

    column: str | None
    kind: str
    message: str
    numbers: tuple[float, ...] = ()
    warning: bool = False

    def sentence(self) -> str:
        """The message with the column in front, as a person reads it."""
        return self.message if self.column is None else f"column {shorten(self.column)}: {self.message}"


@dataclass(frozen=True)
class Problem:
    """A reason why the data cannot be used as they are, and the way out.

    >>> Problem("age", "real-valued", "holds real numbers", "discretise it").sentence()
    "column 'age' holds real numbers: discretise it"
    """

    column: str | None
    kind: str
    message: str
    fix: str | Message

    def told(self) -> Message:
        """One sentence: the thing, what is wrong, the fix."""
        subject = "" if self.column is None else f"column {shorten(self.column)} "
        return Message(f"{subject}{self.message}: ", self.fix)

    def sentence(self) -> str:
        """The same as Python writes it."""
        return str(self.told())


def shorten(value: object, limit: int = 40) -> str:
    """The value as it is quoted in a sentence, cut when it is long.

    >>> shorten("x" * 50, limit=5)
    "'xxxxx...'"
    """
    text = str(value)
    return repr(text if len(text) <= limit else text[:limit] + "...")


def enumerate_some(items: list[str], limit: int = 5) -> str:
    """The first few items with commas, and how many more there are.

    >>> enumerate_some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    if len(items) <= limit:
        return ", ".join(items)
    return ", ".join(items[:limit]) + f" and {len(items) - limit:,} more"
