"""Tokens of the formats with braces and semicolons (BIF, DSC, DSL, NET), each with its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from mahc.errors import FormatError
from mahc.plurals import noun

BIF_MARKS = "{}()[];,|"
DSC_MARKS = BIF_MARKS + "=:"
NET_MARKS = BIF_MARKS + "="


class Token(NamedTuple):
    """One word or punctuation mark; a quoted word is never a mark.

    >>> Token("table", False, 3).line
    3
    """

    text: str
    mark: bool
    line: int


class TokenReader:
    """Reads the tokens of a text one by one; an unexpected token is an error with its line.

    >>> reader = TokenReader('variable "my x" { }')
    >>> reader.word(), reader.word(), reader.take("{").line
    ('variable', 'my x', 1)
    """

    def __init__(self, text: str, file: object = None, marks: str = BIF_MARKS, comment: str = "//") -> None:
        self.file = file
        self._tokens = _split(text, file, marks, comment)
        self._at = 0

    @property
    def ended(self) -> bool:
        """Whether all tokens were read."""
        return self._at >= len(self._tokens)

    def refuse(self, sentence: str, line: int | None = None) -> NoReturn:
        """Raise a FormatError at a line, by default that of the last token."""
        if line is None and self._tokens:
            line = self._tokens[max(self._at - 1, 0)].line
        raise FormatError(sentence, self.file, line)

    def next(self) -> Token:
        """The next token; the end of the file is an error."""
        if self.ended:
            self.refuse("the file ends in the middle of a block")
        self._at += 1
        return self._tokens[self._at - 1]

    def sees(self, text: str) -> bool:
        """Whether the next token is this mark."""
        return not self.ended and self._tokens[self._at][:2] == (text, True)

    def take(self, text: str) -> Token:
        """The next token, which must be this mark."""
        token = self.next()
        if not token.mark or token.text != text:
            self.refuse(f"'{text}' is expected, but '{token.text}' was found")
        return token

    def word(self) -> str:
        """The next token, which must be a word."""
        token = self.next()
        if token.mark:
            self.refuse(f"a word is expected, but '{token.text}' was found")
        return token.text

    def number(self) -> float:
        """The next token, which must be a number."""
        text = self.word()
        try:
            return float(text) if "_" not in text else self.refuse(f"'{text}' is not a number")
        except ValueError:
            self.refuse(f"'{text}' is not a number")

    def numbers(self, count: int, what: str) -> list[float]:
        """`count` numbers, with or without commas, up to and including a semicolon."""
        found: list[float] = []
        while not self.sees(";"):
            if self.sees(","):
                self.next()
            else:
                found.append(self.number())
        self.take(";")
        if len(found) != count:
            self.refuse(f"{what} has {len(found)} {noun(len(found), 'probability')}, not {count}")
        return found

    def words(self, closing: str) -> list[str]:
        """Words separated by spaces, up to and including the closing mark."""
        found = []
        while not self.sees(closing):
            found.append(self.word())
        self.take(closing)
        return found

    def items(self, closing: str) -> list[str]:
        """Items separated by commas, up to and including the closing mark; several words of an item are joined."""
        found: list[list[str]] = [[]]
        while not self.sees(closing):
            if self.sees(","):
                self.next()
                found.append([])
            else:
                found[-1].append(self.word())
        self.take(closing)
        if found == [[]]:
            return []
        if not all(found):
            self.refuse("a comma stands where a word is expected")
        return [" ".join(words) for words in found]

    def family(self, parents: Callable[[str], list[str]]) -> tuple[str, list[str]]:
        """A child and its parents: `(child)` or `(child | parents)`; `parents` reads the list up to the bracket."""
        self.take("(")
        child = self.word()
        if not self.sees("|"):
            self.take(")")
            return child, []
        self.take("|")
        return child, parents(")")

    def skip_past(self, closing: str) -> None:
        """Skip everything up to and including the closing mark."""
        while self.next()[:2] != (closing, True):
            pass


def _split(text: str, file: object, marks: str, comment: str) -> list[Token]:
    pattern = re.compile(
        rf"(?P<space>\s+|{re.escape(comment)}[^\n]*)"
        r"|(?P<open>/\*)"
        r'|"(?P<quoted>[^"\n]*)"'
        rf"|(?P<mark>[{re.escape(marks)}])"
        rf'|(?P<word>[^\s"{re.escape(marks)}]+)',
    )
    tokens: list[Token] = []
    place, line = 0, 1
    while place < len(text):
        found = pattern.match(text, place)
        if found is None:
            raise FormatError(f"'{text[place]}' is not expected here", file, line)
        end = found.end()
        if found["open"] is not None:
            end = text.find("*/", end) + 2
            if end < 2:
                raise FormatError("the comment that begins here is never closed", file, line)
        elif found["mark"] is not None:
            tokens.append(Token(found["mark"], True, line))
        elif found["space"] is None:
            word = found["word"] if found["quoted"] is None else found["quoted"]
            tokens.append(Token(word, False, line))
        line += text.count("\n", place, end)
        place = end
    return tokens
