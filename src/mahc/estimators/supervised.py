"""Estimators with a target: a classifier, and a selector of the target's Markov blanket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.prepare.audit import prepare
from mahc.data.reading import load
from mahc.data.settings import MISSING_POLICIES, Cuts
from mahc.data.source_table import LabelColumn, SourceTable
from mahc.data.sources.frames import is_frame
from mahc.errors import DataError, InvalidSettingError, Message, NotFittedError, choices
from mahc.estimators.holding import ParameterHolder
from mahc.inference import Model
from mahc.inference.mixed.model import MixedModel
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import learn
from mahc.learning.settings import choose
from mahc.plurals import count
from mahc.results.learned import Learned
from mahc.scores import Score

Settings = Mapping[str, Any] | None


class TargetEstimator(ParameterHolder):
    """What the two share: X and y become one table, in which the target is a variable like the others."""

    learned_: Learned
    classes_: NDArray[Any]

    def __init__(
        self,
        target: str = "target",
        algorithm: str = "boss",
        objective: str | Score | None = None,
        knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
        missing: str = "error",
        discretise: Cuts | Mapping[str, Cuts] | None = "quantile:4",
        categorical: Sequence[str] = (),
        settings: Settings = None,
    ) -> None:
        self.target = target
        self.algorithm = algorithm
        self.objective = objective
        self.knowledge = knowledge
        self.missing = missing
        self.discretise = discretise
        self.categorical = categorical
        self.settings = settings

    def _learn(self, X: Any, y: Any) -> Dataset:
        """Learn the graph of X and y; gives the rows."""
        if not isinstance(self.target, str) or not self.target:
            raise InvalidSettingError("target", self.target, "give the name of the target, a text")
        if self.missing not in MISSING_POLICIES:
            raise InvalidSettingError("missing", self.missing, Message("give ", choices(MISSING_POLICIES, " or ")))
        self.__dict__.pop("_features", None)  # those of an earlier fit
        table = self._take(X)
        self.classes_, codes = _take_classes(y, table.rows)
        names = (*table.names, self.target)
        if self.target in table.names:
            raise DataError(f"X has a column '{self.target}', which is the name of the target: give another target")
        # The classes are numbered, so that they keep their type and need no reading of their own.
        column = LabelColumn([f"class {k}" for k in range(len(self.classes_))], codes, spelt=True)
        chosen, objective = choose(self.algorithm, self.objective, self.settings or {})
        kinds = chosen.kinds(objective)
        data = prepare(replace(table, names=names, columns=(*table.columns, column)), self._reading()).require(kinds)
        self.learned_ = learn(
            data,
            self.algorithm,
            objective=self.objective,
            knowledge=self.knowledge,
            **(self.settings or {}),
        )
        self.n_features_in_ = len(table.names)
        if not isinstance(_as_data(X), np.ndarray):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        self._features = table.names
        return data

    def _take(self, X: Any) -> SourceTable:
        """The columns of X."""
        X = _as_data(X)
        if isinstance(X, np.ndarray) and X.ndim != 2:
            raise DataError(
                f"X has {count(X.ndim, 'dimension')}, and 2 are expected. Reshape your data: one row for each case"
            )
        names = getattr(self, "_features", None)
        if isinstance(X, np.ndarray) and names is not None and X.shape[1] != len(names):
            kind = type(self).__name__
            raise DataError(f"X has {X.shape[1]} features, but {kind} is expecting {len(names)} features as input")
        return load(X, ReadSettings())

    def _reading(self) -> ReadSettings:
        return ReadSettings(missing=self.missing, discretise=self.discretise, categorical=self.categorical)

    def _require_fit(self) -> None:
        if not hasattr(self, "learned_"):
            raise NotFittedError(f"this {type(self).__name__} has not learned yet: call fit(X, y) first")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "learned_")

    def _blanket(self) -> frozenset[str]:
        """The Markov blanket of the target."""
        dag = self.learned_.dag
        children = dag.children(self.target)
        others = {parent for child in children for parent in dag.parents(child)}
        return frozenset({*dag.parents(self.target), *children, *others} - {self.target})


class BayesianNetworkClassifier(TargetEstimator):
    """A classifier: the distribution of the target in a Bayesian network of all columns.

    It works with scikit-learn's pipelines and searches and does not need scikit-learn. Columns of numbers are cut, and
    new rows are cut at the same points. A value that `fit` did not see is treated as not observed.

    Parameters
    ----------
    target : str
        The name of the target in the graph.
    algorithm : str
        The algorithm that learns the graph.
    objective : str or Score, optional
        The score to maximise; the algorithm's default if left out.
    knowledge : Knowledge, dict or path, optional
        Constraints on the graph, in which the target has its name.
    missing : str
        Missing values in X: "error", "state" or "drop" in `fit`; in new rows they are not observed, or the state.
    discretise : str, list or dict
        How columns of numbers are cut; see `mahc.read`.
    categorical : list of str
        Columns of numbers whose values are kept as states.
    settings : dict, optional
        Further settings of `mahc.learn`.
    prior : float
        Equivalent sample size of the prior of the tables.

    Attributes
    ----------
    classes_ : array
        The classes, in the type of y.
    learned_ : Learned
        The graph, with everything that `mahc.learn` returns.
    model_ : Model or MixedModel
        The fitted network.

    Examples
    --------
    >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> y = [0, 1] * 40
    >>> classifier = BayesianNetworkClassifier(algorithm="hc").fit(X, y)
    >>> classifier.predict({"rain": ["yes", "no"]}).tolist()
    [1, 0]
    """

    model_: Model | MixedModel

    def __init__(
        self,
        target: str = "target",
        algorithm: str = "boss",
        objective: str | Score | None = None,
        knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
        missing: str = "error",
        discretise: Cuts | Mapping[str, Cuts] | None = "quantile:4",
        categorical: Sequence[str] = (),
        settings: Settings = None,
        prior: float = 1.0,
    ) -> None:
        super().__init__(target, algorithm, objective, knowledge, missing, discretise, categorical, settings)
        self.prior = prior

    def fit(self, X: Any, y: Any) -> BayesianNetworkClassifier:
        """Learn the graph of X and y, and fit its tables.

        Parameters
        ----------
        X : frame, array, dict of lists or path
            One row for each case.
        y : array of int, str, bool or float
            The class of each case.

        Returns
        -------
        BayesianNetworkClassifier
            This estimator.

        Raises
        ------
        MahcError
            Whatever the caller can correct, in one sentence.

        Examples
        --------
        >>> BayesianNetworkClassifier("wet", "hc").fit({"rain": ["no", "yes"] * 40}, [0, 1] * 40).learned_.arcs
        (('rain', 'wet'),)
        """
        data = self._learn(X, y)
        self.model_ = self.learned_.fit(data, prior=self.prior)
        numbered = self.model_.states(self.target)
        self._order = [numbered.index(f"class {k}") for k in range(len(self.classes_))]
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class in each row.

        Parameters
        ----------
        X : frame, array, dict of lists or path
            Rows; absent columns, missing values and values that `fit` did not see are not observed.

        Returns
        -------
        array of float
            One row per row, one column per class of `classes_`.

        Examples
        --------
        >>> classifier = BayesianNetworkClassifier(algorithm="hc").fit({"rain": ["no", "yes"] * 40}, [0, 1] * 40)
        >>> classifier.predict_proba({"rain": ["yes"]}).round(2).tolist()
        [[0.01, 0.99]]
        """
        self._require_fit()
        self._take(X)
        found = self.model_.predict_proba(_as_data(X), self.target, unseen="missing")
        shares: NDArray[np.float64] = found[:, self._order]
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, in the type of y; of equally probable ones the first.

        Parameters
        ----------
        X : frame, array, dict of lists or path
            Rows.

        Returns
        -------
        array
            One class per row.

        Examples
        --------
        >>> classifier = BayesianNetworkClassifier(algorithm="hc").fit({"rain": ["no", "yes"] * 40}, ["a", "b"] * 40)
        >>> classifier.predict({"rain": ["yes"]}).tolist()
        ['b']
        """
        shares = self.predict_proba(X)
        chosen: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return chosen

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose class is predicted.

        Parameters
        ----------
        X : frame, array, dict of lists or path
            Rows.
        y : array
            Their classes.

        Returns
        -------
        float
            The accuracy.

        Examples
        --------
        >>> X, y = {"rain": ["no", "yes"] * 40}, [0, 1] * 40
        >>> BayesianNetworkClassifier(algorithm="hc").fit(X, y).score(X, y)
        1.0
        """
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        accepted = InputTags(categorical=True, string=True, allow_nan=self.missing != "error")
        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            input_tags=accepted,
            classifier_tags=ClassifierTags(),
        )


