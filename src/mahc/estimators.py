"""The algorithms in scikit-learn's manner, without depending on it: settings in, `fit`, results with underscores."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.errors import MahcError, SettingError
from mahc.graphs import DAG
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.parsing import check_pairs
from mahc.learn import learn, take_knowledge
from mahc.learning.algorithm import check_in_degree
from mahc.results.learned import Learned

Self = TypeVar("Self", bound="StructureEstimator")
Pairs = Iterable[tuple[str, str]]


class StructureEstimator:
    """What the estimators share: parameters are kept as given and checked by `fit`."""

    algorithm: ClassVar[str]
    learned_: Learned

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Change parameters; an unknown one is refused."""
        for name, value in params.items():
            if name not in self._names():
                raise SettingError(
                    f"{type(self).__name__} has no parameter '{name}' (it has {', '.join(self._names())})"
                )
            setattr(self, name, value)
        return self

    def fit(self: Self, X: Any, y: object = None) -> Self:
        """Learn a graph from X (a frame, an array, a path, a dict of lists), which is left as it is."""
        params = {name: _plain(value) for name, value in self.get_params().items()}
        known = Knowledge(
            required_arcs=check_pairs("required_edges", _or_nothing(params.pop("required_edges"))),
            forbidden_arcs=check_pairs("forbidden_edges", _or_nothing(params.pop("forbidden_edges"))),
            tiers=_or_nothing(params.pop("temporal_order")),
        )
        in_degree = params.pop("max_indegree")
        check_in_degree("max_indegree", in_degree)
        self.learned_ = learn(
            X,
            self.algorithm,
            knowledge=take_knowledge(params.pop("knowledge")).merged(known),
            search_in_degree=in_degree,
            **params,
        )
        self.feature_names_in_ = np.array(self.learned_.variables, dtype=object)
        self.n_features_in_ = len(self.learned_.variables)
        return self

    @property
    def causal_graph_(self) -> DAG:
        """The learnt graph."""
        return self._result().dag

    @property
    def adjacency_matrix_(self) -> NDArray[np.int_]:
        """[i, j] is 1 for the arc i -> j, in the order of `feature_names_in_`."""
        return self._result().dag.adjacency().astype(int)

    def _result(self) -> Learned:
        if not hasattr(self, "learned_"):
            raise MahcError(f"this {type(self).__name__} has not learnt yet: call fit(X) first")
        return self.learned_

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [f"{n}={v!r}" for n, v in self.get_params().items() if not _same(v, defaults[n].default)]
        return f"{type(self).__name__}({', '.join(given)})"


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def _plain(value: Any) -> Any:
    # Searches over parameters hand in numpy's numbers.
    return value.item() if isinstance(value, np.integer | np.floating | np.bool_) else value


def _or_nothing(value: Any) -> Any:
    return () if value is None else value


class HC(StructureEstimator):
    """Plain hill climbing.

    `required_edges` and `forbidden_edges` are arcs (from, to) and `temporal_order` lists of variables, earliest
    first, as users of other packages know them; `knowledge` holds anything more.

    >>> HC(max_indegree=3).fit({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}).adjacency_matrix_.sum()
    np.int64(1)
    """

    algorithm = "hc"

    def __init__(
        self,
        score: str = "bic",
        max_indegree: int = 8,
        required_edges: Pairs | None = None,
        forbidden_edges: Pairs | None = None,
        temporal_order: Iterable[Iterable[str]] | None = None,
        knowledge: Knowledge | None = None,
        missing: str = "error",
        ties: str = "data",
        time_limit: float | None = None,
        threads: int | None = None,
    ) -> None:
        self.score = score
        self.max_indegree = max_indegree
        self.required_edges = required_edges
        self.forbidden_edges = forbidden_edges
        self.temporal_order = temporal_order
        self.knowledge = knowledge
        self.missing = missing
        self.ties = ties
        self.time_limit = time_limit
        self.threads = threads


class TABU(HC):
    """Hill climbing that escapes from its top, as Bayesys does it.

    >>> TABU().get_params()["max_indegree"]
    8
    """

    algorithm = "tabu"


class MAHC(StructureEstimator):
    """Model Averaging Hill-Climbing.

    >>> columns = {"rain": ["n", "n", "y", "y"] * 50, "wet": ["n", "n", "y", "y"] * 50, "slip": list("nnny") * 50}
    >>> MAHC().fit(columns).causal_graph_.arcs
    (('rain', 'slip'), ('rain', 'wet'))
    """

    algorithm = "mahc"

    def __init__(
        self,
        score: str = "bic",
        prune_in_degree: int = 3,
        max_indegree: int = 8,
        pruning: bool = True,
        averaging: bool = True,
        required_edges: Pairs | None = None,
        forbidden_edges: Pairs | None = None,
        temporal_order: Iterable[Iterable[str]] | None = None,
        knowledge: Knowledge | None = None,
        missing: str = "error",
        ties: str = "data",
        time_limit: float | None = None,
        threads: int | None = None,
    ) -> None:
        self.score = score
        self.prune_in_degree = prune_in_degree
        self.max_indegree = max_indegree
        self.pruning = pruning
        self.averaging = averaging
        self.required_edges = required_edges
        self.forbidden_edges = forbidden_edges
        self.temporal_order = temporal_order
        self.knowledge = knowledge
        self.missing = missing
        self.ties = ties
        self.time_limit = time_limit
        self.threads = threads
