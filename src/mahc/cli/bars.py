"""Probabilities as lines of text: a number and, on a terminal, a bar for each state."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.inference import Answer

MOST_LINES = 200


def answer_lines(answer: Answer) -> list[str]:
    """One line per state; of a joint distribution with many states the most probable ones, and how many more."""
    states = list(answer)
    if len(states) > MOST_LINES:
        states = sorted(states, key=lambda state: -answer[state])[:MOST_LINES]
    labels = [state if isinstance(state, str) else ", ".join(state) for state in states]
    width = max(map(len, labels))
    lines = []
    for state, label in zip(states, labels, strict=True):
        text = f"  {label.ljust(width)}  {answer[state]:.6f}"
        if answer.standard_errors is not None:
            text += f" ± {answer.standard_errors[state]:.6f}"
        if answer.intervals is not None:
            text += f"  ({answer.intervals[state].low:.6f} to {answer.intervals[state].high:.6f})"
        lines.append(f"{text}  {bar(answer[state], len(text) + 2)}".rstrip())
    if len(answer) > len(states):
        lines.append(f"  and {count(len(answer) - len(states), 'less probable state')}")
    return lines


def bar(probability: float, used: int) -> str:
    """A bar that fills what is left of the terminal's line at probability 1; nothing where there is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return ""
    room = min(60, shutil.get_terminal_size().columns - used - 1)
    block = "█" if (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" else "#"
    return block * round(max(0, room) * min(1.0, probability))
