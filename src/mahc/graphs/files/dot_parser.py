"""Parser for the grammar that DOT and DAGitty share: braces, nodes, chains of edges, attributes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mahc.errors import FormatError
from mahc.graphs.files.graph_format import GraphBuilder

# Longer signs first. The first characters decide the alternative, so nothing is scanned twice.
_TOKEN = re.compile(
    r"(?P<space>[\s\ufeff]+|//[^\n]*|/\*)"
    r"|(?P<edge><->|<--|<-@|<-|@->|@-@|@--|-->|->|--@|--)"
    r'|(?P<quote>")'
    r"|(?P<sign>[{}\[\];,=:+])"
    r"|(?P<tag><)"
    r"|(?P<word>-?[\w.]+)"
)

_UNQUOTED = re.compile(r'[^"\\]+|\\.|"', re.DOTALL)
Attributes = dict[str, str]
DEEPEST = 50  # braces within braces


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


# (kind of graph, edge sign, attributes) -> the marks of the edge, or None if the sign is not allowed.
MarkReader = Callable[[str, Token, Attributes], str | None]


class DotReader:
    """Adds the nodes and edges of a text to a builder; `kinds` are the keywords that may open a graph.

    >>> builder = GraphBuilder()
    >>> DotReader(builder, "digraph { a -> {b c} }", ("digraph",), lambda *_: "-->").read()
    >>> builder.build().arcs
    (('a', 'b'), ('a', 'c'))
    """

    def __init__(self, builder: GraphBuilder, text: str, kinds: tuple[str, ...], mark_of: MarkReader) -> None:
        self._builder = builder
        self._tokens = split_tokens(text, builder.file)
        self._at = 0
        self._kinds = kinds
        self._mark_of = mark_of
        self._kind = ""
        self.labels: dict[str, str] = {}  # labels that differ from the name of their node

    def read(self) -> None:
        """Read the one graph that the text holds."""
        if self._is_keyword("strict"):
            self._at += 1
        if not any(self._is_keyword(kind) for kind in self._kinds):
            self._refuse(f"one of {', '.join(self._kinds)}")
        self._kind = self._next().text.lower()
        if self._here.kind in ("word", "quoted"):
            self._at += 1
        self._take("{")
        self._read_statements({}, 1)
        if self._here.kind != "end":
            self._refuse("the end of the file")

    @property
    def _here(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._here
        if token.kind != "end":
            self._at += 1
        return token

    def _sees(self, sign: str) -> bool:
        return self._here.kind == "sign" and self._here.text == sign

    def _is_keyword(self, text: str) -> bool:
        return self._here.kind == "word" and self._here.text.lower() == text

    def _take(self, sign: str) -> None:
        if not self._sees(sign):
            self._refuse(f"'{sign}'")
        self._at += 1

    def _refuse(self, wanted: str) -> None:
        self._builder.refuse(f"{wanted} is expected, but '{self._here.text[:40]}' was found", self._here.line)

    def _name(self) -> str:
        if self._here.kind not in ("word", "quoted"):
            self._refuse("a name")
        token = self._next()
        text = token.text
        while token.kind == "quoted" and self._sees("+"):
            self._at += 1
            if self._here.kind != "quoted":
                self._refuse("a quoted text")
            text += self._next().text
        return text

    def _read_statements(self, edge_defaults: Attributes, depth: int) -> dict[str, None]:
        # Reads the statements up to the closing brace; returns the names in them.
        if depth > DEEPEST:
            self._builder.refuse(f"braces are nested more than {DEEPEST} deep", self._here.line)
        defaults = dict(edge_defaults)
        names: dict[str, None] = {}
        while not self._sees("}"):
            if self._sees(";") or self._sees(","):
                self._at += 1
            else:
                names.update(self._read_statement(defaults, depth))
        self._at += 1
        return names

    def _read_statement(self, defaults: Attributes, depth: int) -> dict[str, None]:
        for keyword in ("graph", "node", "edge"):
            if self._is_keyword(keyword) and self._tokens[self._at + 1][:2] == ("sign", "["):
                self._at += 1
                attributes = self._read_attributes()
                if keyword == "edge":
                    defaults.update(attributes)
                return {}
        following = self._tokens[self._at + 1][:2] if self._here.kind != "end" else None
        if self._here.kind in ("word", "quoted") and following == ("sign", "="):
            self._at += 2
            self._name()
            return {}
        return self._read_chain(defaults, depth)

    def _read_chain(self, defaults: Attributes, depth: int) -> dict[str, None]:
        groups = [self._read_end(defaults, depth)]
        signs: list[Token] = []
        while self._here.kind == "edge":
            signs.append(self._next())
            groups.append(self._read_end(defaults, depth))
        own = self._read_attributes()
        attributes = {**defaults, **own}
        if not signs:
            self.labels.update({name: own["label"] for name in groups[0] if own.get("label", name) != name})
        for sign, lefts, rights in zip(signs, groups, groups[1:], strict=False):
            mark = self._mark_of(self._kind, sign, attributes)
            if mark is None:
                self._builder.refuse(f"the edge sign '{sign.text}' is not allowed in a {self._kind}", sign.line)
            for left in lefts:
                for right in rights:
                    self._builder.add_edge(left, mark, right, sign.line)
        names: dict[str, None] = {}
        for group in groups:
            names.update(group)
        return names

    def _read_end(self, defaults: Attributes, depth: int) -> dict[str, None]:
        # One end of an edge: a name, or all names in braces.
        if self._is_keyword("subgraph"):
            self._at += 1
            if self._here.kind in ("word", "quoted"):
                self._at += 1
        if self._sees("{"):
            self._at += 1
            return self._read_statements(defaults, depth + 1)
        line = self._here.line
        name = self._name()
        for _ in range(2):  # a port and a compass point
            if self._sees(":"):
                self._at += 1
                self._name()
        self._builder.add_variable(name, line)
        return {name: None}

    def _read_attributes(self) -> Attributes:
        attributes: Attributes = {}
        while self._sees("["):
            self._at += 1
            while not self._sees("]"):
                if self._sees(",") or self._sees(";"):
                    self._at += 1
                    continue
                key = self._name().lower()
                attributes[key] = ""
                if self._sees("="):
                    self._at += 1
                    attributes[key] = self._name()
            self._at += 1
        return attributes
