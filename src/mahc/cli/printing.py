"""Everything that `mahc` prints goes through here, and no character of a name acts on the terminal.

Stdout may be a terminal, a pipe that closes early, a full disk, of an old encoding, or closed.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import sys
import textwrap
import traceback
from typing import TYPE_CHECKING

from mahc.errors import MahcError
from mahc.files.addresses import hide_secrets
from mahc.safe_text import escape_controls, escape_controls_in_json, shorten_sentence

if TYPE_CHECKING:
    from rich.console import RenderableType


JSON_VERSION = 1
_JSON_SAID: list[bool] = []  # whether this command has printed a document
WITHOUT_TERMINAL = 10_000  # a file or a pipe has no width: nothing is wrapped or cut there


def say(*lines: str) -> None:
    """Print lines on stdout; a line break within a line is escaped, as other control characters are."""
    _write("\n".join(map(escape_controls, lines)))


def say_sentence(text: str) -> None:
    """Print a sentence, on a terminal broken between words and not within them."""
    text = escape_controls(text)
    if _is_terminal():
        width = shutil.get_terminal_size().columns
        text = textwrap.fill(text, width, replace_whitespace=False, break_long_words=False, break_on_hyphens=False)
    _write(text)


def say_json(document: object, indent: int | None = None) -> None:
    """Print a document as JSON: on one line, or with an indent for people, who also read their own script.

    Every object has a `format_version`, which changes when fields are renamed or removed.
    """
    if isinstance(document, dict):
        document = {"format_version": JSON_VERSION, **document}
    _JSON_SAID.append(True)
    text = json.dumps(document, indent=indent, allow_nan=False, ensure_ascii=indent is None, default=str)
    _write(escape_controls_in_json(text))


def say_json_error(kind: str, sentence: str, code: int, setting: str | None = None) -> None:
    """Print a refusal as one JSON object, unless the command has printed its document already."""
    if not _JSON_SAID:
        say_json({"error": {"kind": kind, "message": sentence, "setting": setting, "exit_code": code}})


def forget_json() -> None:
    """A new command begins: nothing is printed yet."""
    _JSON_SAID.clear()


def say_page(page: RenderableType, *following: str, wrap: bool = False) -> None:
    """Print a page of rich, then lines; with `wrap` it is 80 letters wide where there is no terminal."""
    from rich.console import Console
    from rich.segment import Segment, Segments

    terminal = _is_terminal()
    rendered = io.StringIO()
    width = None if terminal or wrap else WITHOUT_TERMINAL
    console = Console(file=rendered, force_terminal=terminal, width=width)
    segments = [
        Segment("\n".join(map(escape_controls, text.split("\n"))), style, control)
        for text, style, control in console.render(page)
    ]
    console.print(Segments(segments), end="")
    lines = [line.rstrip() for line in rendered.getvalue().removesuffix("\n").split("\n")]
    _write("\n".join([*lines, *map(escape_controls, following)]))


def tell(sentence: str) -> None:
    """Print one line on stderr: a refusal, a warning or a note."""
    if sys.stderr is not None:
        line = escape_controls(shorten_sentence(" ".join(sentence.split())))
        print(f"mahc: {line}", file=sys.stderr, flush=True)


def tell_traceback(problem: BaseException) -> None:
    """Print the traceback of an exception on stderr."""
    if sys.stderr is not None:
        lines = hide_secrets("".join(traceback.format_exception(problem))).split("\n")
        print("\n".join(map(escape_controls, lines)), file=sys.stderr, flush=True)


def overwrite(text: str) -> None:
    """Write over the line of stderr's terminal."""
    sys.stderr.write("\r" + escape_controls(text))
    sys.stderr.flush()


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _write(text: str) -> None:
    # Letters that the encoding does not have are written as \u.... A closed stdout (`| head -1`) is not a mistake,
    # a full disk is one.
    stream = sys.stdout
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()
    except OSError as problem:
        _leave_stdout()
        if not isinstance(problem, BrokenPipeError):
            raise MahcError(f"the output cannot be written: {problem.strerror or problem}") from None


def _leave_stdout() -> None:
    # What is left in the buffer would be tried, and fail, once more when Python ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


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
