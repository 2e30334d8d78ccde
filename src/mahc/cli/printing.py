"""Printing on whatever stdout is: a terminal, a pipe that closes early, a full disk, an old encoding, nothing."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

from mahc.errors import MahcError


def say(text: str) -> None:
    """Print one text on stdout; letters that its encoding does not have are spelt out as \\u....

    Nobody listening (stdout closed, `| head -1`) is no mistake; a full disk is one.
    """
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


def say_sentence(text: str) -> None:
    """Print a sentence, on a terminal broken between words and not within them."""
    if sys.stdout is not None and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        text = textwrap.fill(text, width, replace_whitespace=False, break_long_words=False, break_on_hyphens=False)
    say(text)


def _leave_stdout() -> None:
    # What is left in the buffer would be tried, and fail, once more when Python ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
