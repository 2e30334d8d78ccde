"""Knowledge from a file: TOML, JSON, or the constraint tables of Bayesys.

A TOML or JSON file has the fields of `Knowledge` as its keys: `required_arcs`, `required_edges`,
`forbidden_arcs` and `forbidden_edges` are lists of pairs, `tiers` is a list of lists, `strict_tiers` and
`all_relevant` are true or false, `targets` and `max_parents` are tables from name to number.

    required_arcs = [["smoke", "lung"]]
    tiers = [["asia", "smoke"], ["xray"]]
    [targets]
    lung = 2
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError
from mahc.files import is_folder
from mahc.knowledge.bayesys_tables import read_folder, read_table, read_text
from mahc.knowledge.knowledge import Knowledge


def read_knowledge(path: str | os.PathLike[str]) -> Knowledge:
    """The knowledge in a .toml, .json or Bayesys .csv file, or in a folder of Bayesys files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "known.toml"
    ...     _ = file.write_text('forbidden_arcs = [["lung", "smoke"]]')
    ...     read_knowledge(file)
    Knowledge(forbidden_arcs=(('lung', 'smoke'),))
    """
    file = Path(path)
    if is_folder(file):
        return read_folder(file)
    readers: dict[str, Callable[[Path], Knowledge]] = {
        ".toml": lambda file: _build(_parse_toml(read_text(file), file), file),
        ".json": lambda file: _build(_parse_json(read_text(file), file), file),
        ".csv": read_table,
    }
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise FormatError(
            f"'{file.suffix}' is not the extension of a knowledge file: give a .toml, .json or .csv file, "
            "or a folder of Bayesys constraint files",
            file,
        )
    return reader(file)


def _build(content: Any, file: Path) -> Knowledge:
    if not isinstance(content, dict):
        raise FormatError("a table of constraints is expected here, as in {'required_arcs': [['a', 'b']]}", file)
    try:
        return Knowledge.from_dict(content)
    except MahcError as error:
        raise FormatError(str(error), file) from None


def _parse_toml(text: str, file: Path) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", place)
        at = int(line[1]) if line else len(text.splitlines())  # "at end of document"
        raise FormatError(f"this is not TOML: {message}", file, at) from None
    except RecursionError:
        raise FormatError("this TOML is nested too deeply", file) from None
    except ValueError as error:  # a date that does not exist, a number of thousands of digits
        raise FormatError(f"this TOML cannot be used: {error}", file) from None


def _parse_json(text: str, file: Path) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_refuse_repeated_keys)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}", file, error.lineno) from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply", file) from None
    except ValueError as error:  # a repeated key, a number of thousands of digits
        raise FormatError(f"this JSON cannot be used: {error}", file) from None


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{key}' occurs twice in one object")
        found[key] = value
    return found
