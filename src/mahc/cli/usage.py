"""Mistakes in the use of commands and options, each as one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from cyclopts.exceptions import (
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from mahc.errors import find_near


def usage_sentence(mistake: CycloptsError, words: Sequence[str]) -> str:
    """What is wrong with the words of a command, and where to read how it is used."""
    commands = [word for word in (mistake.command_chain or ()) if word != "mahc"]
    return f"{_say(mistake, words).rstrip('.')}: see '{' '.join(['mahc', *commands, '--help'])}'"


def _say(mistake: CycloptsError, words: Sequence[str]) -> str:
    if isinstance(mistake, UnknownCommandError):
        return _say_command(mistake)
    if isinstance(mistake, MissingArgumentError) and mistake.argument is not None:
        name = mistake.argument.name
        near = find_near(name, [word.partition("=")[0] for word in words if word.startswith("--") and word != name])
        if name not in words and near is not None and _looks_like(near, name):
            return f"unknown option {near} (did you mean {name}?)"
        return f"{name} needs a value" if name in words else f"{name} is missing"
    if isinstance(mistake, UnusedCliTokensError):
        return f"unexpected argument '{(mistake.unused_tokens or ['?'])[0]}'"
    if isinstance(mistake, RepeatArgumentError):
        return f"{mistake.token.keyword} is given twice"
    text = str(mistake)
    if isinstance(mistake, UnknownOptionError):
        return _say_option(text)
    return text[:1].lower() + text[1:]


def _looks_like(word: str, option: str) -> bool:
    """Whether a word is an option misspelt; a misspelt option that is required is reported as missing.

    >>> _looks_like("--stor", "--store"), _looks_like("--seed", "--store")
    (True, False)
    """
    return difflib.SequenceMatcher(None, word.strip("-"), option.strip("-")).ratio() >= 0.75


def _say_option(text: str) -> str:
    """Cyclopts' sentence about an unknown option, in ours.

    >>> _say_option("Unknown option: --treads. Did you mean --threads?")
    'unknown option --treads (did you mean --threads?)'
    """
    what, _, hint = text.partition(". ")
    option = what.removeprefix("Unknown option: ").removesuffix(".")
    return f"unknown option {option}" + (f" ({hint[:1].lower()}{hint[1:]})" if hint else "")


def _say_command(mistake: UnknownCommandError) -> str:
    word = (mistake.unused_tokens or ["?"])[0]
    from mahc.cli.main import COMMANDS

    near = find_near(word, COMMANDS)
    return f"unknown command '{word}'" + (f" (did you mean '{near}'?)" if near else "")


STDIN = "/dev/stdin"


def name_stdin(words: list[str]) -> list[str]:
    """The words with the name of standard input for a `-` that is not the value of an option.

    >>> name_stdin(["learn", "-", "--missing-token", "-"])
    ['learn', '/dev/stdin', '--missing-token', '-']
    """
    before = ["", *words]
    return [
        STDIN if word == "-" and not last.startswith("--") else word for last, word in zip(before, words, strict=False)
    ]
