"""Names in a picture: approximate width, wrapping, escaping for XML."""

from __future__ import annotations

import functools
import html
import re
import unicodedata

SIZE = 12.0
LINE_LENGTH = 18  # characters in a line of a name
MAX_LINES = 12

_BREAK = re.compile(r"[\s_.:;,/|+-]+|(?<=[a-z0-9])(?=[A-Z])")
_NARROW = frozenset("iljtfrI.,:;'|!()[]{} -`")
_WIDE = frozenset("mwMW@%")


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
