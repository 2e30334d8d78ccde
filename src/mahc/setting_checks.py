"""The values that a setting may have: whole numbers, numbers, names, True and False, texts."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from mahc.errors import InvalidSettingError, Message, Value, choices, find_near


class Check(ABC):
    """A kind of value; `kind` is bool for flags, list where an option may be repeated, else the type of a value."""

    kind: ClassVar[type]

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The accepted values in words, such as "a whole number from 1 to 8"."""

    @abstractmethod
    def accepts(self, value: object) -> bool:
        """Whether this value is one of them."""

    def advise(self, value: object) -> Message:
        """What to give instead of this value."""
        return Message(f"give {self.allowed}")

    def convert(self, value: object) -> object:
        """The value as a setting keeps it; one that is not accepted is returned as it is."""
        return value

    def parse(self, text: Any) -> object:
        """The value that a word of the command line stands for; a list of words where `kind` is list.

        A word that does not stand for one is returned as it is, for `accepts` to refuse.
        """
        return text

    def require(self, setting: str, value: object, optional: bool = False) -> None:
        """Refuse a value that is not accepted."""
        if not self.accepts(value):
            fix = Message(self.advise(value), ", or leave it out") if optional else self.advise(value)
            raise InvalidSettingError(setting, value, fix, self.allowed)


@dataclass(frozen=True)
class Whole(Check):
    """A whole number in a range.

    >>> Whole(1, 1024).allowed
    'a whole number from 1 to 1,024'
    """

    least: int
    most: int

    kind: ClassVar[type] = int

    @property
    def allowed(self) -> str:
        """The range."""
        return f"a whole number from {self.least:,} to {self.most:,}"

    def accepts(self, value: object) -> bool:
        """True is not a number here."""
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most

    def parse(self, text: str) -> object:
        """A whole number."""
        try:
            return int(text)
        except ValueError:
            return text


SIZE_UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
SIZE_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([kmgt]i?b)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Memory(Check):
    """An amount of memory in whole MiB: a number of MiB, or a text with a unit.

    KB, MB, GB and TB are powers of 1000; KiB, MiB, GiB and TiB are powers of 1024. Parts of a MiB are left off.

    >>> Memory(1, 10**9).convert("4GB"), Memory(1, 10**9).convert("1.5 GiB"), Memory(1, 10**9).convert(64)
    (3814, 1536, 64)
    """

    least: int
    most: int

    kind: ClassVar[type] = int

    @property
    def allowed(self) -> str:
        """The range, and how units are written."""
        return f"a whole number of MiB from {self.least:,} to {self.most:,}, or a size such as 4GB or 512MiB"

    def accepts(self, value: object) -> bool:
        """A number of MiB in the range, or a text that stands for one."""
        found = self.convert(value)
        return isinstance(found, int) and not isinstance(found, bool) and self.least <= found <= self.most

    def convert(self, value: object) -> object:
        """The number of MiB."""
        matched = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
        if matched is None:
            return value
        number, unit = matched.groups()
        if unit is None:
            return int(number) if number.isdigit() else value
        return int(Decimal(number) * SIZE_UNITS[unit.lower()]) >> 20

    def parse(self, text: str) -> object:
        """The number of MiB; a text that does not stand for one, or for less than one, stays."""
        found = self.convert(text)
        return found if self.accepts(found) or text.strip().isdecimal() else text


@dataclass(frozen=True)
class Number(Check):
    """A finite number; `above` and `below` are outside the range, `least` is inside.

    >>> Number(above=0, below=1, hint="0.01 is usual").allowed
    'a number between 0 and 1 (0.01 is usual)'
    """

    above: float = -math.inf
    below: float = math.inf
    least: float = -math.inf
    hint: str = ""

    kind: ClassVar[type] = float

    @property
    def allowed(self) -> str:
        """The range."""
        hint = f" ({self.hint})" if self.hint else ""
        if self.above > -math.inf and self.below < math.inf:
            return f"a number between {self.above:g} and {self.below:g}{hint}"
        if self.least > -math.inf and self.below < math.inf:
            return f"a number from {self.least:g} to below {self.below:g}{hint}"
        if self.least > -math.inf:
            return f"a number from {self.least:g} up{hint}"
        return f"a number above {self.above:g}{hint}"

    def accepts(self, value: object) -> bool:
        """Neither True nor infinity nor NaN."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        return self.above < value < self.below and value >= self.least

    def parse(self, text: str) -> object:
        """A number."""
        try:
            return float(text)
        except ValueError:
            return text


@dataclass(frozen=True)
class OneOf(Check):
    """One of a few names.

    >>> print(OneOf("g2", "x2").advise("g3"))
    did you mean 'g2'? (allowed: "g2", "x2")
    """

    names: tuple[str, ...]

    kind: ClassVar[type] = str

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    @property
    def allowed(self) -> str:
        """The names."""
        return f"one of {', '.join(self.names)}"

    def accepts(self, value: object) -> bool:
        """Spelled exactly so."""
        return isinstance(value, str) and value in self.names

    def advise(self, value: object) -> Message:
        """The name that looks most like the value, and all names."""
        near = find_near(value, self.names) if isinstance(value, str) else None
        names = choices(self.names)
        return Message(f"did you mean '{near}'? (allowed: ", names, ")") if near else Message("give one of ", names)


@dataclass(frozen=True)
class Flag(Check):
    """True or False.

    >>> Flag().accepts("no")
    False
    """

    kind: ClassVar[type] = bool

    @property
    def allowed(self) -> str:
        """Both."""
        return "True or False"

    def accepts(self, value: object) -> bool:
        """0 and 1 are not accepted."""
        return isinstance(value, bool)

    def advise(self, value: object) -> Message:
        """Both, as each interface writes them."""
        return Message("give ", Value(True), " or ", Value(False))


@dataclass(frozen=True)
class Text(Check):
    """A text.

    >>> Text("the name of a column").allowed
    'the name of a column'
    """

    meaning: str = "a text"

    kind: ClassVar[type] = str

    @property
    def allowed(self) -> str:
        """What the text says."""
        return self.meaning

    def accepts(self, value: object) -> bool:
        """Any text that is not empty."""
        return isinstance(value, str) and value != ""


@dataclass(frozen=True)
class Several(Check):
    """A list; a text alone is refused, its letters would be taken one by one.

    >>> Several("a list of names").accepts("abc")
    False
    """

    meaning: str

    kind: ClassVar[type] = list

    @property
    def allowed(self) -> str:
        """What the list holds."""
        return self.meaning

    def accepts(self, value: object) -> bool:
        """Anything that can be iterated over but a text."""
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)

    def parse(self, text: list[str]) -> object:
        """The words."""
        return tuple(text)

    def advise(self, value: object) -> Message:
        """A text alone is put in brackets."""
        return Message(f"give {self.allowed}, in brackets")


@dataclass(frozen=True)
class Described(Check):
    """Values of several types, which their owner checks itself; here they are described only.

    >>> Described("a column's name or one number per row").accepts([1, 2])
    True
    """

    meaning: str

    kind: ClassVar[type] = str

    @property
    def allowed(self) -> str:
        """The description."""
        return self.meaning

    def accepts(self, value: object) -> bool:
        """Anything: the owner checks."""
        return True
