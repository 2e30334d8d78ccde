"""A model of numbers, or of numbers and states, that answers questions."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.columns import State
from mahc.data.dataset import refuse_fractions
from mahc.data.reading_record import ReadingRecord, record_reading
from mahc.documents import Document, Format, Number, format_json, from_plain, to_plain
from mahc.errors import (
    DataError,
    FormatError,
    InvalidSettingError,
    Mention,
    Message,
    SettingError,
    choices,
)
from mahc.files import to_path, write_atomically
from mahc.graphs import DAG, MixedGraph
from mahc.inference.answering import QuerySettings, notes_on_direction
from mahc.inference.answers import Answer, NumberAnswer
from mahc.inference.any_model import AnyModel
from mahc.inference.deadline import limited_to
from mahc.inference.evidence import Given, ImpossibleEvidenceError, find_likelihoods, find_state, is_soft
from mahc.inference.exact import MAX_BYTES
from mahc.inference.factors import Values
from mahc.inference.mixed.asking import Asking, Evidence, Points, Reporter, Shares
from mahc.inference.mixed.effects import MixedEffect, check_values
from mahc.inference.mixed.network import MixedNetwork, fit_network
from mahc.inference.mixed.rows import Coding, MixedRows, find_number, is_missing
from mahc.inference.mixed.variables import NumberVariable, StateVariable
from mahc.inference.model_json import MIXED_NAME, SavedPattern
from mahc.networks.fitting import refuse_bad_prior
from mahc.opening import open_rows
from mahc.plurals import count
from mahc.setting_checks import Whole

DEGREE = 8  # the highest that is tried
DRAWS, DRAWS_PER_ROW = 20_000, 2_000
EXTRAPOLATES = "so the answer extrapolates"  # the end of a note
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MIXED_MODEL = Format(
    MIXED_NAME, 1, "a mahc model", "give the JSON file that `mahc fit --out` wrote", "save the model again"
)


class SavedMixedModel(Document, frozen=True):
    """What a file with a model of numbers holds."""

    network: MixedNetwork
    pattern: SavedPattern | None = None
    not_causal: str | None = None
    prior: Number = 0.0
    reading: ReadingRecord | None = None


@dataclass(frozen=True, eq=False)
class MixedModel(AnyModel):
    """A Bayesian network over numbers, or over numbers and states, and questions to it.

    `learned.fit(data)` makes one where the data have columns of numbers. Each variable is a node:

    - a number is mapped to normal scores by its empirical distribution. Its score is a linear function of the parents:
      their scores, polynomials of their ranks and indicators of states, plus a residual. The degree of the polynomials,
      normal or heavier tails of the residual, and whether its spread depends on the parents are chosen by BIC;
    - a state with a parent that is a number is a multinomial logistic regression on the same columns, with a ridge of
      1, which keeps coefficients finite where a number separates the states;
    - a state whose parents have states has a table, as in `Model`.

    Parameters
    ----------
    network : MixedNetwork
        The graph and its nodes.
    pattern : MixedGraph, optional
        The class of DAGs that the data cannot distinguish.
    not_causal : str, optional
        Why interventions cannot be computed, where that is so.
    prior : float
        The equivalent sample size of the prior of the tables.
    reading : ReadingRecord, optional
        How the data were read. New rows are read in the same way.

    Examples
    --------
    >>> import mahc
    >>> dose = [row * 37 % 101 / 7 for row in range(300)]
    >>> effect = [2 * value + row % 5 for row, value in enumerate(dose)]
    >>> data = {"dose": dose, "effect": effect}
    >>> model = mahc.learn(data, "boss", objective="smooth").fit(data)
    >>> 18 < model.query("effect", given={"dose": 9}).mean < 22
    True
    """

    network: MixedNetwork
    pattern: MixedGraph | None = None
    not_causal: str | None = None
    prior: float = 0.0
    reading: ReadingRecord | None = None

    @staticmethod
    def fit(
        graph: DAG,
        data: object,
        *,
        prior: float = 1.0,
        degree: int | None = None,
        pattern: MixedGraph | None = None,
        not_causal: str | None = None,
        name: str = "fitted",
        missing: str = "error",
    ) -> MixedModel:
        """Fit the nodes of a graph to data.

        Parameters
        ----------
        graph : DAG
            The graph.
        data : Dataset or anything that `mahc.read` takes
            The data.
        prior : float
            The equivalent sample size of the Dirichlet prior of tables.
        degree : int, optional
            The highest degree of the polynomials; each node has the one with the best BIC. Left out it is 8.
        pattern : MixedGraph, optional
            The CPDAG of the DAGs that the data cannot distinguish from the graph.
        not_causal : str, optional
            Why interventions are to be refused.
        name : str
            The network's name.
        missing : str
            Missing values: error or drop.

        Returns
        -------
        MixedModel
            The model.

        Raises
        ------
        MahcError
            Where values are missing, a column is constant, or the data lack a variable of the graph.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> round(MixedModel.fit(DAG(["x"], []), {"x": [0.5, 1.5, 2.5, 9.5] * 9}).query("x").median, 2)
        2.0
        """
        refuse_bad_prior(prior)
        if degree is not None:
            Whole(1, 12).require("degree", degree, optional=True)
        if not isinstance(data, Dataset):
            data = open_rows(data, ReadSettings(missing=missing), kinds=frozenset(Kind))
        reading = None if data.reading is None else record_reading(data.reading, data.notes)
        if not data.complete and missing == "drop":
            data = data.drop_incomplete()
        if not data.complete:
            raise DataError(
                "values are missing, and regressions are fitted to complete rows: leave the others out with ",
                Mention("missing", "drop"),
            )
        refuse_fractions(data, "a model with columns of numbers")
        network = fit_network(graph, data, DEGREE if degree is None else degree, float(prior), name)
        return MixedModel(network, pattern, not_causal, float(prior), reading)

    def states(self, variable: str) -> tuple[State, ...]:
        """The states of a variable; a SettingError for one that holds numbers.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        tuple of str, int, float or bool
            Its states.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> data = {"x": [0.5, 1.5, 2.5, 9.5] * 9, "s": ["a", "b"] * 18}
        >>> MixedModel.fit(DAG(["x", "s"], []), data).states("s")
        ('a', 'b')
        """
        found = self.network.variables[self._find(variable)].states
        if found is None:
            raise SettingError(f"'{variable}' holds numbers and has no states: ask for its mean or quantiles")
        return found

    def holds_numbers(self, variable: str) -> bool:
        """Whether a variable holds numbers, not states.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        bool
            Whether it does.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> MixedModel.fit(DAG(["x"], []), {"x": [0.5, 1.5, 2.5, 9.5] * 9}).holds_numbers("x")
        True
        """
        return self.network.variables[self._find(variable)].states is None

    def __repr__(self) -> str:
        kinds = [each.states is None for each in self.network.variables]
        arcs = sum(map(len, self.network.parents))
        numbers, others = count(sum(kinds), "number"), count(len(kinds) - sum(kinds), "discrete variable")
        return f"MixedModel({numbers}, {others}, {count(arcs, 'arc')})"

    def query(
        self,
        target: str | Iterable[str],
        given: Given | None = None,
        do: Given | None = None,
        *,
        joint: bool = True,
        quantiles: Sequence[float] = QUANTILES,
        method: str = "exact",
        credible: float | None = None,
        draws: int | None = None,
        seed: int = 1,
        max_bytes: int = MAX_BYTES,
        time_limit: float | None = None,
        progress: Reporter | None = None,
    ) -> Any:
        """The distribution of a target given observations, or after an intervention.

        The answer is exact where the variables that matter are all states, or all numbers in linear regressions with
        normal residuals. It is a numerical integral (quadrature) where only the target is unknown. Otherwise it is an
        estimate from weighted draws, and a note says so.

        Parameters
        ----------
        target : str or list of str
            A variable; or several, for their joint distribution, which needs states.
        given : mapping, optional
            Observed numbers and states, or likelihoods of states.
        do : mapping, optional
            Numbers and states that are set from outside.
        joint : bool
            With False several targets are answered one by one.
        quantiles : sequence of float
            The shares whose quantiles a number has in its answer.
        method : str
            exact: as above; weighting: always an estimate.
        credible : float, optional
            Not for models with numbers.
        draws : int, optional
            The number of weighted draws, 20,000 if left out.
        seed : int
            The seed of the draws.
        max_bytes : int
            Memory that an exact answer over states may take.
        time_limit : float, optional
            Seconds; draws end with those made so far.
        progress : callable, optional
            Called with the number of draws done; where it returns True, the answer is made from these.

        Returns
        -------
        Answer, NumberAnswer or dict
            Probabilities of states; mean, standard deviation and quantiles of a number; by target with `joint=False`.

        Raises
        ------
        MahcError
            For unknown variables and states, values that are no numbers, and impossible evidence.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> x = [row * 37 % 101 / 7 for row in range(300)]
        >>> data = {"x": x, "s": ["a" if value < 7 else "b" for value in x]}
        >>> model = MixedModel.fit(DAG(["x", "s"], [("x", "s")]), data)
        >>> model.query("s", given={"x": 12}).most_probable
        'b'
        """
        settings = QuerySettings(method, credible, draws, seed, max_bytes, time_limit)
        if credible is not None:
            raise SettingError(
                "credible intervals come from the posterior of tables, and regressions have none: leave out ",
                Mention("credible"),
            )
        if method == "pyagrum":
            raise SettingError(Mention("method", method), " needs a network of tables: leave it out")
        names = (target,) if isinstance(target, str) else tuple(target)
        if not names:
            raise SettingError("no target is named: name the variable whose distribution is asked for")
        nodes = tuple(self._find(name) for name in names)
        evidence = self._evidence(nodes, given, do)
        if evidence.do:
            self._refuse_unless_causal()
        shares = _check_quantiles(quantiles)
        with limited_to(time_limit):
            if not joint and not isinstance(target, str):
                return {
                    name: self._answer((node,), evidence, settings, shares, progress)
                    for name, node in zip(names, nodes, strict=True)
                }
            return self._answer(nodes, evidence, settings, shares, progress)

    def _answer(
        self,
        nodes: tuple[int, ...],
        evidence: Evidence,
        settings: QuerySettings,
        shares: Sequence[float],
        progress: Reporter | None,
    ) -> Answer | NumberAnswer:
        numbers = [self.variables[v] for v in nodes if self.network.variables[v].states is None]
        if numbers and len(nodes) > 1:
            raise SettingError(
                f"'{numbers[0]}' holds numbers, which have no joint table with other targets: ask with ",
                Mention("joint", False),
            )
        draws = DRAWS if settings.draws is None else settings.draws
        found = Asking(self.network, nodes, evidence).answer(
            weighting=settings.method == "weighting",
            draws=draws,
            seed=settings.seed,
            max_bytes=settings.max_bytes,
            progress=progress,
        )
        notes = [
            *self._notes_on_range(evidence),
            *notes_on_direction(self.pattern, [self.variables[v] for v in evidence.do], "another may give another one"),
        ]
        names = tuple(self.variables[v] for v in nodes)
        if isinstance(found, Points):
            variable = self.network.variables[nodes[0]]
            assert isinstance(variable, NumberVariable)
            error = found.error(variable)
            return NumberAnswer(
                names,
                float(found.mean(variable)[0]),
                float(found.deviation(variable)[0]),
                dict(zip(shares, found.quantiles(variable, shares), strict=True)),
                found.method,
                error,
                found.effective,
                (*_estimated(found, error, draws), *notes),
                points=(variable.to_outer(found.scores[0]), found.weights[0]),
            )
        if not found.values.any():
            raise ImpossibleEvidenceError(
                "what is given has probability 0 in the network, so nothing follows from it: give possible states, or "
                "fit the tables with a prior above 0"
            )
        variables = [self.network.variables[v] for v in nodes]
        listed = [each.labels for each in variables if isinstance(each, StateVariable)]
        states: list[Any] = [each[0] if len(nodes) == 1 else each for each in product(*listed)]
        largest = None if found.errors is None else float(found.errors.max())
        return Answer(
            names,
            dict(zip(states, found.values[0].ravel().tolist(), strict=True)),
            found.method,
            standard_errors=None
            if found.errors is None
            else dict(zip(states, found.errors[0].ravel().tolist(), strict=True)),
            effective_draws=found.effective,
            notes=(*_estimated(found, largest, draws), *notes),
        )

    def _notes_on_range(self, evidence: Evidence) -> list[str]:
        """What is given or set beyond the data, where regressions extrapolate."""
        found = []
        for node, inner in sorted(evidence.fixed.items(), key=lambda item: self.variables[item[0]]):
            variable = self.network.variables[node]
            if isinstance(variable, NumberVariable):
                number = float(variable.to_outer(inner)[0])
                if not variable.holds(number):
                    low, high = variable.edges[0], variable.edges[-1]
                    found.append(
                        f"the data hold no {variable.name} near {number:.6g} (they end at {low:.6g} and {high:.6g}), "
                        f"{EXTRAPOLATES}"
                    )
        return found

    def predict(
        self,
        data: object,
        target: str,
        *,
        threads: int = 1,
        reading: ReadSettings | None = None,
        draws: int = DRAWS_PER_ROW,
        seed: int = 1,
    ) -> NDArray[Any]:
        """The mean of a number, or the most probable state, in each row, given the row's other values.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows. Empty values and absent columns are not observed; a column of the target is not used.
        target : str
            The variable to predict.
        threads : int
            Not used; rows are computed together.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.
        draws : int
            Weighted draws for each row that has no exact answer: one in which several variables are unknown.
        seed : int
            The seed of these draws.

        Returns
        -------
        array
            One number or state per row.

        Raises
        ------
        MahcError
            For unknown variables and values.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> x = [row * 37 % 101 / 7 for row in range(300)]
        >>> data = {"x": x, "s": ["a" if value < 7 else "b" for value in x]}
        >>> MixedModel.fit(DAG(["x", "s"], [("x", "s")]), data).predict({"x": [1.5, 12.5]}, "s").tolist()
        ['a', 'b']
        """
        variable = self.network.variables[self._find(target)]
        found = self._posteriors(data, target, reading, draws, seed, "error")
        if isinstance(variable, NumberVariable):
            return np.concatenate([each.mean(variable) for each, _ in found])[_inverse(found)]
        shares = self._shares(found, target)
        same_type = len({type(state) for state in variable.states}) == 1
        chosen: NDArray[Any] = np.array(variable.states, None if same_type else object)[shares.argmax(axis=1)]
        return chosen

    def predict_proba(
        self,
        data: object,
        target: str,
        *,
        threads: int = 1,
        reading: ReadSettings | None = None,
        unseen: str = "error",
        draws: int = DRAWS_PER_ROW,
        seed: int = 1,
    ) -> Values:
        """The distribution of a target with states in each row: one line per row, one number per state.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows; empty values and absent columns are not observed.
        target : str
            The variable to predict.
        threads : int
            Not used; rows are computed together.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.
        unseen : str
            A state that the model never saw: "error" refuses it, "missing" treats it as not observed.
        draws : int
            Weighted draws for each row that has no exact answer.
        seed : int
            The seed of these draws.

        Returns
        -------
        array of float
            One row per row of the data, one column per state.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> x = [row * 37 % 101 / 7 for row in range(300)]
        >>> data = {"x": x, "s": ["a" if value < 7 else "b" for value in x]}
        >>> model = MixedModel.fit(DAG(["x", "s"], [("x", "s")]), data)
        >>> model.predict_proba({"x": [1.5]}, "s").round().tolist()
        [[1.0, 0.0]]
        """
        self.states(target)  # refuses numbers
        if unseen not in ("error", "missing"):
            raise InvalidSettingError("unseen", unseen, Message("give ", choices(("error", "missing"), " or ")))
        return self._shares(self._posteriors(data, target, reading, draws, seed, unseen), target)

    def _posteriors(
        self, data: object, target: str, reading: ReadSettings | None, draws: int, seed: int, unseen: str
    ) -> list[tuple[Any, NDArray[np.intp]]]:
        """The distributions of the target, row groups with the same unknown values together, and their rows."""
        QuerySettings(draws=draws, seed=seed)
        node = self._find(target)
        rows = MixedRows(self.network.variables, data, self._settings(reading), target)
        if unseen == "missing":
            rows.states.forget_unseen()
        else:
            rows.states.refuse_unseen()
        inner = rows.inner()
        nodes = sorted(inner)
        lacking = np.array([is_missing(inner[v]) for v in nodes]).reshape(len(nodes), rows.rows)
        patterns, which = np.unique(lacking, axis=1, return_inverse=True)
        found = []
        for number in range(patterns.shape[1]):
            places = np.flatnonzero(which.reshape(-1) == number)
            seen = {v: inner[v][places] for v, gone in zip(nodes, patterns[:, number], strict=True) if not gone}
            asking = Asking(self.network, (node,), Evidence(seen, {}, {}, len(places)))
            found.append((asking.answer(weighting=False, draws=draws, seed=seed, max_bytes=MAX_BYTES), places))
        return found

    def _shares(self, found: list[tuple[Any, NDArray[np.intp]]], target: str) -> Values:
        shares: Values = np.concatenate([each.values for each, _ in found])[_inverse(found)]
        impossible = np.flatnonzero(shares.sum(axis=1) == 0)
        if len(impossible):
            raise SettingError(
                f"row {int(impossible[0]) + 1} has probability 0 in the model, so '{target}' cannot be predicted: fit "
                "with a prior above 0, or leave the row out"
            )
        return shares

    def log_density(self, data: object, *, reading: ReadSettings | None = None) -> Values:
        """The natural logarithm of the density of each row, in the units of the data.

        States contribute their probabilities. Models of the same variables can be compared by it, also with models of
        other programs.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            Complete rows; where the data of the model were read with `missing="drop"`, incomplete ones are left out.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.

        Returns
        -------
        array of float
            One number per row.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> model = MixedModel.fit(DAG(["x"], []), {"x": [0.5, 1.5, 2.5, 9.5] * 9})
        >>> model.log_density({"x": [1.5, 400.5]}).round(1).tolist()
        [-1.4, -32.7]
        """
        return self._log_density(data, reading)[0]

    def score(self, data: object, *, reading: ReadSettings | None = None) -> float:
        """Bits per row: minus the mean binary logarithm of the density of the rows; lower is better.

        A density, unlike a probability, may be above 1, so that the answer may be below 0.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            Complete rows, with weights where the data of the model had a column of weights.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.

        Returns
        -------
        float
            The bits per row.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> data = {"x": [0.5, 1.5, 2.5, 9.5] * 9}
        >>> round(MixedModel.fit(DAG(["x"], []), data).score(data), 2)
        3.28
        """
        logs, weights = self._log_density(data, reading)
        costs = np.sort(-logs / math.log(2) * (1 if weights is None else weights))
        return math.fsum(costs.tolist()) / (len(logs) if weights is None else int(weights.sum()))

    def _log_density(self, data: object, reading: ReadSettings | None) -> tuple[Values, NDArray[np.int64] | None]:
        rows = MixedRows(self.network.variables, data, self._settings(reading), None)
        inner, weights = rows.complete()
        unseen = list(rows.states.unseen())
        if unseen:
            name, value, number = unseen[0]
            warnings.warn(
                f"variable '{name}' has the value '{value}' ({count(number, 'row')} with unseen values), which the "
                "model never saw: it is scored as a state without observations",
                stacklevel=3,
            )
        return self.network.log_density(inner), weights

    def sample(self, rows: int, seed: int) -> Dataset:
        """Draw rows from the model.

        Parameters
        ----------
        rows : int
            The number of rows.
        seed : int
            The same seed gives the same rows.

        Returns
        -------
        Dataset
            The rows.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> MixedModel.fit(DAG(["x"], []), {"x": [0.5, 1.5, 2.5, 9.5] * 9}).sample(100, seed=1).rows
        100
        """
        return self.network.sample(rows, seed)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, which `mahc.Model.load` reads.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .json.

        Raises
        ------
        MahcError
            If the name does not end in .json, or the file cannot be written.

        Examples
        --------
        >>> import mahc, tempfile
        >>> from mahc.graphs import DAG
        >>> model = MixedModel.fit(DAG(["x"], []), {"x": [0.5, 1.5, 2.5, 9.5] * 9})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/model.json")
        ...     mahc.Model.load(f"{folder}/model.json").query("x").mean == model.query("x").mean
        True
        """
        target = to_path(path)
        if target.suffix != ".json":
            raise FormatError("a model is saved as JSON: give a name that ends in .json", target)
        pattern = self.pattern
        saved = SavedMixedModel(
            network=self.network,
            pattern=None if pattern is None else SavedPattern(names=pattern.names, edges=pattern.edges),
            not_causal=self.not_causal,
            prior=self.prior,
            reading=self.reading,
        )
        write_atomically(target, format_json(MIXED_MODEL.stamp(to_plain(saved))))

    def most_probable(self, *_: object, **__: object) -> Any:
        """Refused: the most probable combination is for models of states alone."""
        raise SettingError(
            "the model has numbers, whose densities depend on their units, so no combination is the most probable: "
            "query each variable"
        )

    def effect(
        self,
        cause: str,
        target: str,
        *,
        values: Sequence[float | str] | None = None,
        over: str | None = None,
        draws: int = DRAWS,
        seed: int = 1,
    ) -> MixedEffect:
        """The effect of setting one variable on the mean, or the probabilities, of another.

        It is that of the model's own DAG: the intervals over all DAGs that the data cannot distinguish (`over="class"`)
        are for models of tables, whose class shares one joint distribution.

        Parameters
        ----------
        cause, target : str
            The variables.
        values : sequence of float or str, optional
            The values to set the cause to, the first of which the others are compared with. Left out, the quartiles
            of a number, and all states.
        over : str, optional
            "dag", or nothing.
        draws : int
            Weighted draws for each value, where there is no exact answer.
        seed : int
            The seed of these draws.

        Returns
        -------
        MixedEffect
            Means or probabilities under each intervention, differences, and changes per unit, with standard errors.

        Raises
        ------
        MahcError
            For unknown variables and values, and where hidden common causes are possible (a PAG).

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> x = [row * 37 % 101 / 7 for row in range(300)]
        >>> data = {"x": x, "y": [2 * value + row % 5 for row, value in enumerate(x)]}
        >>> effect = MixedModel.fit(DAG(["x", "y"], [("x", "y")]), data, degree=1).effect("x", "y", values=[4, 8])
        >>> round(effect.per_unit(8))
        2
        """
        if over not in (None, "dag"):
            raise SettingError(
                "effects over a class of DAGs need tables, which all its DAGs share: leave out ",
                Mention("over", over),
                ", or learn with ",
                Mention("numbers", "cuts"),
            )
        self._refuse_unless_causal()
        if self._find(cause) == self._find(target):
            raise SettingError(f"the effect of '{cause}' on itself was asked for: name two variables")
        variable = self.network.variables[self._find(cause)]
        if values is None:
            values = variable.quartiles() if isinstance(variable, NumberVariable) else variable.labels
        check_values(cause, values)
        answers = [self.query(target, do={cause: value}, draws=draws, seed=seed) for value in values]
        typed = [float(value) if isinstance(variable, NumberVariable) else str(value) for value in values]
        return MixedEffect(cause, target, tuple(typed), tuple(answers))

    def _evidence(self, targets: Sequence[int], given: Given | None, do: Given | None) -> Evidence:
        observed: dict[int, NDArray[Any]] = {}
        soft: dict[int, Values] = {}
        settings = self._settings(None)
        for name, value in _as_mapping(given, "given").items():
            node = self._find(name)
            variable = self.network.variables[node]
            if isinstance(variable, StateVariable) and is_soft(value):
                soft[node] = find_likelihoods(Coding((variable,)), 0, value, settings)
            else:
                observed[node] = self._value(node, value, settings, "given")
        changed = {self._find(name): value for name, value in _as_mapping(do, "do").items()}
        forced = {node: self._value(node, value, settings, "do") for node, value in changed.items()}
        for node in targets:
            name = self.variables[node]
            if targets.count(node) > 1:
                raise SettingError(f"the target '{name}' is named twice: name it once")
            for place, there in (("is set by do", forced), ("is given", {**observed, **soft})):
                if node in there:
                    raise SettingError(f"'{name}' is the target and {place}: leave it out of one of them")
        for node in forced:
            if node in observed or node in soft:
                raise SettingError(f"'{self.variables[node]}' is given and set by do: leave it out of one of them")
        return Evidence(observed, forced, soft, 1)

    def _value(self, node: int, value: object, settings: ReadSettings, setting: str) -> NDArray[Any]:
        variable = self.network.variables[node]
        if isinstance(variable, NumberVariable):
            return np.array([find_number(variable, value, settings, setting)])
        return np.array([find_state(Coding((variable,)), 0, value, settings)], np.int64)


