"""What an audit says of missing values: sentences for people, JSON for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mahc.cli.spelling import CommandLineSpelling
from mahc.errors import Mention, Message
from mahc.safe_text import escape_controls

if TYPE_CHECKING:
    from mahc.learning.incomplete.missingness import Missingness


def missingness_view(found: Missingness) -> list[str]:
    """How much is missing, on what it depends, and the method to use, one line each."""
    advice = Message("to learn a graph use ", Mention("missing", found.recommended), f": {found.reason}")
    lines = [*found.sentences(), advice.render(CommandLineSpelling())]
    return [f"missing values: {escape_controls(line)}" for line in lines]


def missingness_document(found: Missingness | None) -> dict[str, Any] | None:
    """The same for JSON; None where nothing is missing."""
    return None if found is None else asdict(found)
