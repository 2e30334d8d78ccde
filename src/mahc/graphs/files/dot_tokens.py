"""Tokens of the DOT language and of DAGitty's extensions, each with its line."""

from __future__ import annotations

import re
from typing import NamedTuple

from mahc.errors import FormatError

# Longer signs first. The first characters decide the alternative, so nothing is scanned twice.
_TOKEN = re.compile(
    r"(?P<space>[\s\ufeff]+|//[^\n]*|/\*)"
    r"|(?P<edge><->|<--|<-@|<-|@->|@-@|@--|-->|->|--@|--)"
    r'|(?P<quote>")'
    r"|(?P<sign>[{}\[\];,=:+])"
    r"|(?P<tag><)"
    r"|(?P<word>-?[\w.]+)"
)


class Token(NamedTuple):
    """A word, an edge sign or a punctuation mark; `kind` is word, quoted, edge, sign or end.

    >>> Token("word", "a", 1).kind
    'word'
    """

    kind: str
    text: str
    line: int


def split_tokens(text: str, file: object) -> list[Token]:
    """All tokens of a text without comments, and a last one of kind `end`."""
    tokens: list[Token] = []
    place, line = 0, 1
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise FormatError(f"'{text[place]}' is not expected here", file, line)
        kind, end = str(found.lastgroup), found.end()
        if kind == "space":
            end = _end_comment(text, end, file, line) if found[0] == "/*" else end
        elif kind == "quote":
            end, content = _read_quoted(text, end, file, line)
            tokens.append(Token("quoted", content, line))
        elif kind == "tag":
            end = _end_tag(text, end, file, line)
            tokens.append(Token("quoted", text[place:end], line))
        else:
            tokens.append(Token(kind, found[0], line))
        line += text.count("\n", place, end)
        place = end
    return [*tokens, Token("end", "the end of the file", line)]


def _end_comment(text: str, start: int, file: object, line: int) -> int:
    end = text.find("*/", start)
    if end < 0:
        raise FormatError("the comment that begins here is never closed", file, line)
    return end + 2


_UNQUOTED = re.compile(r'[^"\\]+|\\.|"', re.DOTALL)


def _read_quoted(text: str, start: int, file: object, line: int) -> tuple[int, str]:
    # Only \" and a backslash at the end of a line have a meaning; every other backslash is kept.
    parts: list[str] = []
    for found in _UNQUOTED.finditer(text, start):
        piece = found[0]
        if piece == '"':
            return found.end(), "".join(parts)
        parts.append({'\\"': '"', "\\\n": ""}.get(piece, piece))
    raise FormatError("the quoted name that begins here is never closed", file, line)


def _end_tag(text: str, start: int, file: object, line: int) -> int:
    # An HTML label: balanced angle brackets.
    depth = 1
    for found in re.compile("[<>]").finditer(text, start):
        depth += 1 if found[0] == "<" else -1
        if depth == 0:
            return found.end()
    raise FormatError("the '<' that begins here is never closed", file, line)


def quote(name: str) -> str:
    """The name in quotes; raise FormatError if the language cannot hold it.

    >>> quote('the "x"')
    '"the \\\\"x\\\\""'
    """
    if name.endswith("\\") or '\\"' in name or "\\\n" in name:
        raise FormatError(f"the name {name!r} cannot be quoted here: write JSON instead")
    return '"' + name.replace('"', '\\"') + '"'
