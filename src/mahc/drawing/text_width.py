"""Names in a picture: approximate width, shortening, escaping for XML."""

from __future__ import annotations

import html
import unicodedata

SIZE = 12.0
LONGEST = 28  # characters of a name that a node shows

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


def shorten(name: str) -> str:
    """The name, or its beginning and an ellipsis."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def escape(text: str) -> str:
    """The text for XML: `<`, `&` and quotes escaped, characters that XML forbids replaced.

    >>> escape('<b a="1">&')
    '&lt;b a=&quot;1&quot;&gt;&amp;'
    """
    return html.escape("".join(letter if _is_allowed(letter) else "\ufffd" for letter in text))


def _is_allowed(letter: str) -> bool:
    code = ord(letter)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