class MarkovBlanketSelector(TargetEstimator):
    """Selects the columns of the target's Markov blanket: given these, the others say nothing more about the target.

    Parameters
    ----------
    target : str
        The name of the target in the graph.
    algorithm : str
        The algorithm that learns the graph.
    objective : str or Score, optional
        The score to maximise; the algorithm's default if left out.
    knowledge : Knowledge, dict or path, optional
        Constraints on the graph, in which the target has its name.
    missing : str
        Missing values in X: "error", "state" or "drop".
    discretise : str, list or dict
        How columns of numbers are cut to learn the graph; the selected columns are left as they are.
    categorical : list of str
        Columns of numbers whose values are kept as states.
    settings : dict, optional
        Further settings of `mahc.learn`.

    Attributes
    ----------
    learned_ : Learned
        The graph.
    classes_ : array
        The classes of y.

    Examples
    --------
    >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> MarkovBlanketSelector(algorithm="hc").fit(X, [0, 1] * 40).get_feature_names_out().tolist()
    ['rain']
    """

    def fit(self, X: Any, y: Any) -> MarkovBlanketSelector:
        """Learn the graph of X and y.

        Parameters
        ----------
        X : frame, array or dict of lists
            One row for each case.
        y : array
            The target of each case.

        Returns
        -------
        MarkovBlanketSelector
            This estimator.

        Examples
        --------
        >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
        >>> MarkovBlanketSelector("wet", "hc").fit(X, [0, 1] * 40).learned_.arcs
        (('rain', 'wet'),)
        """
        self._learn(X, y)
        return self

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Which columns are selected.

        Parameters
        ----------
        indices : bool
            Whether to give their places instead of one truth value per column.

        Returns
        -------
        array
            The columns.

        Examples
        --------
        >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
        >>> MarkovBlanketSelector("wet", "hc").fit(X, [0, 1] * 40).get_support().tolist()
        [True, False]
        """
        self._require_fit()
        blanket = self._blanket()
        chosen = np.array([name in blanket for name in self._features], dtype=bool)
        return np.flatnonzero(chosen) if indices else chosen

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The names of the selected columns.

        Parameters
        ----------
        input_features : object
            Not used: the names are those of `fit`.

        Returns
        -------
        array of str
            The names.

        Examples
        --------
        >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
        >>> MarkovBlanketSelector("wet", "hc").fit(X, [0, 1] * 40).get_feature_names_out().tolist()
        ['rain']
        """
        chosen: NDArray[Any] = np.array(self._features, dtype=object)[self.get_support()]
        return chosen

    def transform(self, X: Any) -> Any:
        """The selected columns of X, in the form of X.

        Parameters
        ----------
        X : frame, array or dict of lists
            Rows with the columns of `fit`.

        Returns
        -------
        frame, array or dict of lists
            The selected columns.

        Examples
        --------
        >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
        >>> sorted(MarkovBlanketSelector(algorithm="hc").fit(X, [0, 1] * 40).transform(X))
        ['rain']
        """
        self._require_fit()
        table = self._take(X)
        lacking = [name for name in self._features if name not in table.names]
        if lacking:
            raise DataError(f"X lacks the column '{lacking[0]}', which it had in fit: give the same columns")
        X = _as_data(X)
        if isinstance(X, np.ndarray):
            return X[:, self.get_support()]
        chosen = self.get_feature_names_out().tolist()
        if isinstance(X, Mapping):
            return {name: X[name] for name in chosen}
        import narwhals as nw

        return nw.from_native(X).select(chosen).to_native()

    def fit_transform(self, X: Any, y: Any) -> Any:
        """`fit`, then `transform`.

        Parameters
        ----------
        X : frame, array or dict of lists
            One row for each case.
        y : array
            The target of each case.

        Returns
        -------
        frame, array or dict of lists
            The selected columns.

        Examples
        --------
        >>> X = {"rain": ["no", "yes"] * 40, "day": ["a", "a", "b", "b"] * 20}
        >>> list(MarkovBlanketSelector("wet", "hc").fit_transform(X, [0, 1] * 40))
        ['rain']
        """
        return self.fit(X, y).transform(X)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        accepted = InputTags(categorical=True, string=True, allow_nan=self.missing != "error")
        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=accepted,
            transformer_tags=TransformerTags(preserves_dtype=[]),
        )


