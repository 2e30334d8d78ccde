"""mahc: learn the structure of Bayesian networks from discrete data.

Names are loaded when first used, so that `import mahc` is fast.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from mahc._version import __version__
from mahc.on_demand import load_on_demand

if TYPE_CHECKING:
    from mahc.confidence import average, bootstrap, combine, consensus, posterior
    from mahc.data import Dataset, read, read_rows
    from mahc.engine import CancelToken
    from mahc.errors import MahcError
    from mahc.estimators import (
        BOSS,
        FCI,
        HC,
        MAHC,
        MMHC,
        TABU,
        BayesianNetworkClassifier,
        BossPAG,
        Exact,
        MarkovBlanketSelector,
        PCStable,
        SaiyanH,
    )
    from mahc.graphs import DAG, MixedGraph
    from mahc.inference import Model
    from mahc.knowledge.knowledge import Knowledge
    from mahc.learn import learn
    from mahc.measures import score_graph
    from mahc.opening import audit
    from mahc.panels import PanelNetwork, learn_panel
    from mahc.replay import replay
    from mahc.results.files import write_result
    from mahc.results.graph_sample import GraphSample
    from mahc.results.learned import Learned
    from mahc.sources import find_graph

_PLACES = {
    "BOSS": "mahc.estimators",
    "BayesianNetworkClassifier": "mahc.estimators",
    "BossPAG": "mahc.estimators",
    "CancelToken": "mahc.engine",
    "DAG": "mahc.graphs",
    "Dataset": "mahc.data",
    "Exact": "mahc.estimators",
    "FCI": "mahc.estimators",
    "GraphSample": "mahc.results.graph_sample",
    "HC": "mahc.estimators",
    "Knowledge": "mahc.knowledge.knowledge",
    "Learned": "mahc.results.learned",
    "MAHC": "mahc.estimators",
    "MMHC": "mahc.estimators",
    "MahcError": "mahc.errors",
    "MarkovBlanketSelector": "mahc.estimators",
    "MixedGraph": "mahc.graphs",
    "Model": "mahc.inference",
    "PCStable": "mahc.estimators",
    "PanelNetwork": "mahc.panels",
    "SaiyanH": "mahc.estimators",
    "TABU": "mahc.estimators",
    "audit": "mahc.opening",
    "average": "mahc.confidence",
    "bootstrap": "mahc.confidence",
    "combine": "mahc.confidence",
    "consensus": "mahc.confidence",
    "find_graph": "mahc.sources",
    "learn": "mahc.learn",
    "learn_panel": "mahc.panels",
    "posterior": "mahc.confidence",
    "read": "mahc.data",
    "read_rows": "mahc.data",
    "replay": "mahc.replay",
    "score_graph": "mahc.measures",
    "write_result": "mahc.results.files",
}

__all__ = [
    "BOSS",
    "BossPAG",
    "DAG",
    "FCI",
    "HC",
    "MAHC",
    "MMHC",
    "TABU",
    "BayesianNetworkClassifier",
    "CancelToken",
    "Dataset",
    "Exact",
    "GraphSample",
    "Knowledge",
    "Learned",
    "MahcError",
    "MarkovBlanketSelector",
    "MixedGraph",
    "Model",
    "PCStable",
    "PanelNetwork",
    "SaiyanH",
    "__version__",
    "audit",
    "average",
    "bootstrap",
    "combine",
    "consensus",
    "find_graph",
    "learn",
    "learn_panel",
    "posterior",
    "read",
    "read_rows",
    "replay",
    "score_graph",
    "write_result",
]


if not TYPE_CHECKING:
    __getattr__, _ = load_on_demand(__name__, _PLACES)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """Importing the module `mahc.learn` must not hide the function `mahc.learn`; the same for `replay`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
