"""The algorithms in scikit-learn's manner, without depending on it: settings in, `fit`, results with underscores.

Each registered algorithm has an estimator class made from its declared settings: `mahc.estimators.MAHC`, or
`estimator_for("mahc")`. A classifier and a selector of columns have a target.
"""

from __future__ import annotations

from mahc.estimators.classes import estimator_for, estimator_name
from mahc.estimators.estimator import StructureEstimator
from mahc.estimators.supervised import BayesianNetworkClassifier, MarkovBlanketSelector
from mahc.learning.algorithm import ALGORITHMS

__all__ = [
    "BayesianNetworkClassifier",
    "MarkovBlanketSelector",
    "StructureEstimator",
    "estimator_for",
    "estimator_name",
]


def __getattr__(name: str) -> type[StructureEstimator]:
    for algorithm in ALGORITHMS:
        if estimator_name(algorithm) == name:
            return estimator_for(algorithm)
    raise AttributeError(f"module 'mahc.estimators' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *map(estimator_name, ALGORITHMS)])
