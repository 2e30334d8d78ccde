"""Read a numpydoc docstring: its text, its sections, and the entries of its parameters."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

HEADINGS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "Notes",
    "See Also",
    "References",
    "Examples",
)
ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")


@dataclass(frozen=True)
class Entry:
    """One parameter, result or exception."""

    names: tuple[str, ...]
    kind: str
    text: str


@dataclass(frozen=True)
class DocText:
    """A docstring in its parts."""

    text: str
    sections: dict[str, str]

    def entries(self, heading: str) -> list[Entry]:
        """The entries of a section such as Parameters."""
        found = []
        for part in re.split(r"\n(?=\S)", self.sections.get(heading, "")):
            first, _, rest = part.partition("\n")
            if not first.strip():
                continue
            names, _, kind = first.partition(" : ")
            found.append(Entry(tuple(n.strip() for n in names.split(",")), kind.strip(), inspect.cleandoc(rest)))
        return found

    def documented(self) -> set[str]:
        """The names of all documented parameters, without their asterisks."""
        entries = self.entries("Parameters") + self.entries("Attributes")
        return {name.lstrip("*") for entry in entries for name in entry.names}

    @property
    def has_example(self) -> bool:
        """Whether there is an example to run."""
        return ">>>" in self.text or ">>>" in self.sections.get("Examples", "")


def parse(docstring: str | None) -> DocText:
    """Split a docstring at its underlined headings.

    >>> parse("Add.\\n\\nParameters\\n----------\\na : int\\n    One.").entries("Parameters")
    [Entry(names=('a',), kind='int', text='One.')]
    """
    text = inspect.cleandoc(docstring or "")
    pieces = re.split(rf"^({'|'.join(HEADINGS)})\n-{{3,}}\n?", text, flags=re.M)
    sections = {pieces[i]: pieces[i + 1].strip("\n") for i in range(1, len(pieces), 2)}
    return DocText(pieces[0].strip(), sections)