def load_mixed_model(document: Mapping[str, Any], place: object) -> MixedModel:
    """The model that a document holds."""
    MIXED_MODEL.check(document, place)
    with MIXED_MODEL.refusing_damage(place):
        saved = from_plain(document, SavedMixedModel)
        pattern = None if saved.pattern is None else MixedGraph(saved.pattern.names, saved.pattern.edges)
        if pattern is not None and sorted(pattern.names) != sorted(saved.network.names):
            raise ValueError('"pattern" has other variables than the network')
        return MixedModel(saved.network, pattern, saved.not_causal, saved.prior, saved.reading)


def _inverse(found: list[tuple[Any, NDArray[np.intp]]]) -> NDArray[np.intp]:
    """Where each row is among the groups."""
    return np.argsort(np.concatenate([places for _, places in found]), kind="stable")


def _estimated(found: Shares | Points, error: float | None, draws: int) -> tuple[str, ...]:
    if found.draws is None:
        return ()
    early = f", stopped before {draws:,}" if found.draws < draws else ""
    return (
        f"estimated from {count(found.draws, 'weighted sample')}{early}, which are worth {found.effective:,.0f} "
        f"independent ones; standard error {error:.2g}",
    )


def _check_quantiles(quantiles: Sequence[float]) -> list[float]:
    found = list(quantiles)
    for share in found:
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
            raise InvalidSettingError("quantiles", quantiles, "give numbers between 0 and 1")
    return [float(share) for share in found]


def _as_mapping(words: object, setting: str) -> Mapping[str, object]:
    if words is None:
        return {}
    if not isinstance(words, Mapping):
        raise SettingError(f"{setting} is {words!r}: give variables with their values, such as {{'dose': 2.5}}")
    return words
