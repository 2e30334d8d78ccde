"""Names of variables in pictures: the width of their text, its lines, and the box around them."""

from __future__ import annotations

import functools
import html
import math
import re
import unicodedata
from dataclasses import dataclass

SIZE = 12.0
LINE_LENGTH = 18  # characters in a line of a name
MAX_LINES = 12

_BREAK = re.compile(r"[\s_.:;,/|+-]+|(?<=[a-z0-9])(?=[A-Z])")
_NARROW = frozenset("iljtfrI.,:;'|!()[]{} -`")
_WIDE = frozenset("mwMW@%")
PADDING = 10.0
LINE = 1.2 * SIZE
ONE_LINE = 26.0  # height of a box with one line
NARROWEST = 44.0


def measure(text: str) -> float:
    """The approximate width of a text in the font of the picture.

    >>> measure("ii") < measure("ab") < measure("MM")
    True
    """
    return sum(_measure_letter(letter) for letter in text)


def _measure_letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return SIZE
    if letter in _NARROW:
        return 0.36 * SIZE
    if letter in _WIDE:
        return 0.87 * SIZE
    return (0.68 if letter.isupper() else 0.57) * SIZE


@functools.lru_cache(4096)
def wrap(name: str) -> tuple[str, ...]:
    """The name in lines of at most `LINE_LENGTH` characters, broken after blanks and signs where possible.

    A name of more than `MAX_LINES` lines is cut, with an ellipsis.

    >>> wrap("HISTORY"), wrap("systolic_blood_pressure_at_admission")
    (('HISTORY',), ('systolic_blood_', 'pressure_at_', 'admission'))
    """
    if len(name) <= LINE_LENGTH:
        return (name,)
    lines: list[str] = []
    rest = name
    while len(rest) > LINE_LENGTH:
        breaks = [match.end() for match in _BREAK.finditer(rest, 0, LINE_LENGTH) if match.end() >= LINE_LENGTH // 3]
        at = breaks[-1] if breaks else LINE_LENGTH
        lines.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    lines += [rest] if rest else []
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], lines[MAX_LINES - 1][: LINE_LENGTH - 1] + "…"]
    return tuple(lines)


def escape(text: str) -> str:
    """The text for XML: `<`, `&` and quotes escaped, characters that XML forbids replaced.

    >>> escape('<b a="1">&')
    '&lt;b a=&quot;1&quot;&gt;&amp;'
    """
    return html.escape("".join(letter if _is_allowed(letter) else "\ufffd" for letter in text))


def _is_allowed(letter: str) -> bool:
    code = ord(letter)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


@dataclass(frozen=True)
class NodeBox:
    """A box with round corners around (x, y); `tierless` if there are tiers and the variable is in none.

    >>> NodeBox.of("a", 30.0, 20.0).holds((30.0, 8.0))
    True
    """

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    tierless: bool = False

    @classmethod
    def of(cls, name: str, x: float, y: float, tierless: bool = False) -> NodeBox:
        """The box of a variable around a point."""
        return cls(x, y, *node_size(name), wrap(name), tierless)

    @property
    def radius(self) -> float:
        """The radius of the corners."""
        return min(ONE_LINE, self.height) / 2

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether a point is inside."""
        across = max(abs(point[0] - self.x) - (self.width / 2 - self.radius), 0.0)
        along = max(abs(point[1] - self.y) - (self.height / 2 - self.radius), 0.0)
        return math.hypot(across, along) < self.radius


def node_size(name: str) -> tuple[float, float]:
    """The width and height of the box of a variable.

    >>> node_size("a")
    (44.0, 26.0)
    """
    lines = wrap(name)
    return max(NARROWEST, max(map(measure, lines)) + 2 * PADDING), ONE_LINE + LINE * (len(lines) - 1)
