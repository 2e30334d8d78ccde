"""mahc: learn the structure of Bayesian networks from discrete data.

Names are loaded when first used, so that `import mahc` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mahc._version import __version__

if TYPE_CHECKING:
    from mahc.data import Dataset, read
    from mahc.errors import MahcError
    from mahc.estimators import HC, MAHC, TABU
    from mahc.graphs import DAG, MixedGraph
    from mahc.search.knowledge import Knowledge
    from mahc.search.learn import learn
    from mahc.search.learned import Learned
    from mahc.search.replay import replay

_PLACES = {
    "DAG": "mahc.graphs",
    "Dataset": "mahc.data",
    "HC": "mahc.estimators",
    "Knowledge": "mahc.search.knowledge",
    "Learned": "mahc.search.learned",
    "MAHC": "mahc.estimators",
    "MahcError": "mahc.errors",
    "MixedGraph": "mahc.graphs",
    "TABU": "mahc.estimators",
    "learn": "mahc.search.learn",
    "read": "mahc.data",
    "replay": "mahc.search.replay",
}

__all__ = [
    "DAG",
    "HC",
    "MAHC",
    "TABU",
    "Dataset",
    "Knowledge",
    "Learned",
    "MahcError",
    "MixedGraph",
    "__version__",
    "learn",
    "read",
    "replay",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'mahc' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
