"""Notes and problems: what was decided while reading the data, and why they cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.errors import Mention, Message
from mahc.safe_text import shorten_sentence


def merged_label(states: Sequence[str]) -> str:
    """What neighbouring states are called as one.

    >>> merged_label(["low", "medium"]), merged_label(["high"])
    ('low..medium', 'high')
    """
    return states[0] if len(states) == 1 else f"{states[0]}..{states[-1]}"


@dataclass(frozen=True)
class Note:
    """One thing that was decided or noticed while reading.

    Parameters
    ----------
    column : str or None
        The column; None for the whole table.
    kind : str
        What it is about, for instance "discretised" or "identifier".
    message : str
        The sentence for the user.
    numbers : tuple of float
        Numbers whose meaning depends on the kind: cut points for "discretised", (states, rows) for "identifier".
    warning : bool
        Whether the user should check it.
    fix : Message or None
        What to do about it.
    remedies : tuple of Mention
        The settings of `read` that do it.

    Examples
    --------
    >>> Note("age", "discretised", "cut at 18 and 65", (18.0, 65.0)).warning
    False
    """

    column: str | None
    kind: str
    message: str
    numbers: tuple[float, ...] = ()
    warning: bool = False
    fix: Message | None = None
    remedies: tuple[Mention, ...] = ()

    def as_message(self) -> Message:
        """The message, preceded by the column and followed by the fix."""
        subject = "" if self.column is None else f"column {shorten(self.column)}: "
        return Message(subject, self.message, *(("; ", self.fix) if self.fix else ()))

    def sentence(self) -> str:
        """The same as text, in Python spelling."""
        return str(self.as_message())


@dataclass(frozen=True)
class MergedNote(Note):
    """Neighbouring states of an ordinal column that are one, in groups; a result records them."""

    groups: tuple[tuple[str, ...], ...] = ()


def note_merged(name: str, groups: Sequence[Sequence[str]]) -> MergedNote:
    """The note about a column whose states were merged."""
    listed = enumerate_some([merged_label(group) for group in groups if len(group) > 1])
    return MergedNote(name, "merged", f"neighbouring states merged: {listed}", groups=tuple(map(tuple, groups)))


@dataclass(frozen=True)
class Problem:
    """A reason why the data cannot be used as they are, and the fix.

    Parameters
    ----------
    column : str or None
        The column; None for the whole table.
    kind : str
        What it is about, for instance "real-valued".
    message : str
        What is wrong.
    fix : str or Message
        What the user can do.
    remedies : tuple of Mention
        The settings of `read` that do it.

    Examples
    --------
    >>> Problem("age", "real-valued", "holds real numbers", "discretise it").sentence()
    "column 'age' holds real numbers: discretise it"
    """

    column: str | None
    kind: str
    message: str
    fix: str | Message
    remedies: tuple[Mention, ...] = ()

    def as_message(self) -> Message:
        """One sentence: the thing, what is wrong, the fix."""
        subject = "" if self.column is None else f"column {shorten(self.column)} "
        return Message(f"{subject}{self.message}: ", self.fix)

    def sentence(self) -> str:
        """The same as text, in Python spelling."""
        return str(self.as_message())


def shorten(value: object, limit: int = 40) -> str:
    """The value in quotes, shortened if it is long.

    >>> shorten("x" * 50, limit=5)
    "'xxxxx...'"
    """
    text = str(value)
    return repr(text if len(text) <= limit else text[:limit] + "...")


def enumerate_some(items: list[str], limit: int = 5) -> str:
    """The first items, separated by commas, and the number of the others.

    >>> enumerate_some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    shown = ", ".join(shorten_sentence(item) for item in items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit:,} more"
