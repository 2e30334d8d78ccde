"""Commands as a user can paste them into a shell."""

from __future__ import annotations

import shlex

from mahc.safe_text import escape_controls


def join_words(words: list[str]) -> str:
    """Words for the shell; those with control characters in the quotes in which bash and zsh take escapes."""
    return " ".join(shlex.quote(word) if escape_controls(word) == word else _quote_escapes(word) for word in words)


def _quote_escapes(word: str) -> str:
    letters = []
    for letter in word:
        if letter in "\\'":
            letters.append(f"\\{letter}")
        elif escape_controls(letter) == letter:
            letters.append(letter)
        else:
            letters.append(f"\\x{ord(letter):02x}" if letter.isascii() else f"\\U{ord(letter):08x}")
    return f"$'{''.join(letters)}'"
