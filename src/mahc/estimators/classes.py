"""One estimator class for each registered algorithm, made from its declared settings."""

from __future__ import annotations

import inspect

from mahc.estimators.estimator import StructureEstimator
from mahc.estimators.parameters import describe_parameters, make_signature
from mahc.learning.algorithm import ALGORITHMS

ATTRIBUTES = """\
Attributes
----------
learned_ : Learned
    Everything that was learned.
causal_graph_ : DAG or MixedGraph
    The graph.
adjacency_matrix_ : array
    The graph as a matrix: [i, j] is 1 where the edge between i and j may point at j.
network_ : Network
    The graph with probability tables, fitted to the same data.
feature_names_in_ : array of str
    The variables.
n_features_in_ : int
    Their number."""

_MADE: dict[str, tuple[type, type[StructureEstimator]]] = {}


def estimator_for(algorithm: str) -> type[StructureEstimator]:
    """The estimator class of a registered algorithm.

    >>> HC = estimator_for("hc")
    >>> HC(search_in_degree=3).fit({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}).adjacency_matrix_.sum()
    np.int64(1)
    """
    kind = ALGORITHMS[algorithm]
    if _MADE.get(algorithm, (None, None))[0] is not kind:
        _MADE[algorithm] = (kind, _make_estimator(algorithm, kind))
    return _MADE[algorithm][1]


def estimator_name(algorithm: str) -> str:
    """The name of an algorithm's estimator class.

    >>> estimator_name("mahc"), estimator_name("pc-stable")
    ('MAHC', 'PCStable')
    """
    given = ALGORITHMS[algorithm].estimator
    return given or "".join(word[:1].upper() + word[1:] for word in algorithm.split("-"))


def _make_estimator(algorithm: str, kind: type) -> type[StructureEstimator]:
    content = {
        "algorithm": algorithm,
        "__doc__": _describe(algorithm, kind),
        "__signature__": make_signature(algorithm),
        "__module__": "mahc.estimators",  # where pickle finds it
    }
    return type(estimator_name(algorithm), (StructureEstimator,), content)


def _describe(algorithm: str, kind: type) -> str:
    first = (inspect.getdoc(kind) or algorithm).splitlines()[0]
    example = (
        f">>> {estimator_name(algorithm)}().fit({{'a': ['x', 'y'] * 9, 'b': ['u', 'v'] * 9}}).adjacency_matrix_.shape"
    )
    return "\n".join(
        [
            *(first, "", "Parameters", "----------", describe_parameters(algorithm), ""),
            *(ATTRIBUTES, "", "Examples", "--------", example, "(2, 2)"),
        ]
    )
