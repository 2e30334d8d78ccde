"""A long table on the page: each row is one subject at one time, and what is learned from are windows of times."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import ValidationError

from mahc.data import ReadSettings
from mahc.documents import Document, Number, from_plain
from mahc.drawing.labels import node_size, wrap
from mahc.errors import SettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.panels.learning import list_notes, open_panel, transition_knowledge, with_slices, without_slices
from mahc.panels.slices import Panel
from mahc.plurals import count

GAP_SENTENCES = {
    "drop": "windows that span a time the subject lacks are left out",
    "next": "where a subject lacks a time, its next row follows",
}


class PanelChoice(Document, frozen=True):
    """How the rows of a long table follow each other: the arguments of `mahc.learn_panel`."""

    subject: str = ""
    time: str = ""
    static: tuple[str, ...] = ()
    lags: int = 1
    gaps: str = "drop"

    @property
    def earlier(self) -> int:
        """How many tiers come before the present slice: static variables, and a tier for each lag."""
        return self.lags + bool(self.static)

    def open(self, path: Path, reading: ReadSettings) -> Panel:
        """The panel of a file; a MahcError where it is none."""
        if not self.subject or not self.time:
            raise SettingError("each row is to be one person at one time: choose the column of each")
        return open_panel(path, self.subject, self.time, self.static, self.lags, self.gaps, reading)

    def describe(self) -> str:
        """What a row is that the graph was learned from, and what follows from it."""
        return (
            f"Each row is a window of {count(self.lags + 1, 'time')} that follow each other within one subject "
            f"(columns {self.subject} and {self.time}); {GAP_SENTENCES[self.gaps]}. What is earlier is given: "
            "arcs into it are not learned. The rows of one subject depend on each other."
        )

    def complete(self, stated: Knowledge, panel: Panel) -> Knowledge:
        """What is stated, which may hold the order in time already, with that order."""
        own = transition_knowledge(panel, self.lags, within=True).tiers[: self.earlier]
        known = [set(tier) for tier in stated.tiers[: self.earlier]] == [set(tier) for tier in own]
        given, within = without_slices(stated, self.earlier if known else 0)
        return with_slices(given, panel, self.lags, within)

    def arguments(self) -> dict[str, Any]:
        """The arguments after subject and time that differ from the defaults."""
        usual = PanelChoice()
        found = {name: getattr(self, name) for name in ("static", "lags", "gaps")}
        changed = {name: value for name, value in found.items() if value != getattr(usual, name)}
        return {name: list(value) if name == "static" else value for name, value in changed.items()}

    def options(self) -> list[str]:
        """The same as words of `mahc panel`."""
        words = ["--subject", self.subject, "--time", self.time]
        for name, value in self.arguments().items():
            for each in value if name == "static" else [value]:
                words += [f"--{name}", str(each)]
        return words


class SliceVariable(Document, frozen=True):
    """A variable of a slice, with the lines and the size of its box."""

    name: str
    lines: tuple[str, ...]
    width: Number
    height: Number


class PanelAnswer(Document, frozen=True):
    """The windows of a long table: what they are, their variables, and what is known of the order in time."""

    text: str
    size: str
    notes: tuple[str, ...]
    variables: tuple[SliceVariable, ...]
    knowledge: dict[str, Any]


def describe_panel(choice: PanelChoice, panel: Panel) -> PanelAnswer:
    """What the page shows of a panel."""
    windows = panel.windows(choice.lags, choice.gaps)
    size = (
        f"{count(panel.subject_count, 'subject')}, {count(panel.wave_count, 'time')}, {count(windows.rows, 'window')}"
    )
    return PanelAnswer(
        text=choice.describe(),
        size=size,
        notes=tuple(list_notes(panel)),
        variables=tuple(SliceVariable(name, wrap(name), *node_size(name)) for name in windows.names),
        knowledge=transition_knowledge(panel, choice.lags, within=True).to_dict(),
    )


def split_reading(reading: object) -> tuple[dict[str, Any], PanelChoice | None]:
    """The settings of reading that a request gave, without and with what it says of a panel.

    >>> split_reading({"missing": "drop", "panel": {"subject": "id", "time": "day"}})
    ({'missing': 'drop'}, PanelChoice(subject='id', time='day', static=(), lags=1, gaps='drop'))
    """
    if not isinstance(reading, Mapping):
        raise SettingError("the settings of reading are not a table of names and values")
    settings = {str(name): value for name, value in reading.items()}
    given = settings.pop("panel", None)
    try:
        return settings, None if given is None else from_plain(given, PanelChoice)
    except ValidationError as problem:
        raise SettingError(f"the panel is not valid: {problem}") from None
