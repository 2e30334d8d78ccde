"""Text from files and users, made fit to be shown: no control characters, a readable length."""

from __future__ import annotations

import re
import unicodedata

MAX_WORD, MAX_SENTENCE = 200, 1000
_JOINERS = "\u200c\u200d"  # within words of Persian and Indian scripts, and within emoji
_SUSPECT = re.compile(r"[^ -~\u00a1-\u00ac\u00ae-\u05ff]")  # a first look; most texts have none


def escape_controls(text: str) -> str:
    r"""The text with every character that acts on a terminal, or is invisible, written as its escape.

    Those are the control characters (line breaks too), unpaired surrogates, line separators, and the characters that
    change the direction of text. Letters of all scripts stay as they are.

    >>> print(escape_controls("caf\u00e9 \x1b[31m\u202e\n"))
    café \x1b[31m\u202e\n
    """
    return _SUSPECT.sub(_escape, text)


def escape_controls_in_json(text: str) -> str:
    r"""JSON with such characters, which only its texts can hold, as JSON writes them; its own line breaks stay.

    >>> print(escape_controls_in_json('{"a": "\x7f"}'))
    {"a": "\u007f"}
    """
    return _SUSPECT.sub(lambda found: found[0] if found[0] == "\n" else _escape_for_json(found[0]), text)


def shorten_sentence(text: str) -> str:
    """A sentence with its longest words, and then itself, cut in the middle.

    >>> shorten_sentence(f"the value {'9' * 5000} is too large: give less").replace("9" * 20, "")
    'the value ... is too large: give less'
    """
    short = " ".join(_cut(word, MAX_WORD) for word in text.split(" "))
    return _cut(short, MAX_SENTENCE)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit * 7 // 10]}...{text[-limit * 2 // 10 :]}"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return character.encode("unicode_escape").decode("ascii") if _acts(character) else character


def _escape_for_json(character: str) -> str:
    if not _acts(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _acts(character: str) -> bool:
    if character in _JOINERS:
        return False
    kind = unicodedata.category(character)
    return kind in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co")
