"""What the estimators share: parameters are kept as given and checked by `fit`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.settings import MISSING_EM
from mahc.errors import MahcError, Mention, Message, NotFittedError, UnknownSettingError
from mahc.estimators.holding import ParameterHolder
from mahc.estimators.parameters import check_parameters, drop_unset, plain, take_knowledge_parts
from mahc.graphs import DAG, Mark, MixedGraph
from mahc.inference.fitting import fit_model
from mahc.learn import learn, take_knowledge
from mahc.learning.settings import RunSettings, choose
from mahc.networks import Network
from mahc.opening import kept_method, method_of, open_again, open_data
from mahc.results.learned import Learned
from mahc.settings import declarations

if TYPE_CHECKING:
    from mahc.inference.mixed.network import MixedNetwork

Self = TypeVar("Self", bound="StructureEstimator")
# The equivalent sample size of the prior of `network_`: no probability is 0, so that every row has a finite score.
PRIOR = 1.0


class StructureEstimator(ParameterHolder):
    """The base of all estimators; `estimator_for` makes one class for each algorithm."""

    algorithm: ClassVar[str]
    learned_: Learned
    _data: Dataset | None
    _model: Any  # a Model or MixedModel

    def __init__(self, *values: Any, **named: Any) -> None:
        try:
            given = inspect.signature(type(self)).bind(*values, **named)
        except TypeError as mistake:
            unknown = next((name for name in named if name not in self._names()), None)
            if unknown is not None:
                kind, known = type(self).__name__, self._names()
                fix = Message("did you mean ", Mention("objective"), "?") if unknown == "score" else None
                raise TypeError(str(UnknownSettingError(kind, unknown, known, fix))) from None
            raise TypeError(f"{type(self).__name__}: {mistake}") from None
        given.apply_defaults()
        for name, value in given.arguments.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        found = getattr(type(self), name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)  # its NotFittedError, an AttributeError, led here: raise it once more
        if name == "learned_":
            raise NotFittedError(f"this {type(self).__name__} has not learned yet: call fit(X) first")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def fit(self: Self, X: Any, y: object = None) -> Self:
        """Learn a graph from X (a frame, an array, a path, a dict of lists), which is left as it is.

        Parameters
        ----------
        X : frame, array, path, dict of lists, Dataset or CountSource
            Whatever `mahc.learn` takes.
        y : object, optional
            Not used, as in every unsupervised estimator of scikit-learn: pipelines and searches pass it. To have a
            target in the graph, make it a column of X: `X.assign(target=y)`.

        Returns
        -------
        StructureEstimator
            This estimator.

        Raises
        ------
        MahcError
            Whatever the caller can correct, in one sentence.

        Examples
        --------
        >>> import mahc
        >>> mahc.HC().fit({"a": ["x", "y"] * 9, "b": ["u", "v"] * 9}).learned_.arcs
        (('a', 'b'),)
        """
        params = {name: plain(value) for name, value in self.get_params().items()}
        check_parameters(self.algorithm, params)
        knowledge = take_knowledge(params.pop("knowledge")).merged(take_knowledge_parts(params))
        reading = ReadSettings(**{name: params.pop(name) for name in declarations(ReadSettings)})
        running = {name: params.pop(name) for name in declarations(RunSettings)}
        # The settings are checked before the data, which may be large, are read.
        objective, own = params.pop("objective"), drop_unset(params)
        chosen, score = choose(self.algorithm, objective, own, method_of(X, reading))
        RunSettings(**running)
        table = open_data(X, reading, kinds=chosen.kinds(score))
        self.learned_ = learn(
            table,
            self.algorithm,
            objective=objective,
            knowledge=knowledge,
            missing=kept_method(table, reading),
            **running,
            **own,
        )
        if isinstance(table, Dataset):
            table = open_again(table, self.learned_.data.reading)
        self._data, self._model = table if isinstance(table, Dataset) else None, None
        self.feature_names_in_ = np.array(self.learned_.variables, dtype=object)
        self.n_features_in_ = len(self.learned_.variables)
        return self

    def score(self, X: Any, y: object = None) -> float:
        """The mean log-likelihood of the rows of X under `network_`, in bits per row; higher is better.

        X is read as the data of `fit` were; real-valued columns are cut where `fit` cut them. A state that `fit` did
        not see has the probability that `Model.score` says, and a warning.

        Parameters
        ----------
        X : frame, array, path, dict of lists or Dataset
            Rows, usually others than those of `fit`.
        y : object, optional
            Ignored; there is no target.

        Returns
        -------
        float
            Bits per row; without columns of numbers never above 0. Of numbers it is the log density.

        Raises
        ------
        MahcError
            Where `fit` was not called, the graph has no tables, or values of X are missing.

        Examples
        --------
        >>> import mahc
        >>> coins = {"a": ["heads", "tails"] * 50, "b": ["heads", "heads", "tails", "tails"] * 25}
        >>> mahc.HC().fit(coins).score(coins)
        -2.0
        """
        return -float(self._fitted().score(X))

    @property
    def network_(self) -> Network | MixedNetwork:
        """The learned graph with tables fitted to the data of `fit`, with a prior of equivalent sample size 1.

        Where columns hold numbers it has regressions too. Of a CPDAG or PAG it is a DAG that fits it.
        """
        found: Network | MixedNetwork = self._fitted().network
        return found

    def _fitted(self) -> Any:
        learned = self._result()
        if self._model is None:
            if self._data is None:
                raise MahcError(f"this {type(self).__name__} learned from counts alone: fit a network to rows first")
            missing = "error" if self._data.complete else MISSING_EM
            degree = getattr(learned.run.score, "degree", None)
            self._model = fit_model(learned.dag, self._data, prior=PRIOR, degree=degree, missing=missing)
        return self._model

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

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "learned_")

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator: no target, categories, texts and missing values as input."""
        from sklearn.utils import InputTags, Tags, TargetTags

        reads_missing = self.missing != "error"
        accepted = InputTags(categorical=True, string=True, allow_nan=reads_missing)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=accepted)

    def _result(self) -> Learned:
        if not hasattr(self, "learned_"):
            raise NotFittedError(f"this {type(self).__name__} has not learned yet: call fit(X) first")
        return self.learned_
