"""Where the words of a command line lead: samples, results, start graphs, bases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mahc.errors import SettingError, UnknownNameError

if TYPE_CHECKING:
    from mahc.results.learned import Learned


def find_data(data: Path) -> Path:
    """The file, or the shipped sample where there is no such file and the name is one."""
    if data.exists() or data.suffix or len(data.parts) != 1:
        return data
    from mahc.networks import sample_path

    try:
        return sample_path(str(data))
    except UnknownNameError as problem:
        raise SettingError(f"there is no file '{data}', and {problem}") from None


def find_result(result: Path) -> Learned:
    """A result.json, or the folder that holds one."""
    from mahc.results.learned import Learned

    return Learned.load(result / "result.json" if result.is_dir() else result)


def read_start(start: Path | None, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The arcs of a start graph; its variables must be those of the data."""
    if start is None:
        return ()
    from mahc.graphs.files import read_dag

    return read_dag(start, names=names).arcs


def parse_base(text: str) -> float:
    """2, e, 10, ...: the base of logarithms."""
    if text.strip().lower() == "e":
        return math.e
    try:
        return float(text)
    except ValueError:
        raise SettingError(f"base '{text}' is not a number: give 2, e or 10") from None


def reading_words(
    missing: str,
    missing_token: list[str] | None,
    weights: str | None,
    discretise: list[str] | None,
    delimiter: str | None,
    quote: str | None,
    drop: list[str] | None,
    keep_unused_states: bool,
) -> list[str]:
    """The options of reading that were given, as words for the next command on the same data.

    >>> reading_words("state", ["NA"], None, None, None, None, None, False)
    ['--missing', 'state', '--missing-token', 'NA']
    """
    given = [
        ("--missing", [missing] if missing != "error" else []),
        ("--missing-token", missing_token or []),
        ("--weights", [weights] if weights is not None else []),
        ("--discretise", discretise or []),
        ("--delimiter", [delimiter] if delimiter is not None else []),
        ("--quote", [quote] if quote is not None else []),
        ("--drop", drop or []),
    ]
    words = [word for option, values in given for value in values for word in (option, value)]
    return [*words, "--keep-unused-states"] if keep_unused_states else words