def _as_data(X: Any) -> Any:
    """X itself, or the array that a list or an array of another library is."""
    records = isinstance(X, list) and bool(X) and isinstance(X[0], Mapping)
    taken = isinstance(X, Mapping | np.ndarray | str | PathLike) or is_frame(X) or records
    return X if taken or not (isinstance(X, list) or hasattr(X, "__array__")) else np.asarray(X)


def _take_classes(y: Any, rows: int) -> tuple[NDArray[Any], NDArray[np.unsignedinteger]]:
    """The classes and the code of each row's class."""
    if y is None:
        raise DataError("requires y to be passed, but the target y is None: give the class of each row")
    found = np.asarray(y)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise DataError(f"y should be a 1d array of classes, and it has {count(found.ndim, 'dimension')}")
    if len(found) != rows:
        raise DataError(f"X has {count(rows, 'row')} and y has {len(found):,}: give a class for each row")
    if found.dtype.kind == "f":
        if not np.isfinite(found).all():
            raise DataError("Input y contains NaN or infinity: give a class for each row")
        if (found != np.floor(found)).any():
            raise DataError("Unknown label type: continuous. y holds real numbers, and a classifier needs classes")
    elif found.dtype == object and any(value is None or value != value for value in found.tolist()):
        raise DataError("y has missing values: give a class for each row")
    try:
        classes, codes = np.unique(found, return_inverse=True)
    except TypeError:
        raise DataError("y mixes texts and numbers: give classes of one type") from None
    return classes, codes.reshape(-1).astype(np.uint32)
