"""The algorithms in scikit-learn's manner, without depending on it: settings in, `fit`, results with underscores.

Each registered algorithm has an estimator class made from its declared settings: `mahc.estimators.MAHC`, or
`estimator_for("mahc")`.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.errors import InvalidSettingError, MahcError, UnknownSettingError
from mahc.graphs import DAG, Mark, MixedGraph
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.parsing import check_pairs
from mahc.learn import learn, take_knowledge
from mahc.learning.algorithm import ALGORITHMS
from mahc.results.learned import Learned
from mahc.settings import Declaration, declarations

Self = TypeVar("Self", bound="StructureEstimator")
# Settings whose parameter has the name that users of other packages know.
FAMILIAR = {"search_in_degree": "max_indegree"}
# Parameters that every estimator has besides the settings of its algorithm, with their defaults.
COMMON = {
    "required_edges": None,
    "forbidden_edges": None,
    "temporal_order": None,
    "knowledge": None,
    "missing": "error",
    "ties": "data",
    "time_limit": None,
    "threads": None,
}


class StructureEstimator:
    """What the estimators share: parameters are kept as given and checked by `fit`."""

    algorithm: ClassVar[str]
    learned_: Learned

    def __init__(self, *values: Any, **named: Any) -> None:
        try:
            given = inspect.signature(type(self)).bind(*values, **named)
        except TypeError as mistake:
            raise TypeError(f"{type(self).__name__}: {mistake}") from None
        given.apply_defaults()
        for name, value in given.arguments.items():
            setattr(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Change parameters; an unknown one is refused."""
        for name, value in params.items():
            if name not in self._names():
                raise UnknownSettingError(type(self).__name__, name, self._names())
            setattr(self, name, value)
        return self

    def fit(self: Self, X: Any, y: object = None) -> Self:
        """Learn a graph from X (a frame, an array, a path, a dict of lists), which is left as it is."""
        params = {name: _plain(value) for name, value in self.get_params().items()}
        settings = _take_settings(self.algorithm, params)
        known = Knowledge(
            required_arcs=check_pairs("required_edges", _or_nothing(params.pop("required_edges"))),
            forbidden_arcs=check_pairs("forbidden_edges", _or_nothing(params.pop("forbidden_edges"))),
            tiers=_or_nothing(params.pop("temporal_order")),
        )
        knowledge = take_knowledge(params.pop("knowledge")).merged(known)
        self.learned_ = learn(X, self.algorithm, knowledge=knowledge, **params, **settings)
        self.feature_names_in_ = np.array(self.learned_.variables, dtype=object)
        self.n_features_in_ = len(self.learned_.variables)
        return self

    @property
    def causal_graph_(self) -> DAG | MixedGraph:
        """The learned graph: a DAG, or what a constraint-based algorithm learns, a CPDAG or PAG."""
        return self._result().graph

    @property
    def adjacency_matrix_(self) -> NDArray[np.int_]:
        """[i, j] is 1 where the edge between i and j may point at j, in the order of `feature_names_in_`.

        So an arc i -> j is 1 at [i, j] and 0 at [j, i]; an undirected or circle edge is 1 at both.
        """
        graph = self._result().graph
        if isinstance(graph, DAG):
            return graph.adjacency().astype(int)
        joined = graph.marks != Mark.NONE
        backwards = (graph.marks == Mark.TAIL) & (graph.marks.T == Mark.ARROW)
        matrix: NDArray[np.int_] = (joined & ~backwards).astype(int)
        return matrix

    def _result(self) -> Learned:
        if not hasattr(self, "learned_"):
            raise MahcError(f"this {type(self).__name__} has not learned yet: call fit(X) first")
        return self.learned_

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        given = [f"{n}={v!r}" for n, v in self.get_params().items() if not _same(v, defaults[n].default)]
        return f"{type(self).__name__}({', '.join(given)})"


def estimator_for(algorithm: str) -> type[StructureEstimator]:
    """The estimator class of a registered algorithm.

    >>> HC = estimator_for("hc")
    >>> HC(max_indegree=3).fit({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}).adjacency_matrix_.sum()
    np.int64(1)
    """
    kind = ALGORITHMS[algorithm]
    if _MADE.get(algorithm, (None, None))[0] is not kind:
        _MADE[algorithm] = (kind, _make_estimator(algorithm, kind))
    return _MADE[algorithm][1]


_MADE: dict[str, tuple[type, type[StructureEstimator]]] = {}


def _make_estimator(algorithm: str, kind: type) -> type[StructureEstimator]:
    name = estimator_name(algorithm)
    parameters = {
        "score": ALGORITHMS[algorithm].default_score,
        **{p: d.default for p, d in _parameters(kind).items()},
        **COMMON,
    }
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(p, keyword, default=d) for p, d in parameters.items()])
    content = {
        "algorithm": algorithm,
        "__doc__": _describe(algorithm, kind),
        "__signature__": signature,
        "__module__": __name__,
    }
    return type(name, (StructureEstimator,), content)


def estimator_name(algorithm: str) -> str:
    """The name of an algorithm's estimator class.

    >>> estimator_name("mahc"), estimator_name("pc-stable")
    ('MAHC', 'PCStable')
    """
    given = ALGORITHMS[algorithm].estimator
    return given or "".join(word[:1].upper() + word[1:] for word in algorithm.split("-"))


def _describe(algorithm: str, kind: type) -> str:
    first = (inspect.getdoc(kind) or algorithm).splitlines()[0]
    lines = [
        first,
        "",
        "Parameters",
        "----------",
        "score : str or Score",
        f"    The score, {ALGORITHMS[algorithm].default_score} by default.",
    ]
    for name, declared in _parameters(kind).items():
        lines += [f"{name} : {declared.allowed}", f"    {declared.help}"]
    lines += [
        "required_edges, forbidden_edges : list of (from, to)",
        "    Arcs that the graph must or must not have.",
        "temporal_order : list of lists of str",
        "    Variables in tiers, the earliest first.",
        "knowledge : Knowledge, dict or path",
        "    Any other constraints.",
        "missing, ties, time_limit, threads",
        "    As those of `mahc.learn`.",
        "",
        "Examples",
        "--------",
        f">>> {estimator_name(algorithm)}().fit({{'a': ['x', 'y'] * 9, 'b': ['u', 'v'] * 9}}).adjacency_matrix_.shape",
        "(2, 2)",
    ]
    return "\n".join(lines)


def _parameters(kind: type) -> dict[str, Declaration]:
    return {FAMILIAR.get(name, name): declared for name, declared in declarations(kind).items()}


def _take_settings(algorithm: str, params: dict[str, Any]) -> dict[str, Any]:
    """The settings of the algorithm, out of `params`; checked here so that errors name the parameter."""
    settings = {}
    for name, declared in _parameters(ALGORITHMS[algorithm]).items():
        value = params.pop(name)
        if value is None and not declared.optional:
            raise InvalidSettingError(name, value, declared.check.advise(value), declared.allowed)
        dataclasses.replace(declared, name=name).require(value)
        settings[declared.name] = value
    return settings


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def _plain(value: Any) -> Any:
    # Searches over parameters hand in numpy's numbers.
    return value.item() if isinstance(value, np.integer | np.floating | np.bool_) else value


def _or_nothing(value: Any) -> Any:
    return () if value is None else value


def __getattr__(name: str) -> type[StructureEstimator]:
    for algorithm in ALGORITHMS:
        if estimator_name(algorithm) == name:
            return estimator_for(algorithm)
    raise AttributeError(f"module 'mahc.estimators' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *map(estimator_name, ALGORITHMS)])
