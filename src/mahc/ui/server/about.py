"""What the program can do, for the page's choices: algorithms with their settings, scores, formats."""

from __future__ import annotations

from typing import Any

from mahc._version import __version__
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import SCORES
from mahc.setting_checks import Memory
from mahc.settings import Declaration, declarations
from mahc.ui.server.exports import list_formats

# What each algorithm is for, in one sentence. The first are the usual choices; the others are folded on the page.
SENTENCES = {
    "best": "The most accurate graphs in our comparisons; takes any columns. It is the algorithm boss.",
    "mahc": "Fast, also with hundreds of variables; weighs alternatives at each step to avoid false arcs.",
    "hc": "Hill climbing: the quickest look at the data.",
    "fci": "For data with possible hidden common causes: says where it cannot tell cause from effect.",
    "boss": "Orders the variables and rebuilds the graph until no move helps.",
    "boss-pag": "As fci, but starts from the graph of boss: fewer tests, better with few rows.",
    "exact": "The graph with the best score of all, with proof; for up to some 30 variables.",
    "mmhc": "Tests which variables can be neighbours, then climbs among those.",
    "pc-stable": "Independence tests only; leaves directions open that the tests do not show.",
    "saiyanh": "Leaves no variable unconnected; for data of which you know that all belong together.",
    "tabu": "Hill climbing that goes on past the first summit.",
}
COMMON = ("best", "mahc", "hc", "fci")


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
                "sentence": SENTENCES[name],
                "common": name in COMMON,
                "default_score": ALGORITHMS[name].default_score,
                "settings": [_describe(each) for each in declarations(ALGORITHMS[name]).values()],
            }
            for name in (*COMMON, *(name for name in ALGORITHMS if name not in COMMON))
        ],
        "scores": [
            {"name": name, "settings": [_describe(each) for each in declarations(SCORES[name]).values()]}
            for name in SCORES
        ],
        "formats": list_formats(),
    }


def _describe(declared: Declaration) -> dict[str, Any]:
    kind = {bool: "flag", int: "whole", float: "number"}.get(declared.check.kind, "text")
    if isinstance(declared.check, Memory):
        kind = "text"  # sizes with units, such as 4GB
    default = declared.default if isinstance(declared.default, bool | int | float | str) else None
    return {"name": declared.name, "help": declared.help, "kind": kind, "default": default, "allowed": declared.allowed}
