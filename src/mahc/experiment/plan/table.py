"""A table of a plan file, read key by key; an error names the file, the key, the value and the fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from mahc.errors import FormatError, UnknownNameError, find_near
from mahc.setting_checks import Memory

MOST_ROWS = 10**9
MOST_SEED = 2**63 - 1
# Lists of numbers, which the plan, [quick], a case and a contestant can have: least, most and an example.
NUMBERS = {"sizes": (1, MOST_ROWS, "[100, 1000]"), "seeds": (0, MOST_SEED, "[1, 2, 3]")}


@dataclass
class PlanTable:
    """One table; `close` refuses the keys that were not read.

    >>> table = PlanTable(Path("p.toml"), "limits", {"secnds": 60})
    >>> table.number("seconds", 3600)
    3600
    >>> table.close()
    Traceback (most recent call last):
    mahc.errors.FormatError: p.toml: unknown key in limits 'secnds': did you mean 'seconds'? (known: seconds)
    """

    file: Path
    place: str
    content: Mapping[str, Any]
    _asked: set[str] = field(default_factory=set)

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        self._asked.add(key)
        return key in self.content

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty; without a default it must be given."""
        value = self._get(key, default)
        if not isinstance(value, str) or not (value.strip() or value == default):
            self.refuse(key, value, 'give a text in quotes, such as "asia"')
        self._check_letters(key, value)
        return value

    def flag(self, key: str) -> bool:
        """true or false, by default false."""
        value = self._get(key, False)
        if not isinstance(value, bool):
            self.refuse(key, value, "give true or false")
        return value

    def number(self, key: str, default: float) -> float:
        """A finite number above 0."""
        value = self._get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
            self.refuse(key, value, "give a number above 0")
        return value

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number in a range."""
        value = self._get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.refuse(key, value, f"give a whole number from {least:,} to {most:,}")
        return value

    def memory(self, key: str, default: int, least: int, most: int) -> int:
        """An amount of memory in MiB: a number of them, or a text such as "4GB"."""
        value, check = self._get(key, default), Memory(least, most)
        if not check.accepts(value):
            self.refuse(key, value, f"give {check.allowed}")
        found = check.convert(value)
        assert isinstance(found, int)
        return found

    def numbers(self, key: str, default: list[int] | None = None) -> tuple[int, ...]:
        """The list of different whole numbers under a key of `NUMBERS`."""
        least, most, example = NUMBERS[key]
        values = self._list(key, default, example)
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                self.refuse(key, value, f"give whole numbers from {least:,} to {most:,}, such as {example}")
        self._differ(key, values)
        return tuple(values)

    def texts(self, key: str, default: list[str] | None = None) -> tuple[str, ...]:
        """A list of different texts."""
        values = self._list(key, default)
        for value in values:
            if not isinstance(value, str) or not value.strip():
                self.refuse(key, value, 'give texts in quotes, such as ["clean"]')
            self._check_letters(key, value)
        self._differ(key, values)
        return tuple(values)

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, with repetitions."""
        values = self._list(key, None)
        if not all(isinstance(value, str) and value for value in values):
            self.refuse(key, values, 'give a command as a list, such as ["Rscript", "mine.R", "{data}", "{output}"]')
        if any("\0" in value for value in values):
            self.refuse(key, values, "a command cannot contain the character \\u0000: leave it out")
        return tuple(values)

    def table(self, key: str) -> PlanTable:
        """A nested table, by default empty."""
        value = self._get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, value, f"write it as a table [{key}]")
        return PlanTable(self.file, f"{self.place}.{key}" if self.place else key, value)

    def tables(self, key: str, shorthand: str | None = None) -> list[PlanTable]:
        """A list of tables; a text alone stands for a table with this text under `shorthand`."""
        values = self._list(key, None)
        found = []
        for number, value in enumerate(values, 1):
            table = {shorthand: value} if shorthand and isinstance(value, str) else value
            if not isinstance(table, dict):
                self.refuse(key, value, f"write each as a table [[{key}]]")
            found.append(PlanTable(self.file, f"{key} {number}", table))
        return found

    def close(self) -> None:
        """Refuse keys that were not read."""
        for key in self.content:
            if key not in self._asked:
                where = f" in {self.place}" if self.place else ""
                raise FormatError(str(UnknownNameError(f"key{where}", key, self._asked)), self.file)

    def refuse(self, key: str, value: object, fix: str) -> NoReturn:
        """Raise an error about the value of a key."""
        path = f"{self.place}: {key}" if self.place else key
        raise FormatError(f"{path} is {_shown(value)}: {fix}", self.file)

    def _check_letters(self, key: str, value: str) -> None:
        if not value.isprintable():  # texts appear in tables, on terminals and in XML
            self.refuse(key, value, "it contains a line break or another control character: leave that out")

    def refuse_misspelt(self, key: str) -> None:
        """Refuse a key that looks like this one, which is absent."""
        misspelt = find_near(key, [other for other in self.content if other not in self._asked])
        if misspelt is not None and find_near(misspelt, [key]) is not None:
            where = f" in {self.place}" if self.place else ""
            raise FormatError(f"unknown key{where} '{misspelt}': did you mean '{key}'?", self.file)

    def _get(self, key: str, default: object) -> Any:
        if not self.has(key) and default is None:
            self.refuse_misspelt(key)
            raise FormatError(f"{self.place + ': ' if self.place else ''}{key} is missing: add it", self.file)
        return self.content.get(key, default)

    def _list(self, key: str, default: object, example: str = "") -> list[Any]:
        values = self._get(key, default)
        if not isinstance(values, list) or not values:
            such = f", such as {example}" if example else ""
            self.refuse(key, values, f"give a list in brackets with at least one entry{such}")
        return values

    def _differ(self, key: str, values: list[Any]) -> None:
        twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
        if twice is not None:
            self.refuse(key, values, f"{twice!r} is given twice: give it once")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
