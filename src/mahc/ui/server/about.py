"""What the program can do, for the page's choices: algorithms with their settings, scores, formats."""

from __future__ import annotations

from typing import Any

from mahc._version import __version__
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations
from mahc.ui.server.exports import list_formats


def describe_program() -> dict[str, Any]:
    """Algorithms, scores and formats as plain values.

    >>> found = describe_program()
    >>> "mahc" in [algorithm["name"] for algorithm in found["algorithms"]]
    True
    """
    return {
        "version": __version__,
        "algorithms": [
            {
                "name": name,
                "default_score": ALGORITHMS[name].default_score,
                "settings": [_describe(each) for each in declarations(ALGORITHMS[name]).values()],
            }
            for name in ALGORITHMS
        ],
        "scores": [
            {"name": name, "settings": [_describe(each) for each in declarations(SCORES[name]).values()]}
            for name in SCORES
        ],
        "formats": list_formats(),
    }


def _describe(declared: Declaration) -> dict[str, Any]:
    kind = {bool: "flag", int: "whole", float: "number"}.get(declared.check.kind, "text")
    default = declared.default if isinstance(declared.default, bool | int | float | str) else None
    return {"name": declared.name, "help": declared.help, "kind": kind, "default": default, "allowed": declared.allowed}
