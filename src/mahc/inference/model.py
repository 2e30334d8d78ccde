"""A network that answers questions: probabilities, interventions, predictions, effects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.settings import MISSING_EM
from mahc.errors import GraphError, InvalidSettingError, Message, SettingError, choices
from mahc.files import is_file
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.inference.answering import Answering, QuerySettings
from mahc.inference.answers import Answer, MostProbable
from mahc.inference.effects import Effect, compute_effect
from mahc.inference.em import fit_em
from mahc.inference.evidence import Given, Question, ask
from mahc.inference.exact import MAX_BYTES, Cost, joint, most_probable, prepare
from mahc.inference.factors import Values
from mahc.inference.model_json import load_model, save_model
from mahc.inference.prediction import predict_states, read_complete_rows, read_rows
from mahc.networks import Network, bits_per_row, find_network, fit, sample
from mahc.networks.fitting import count_tables
from mahc.opening import open_rows
from mahc.settings import complete_docstring, describe

Reporter = Callable[[int], bool | None]


@dataclass(frozen=True, eq=False)
class Model:
    """A Bayesian network with tables, and questions to it.

    `learned.fit(data)` makes one from a learned graph, `Model.load` from a network file or a shipped network.

    Parameters
    ----------
    network : Network
        The graph and its tables.
    alphas : tuple of arrays, optional
        The parameters of the posterior of the tables, which credible intervals need.
    pattern : MixedGraph, optional
        The class of DAGs that the data cannot distinguish, over which `effect` takes its intervals.
    not_causal : str, optional
        Why interventions cannot be computed, where that is so.

    Examples
    --------
    >>> model = Model.load("asia")
    >>> model.query("lung", given={"smoke": "yes"})
    {'yes': 0.1, 'no': 0.9}
    >>> round(model.query("lung", do={"smoke": "no"})["yes"], 6)
    0.01
    """

    network: Network
    alphas: tuple[Values, ...] | None = None
    pattern: MixedGraph | None = None
    not_causal: str | None = None

    @staticmethod
    def load(name_or_path: str | os.PathLike[str]) -> Model:
        """The model that `save` wrote, or that of a network file or of a network that ships with the package.

        Parameters
        ----------
        name_or_path : str or path
            A file that `save` wrote, the name of a shipped network, or a network file.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        MahcError
            If there is no such network or file, or the file is not in its format.

        Examples
        --------
        >>> Model.load("asia").variables[:2]
        ('asia', 'tub')
        """
        path = os.fspath(name_or_path)
        saved = load_model(path) if path.endswith(".json") and is_file(path) else None
        return Model(find_network(path)) if saved is None else saved

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, which `load` reads: tables, their posterior, the class of the graph.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .json. `mahc.networks.files.write_network(model.network, path)` writes the
            tables alone in the formats of other programs.

        Returns
        -------
        None
            The file is written, all of it or nothing.

        Raises
        ------
        MahcError
            If the name does not end in .json, or the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Model.load("asia").save(f"{folder}/model.json")
        ...     Model.load(f"{folder}/model.json").query("lung", given={"smoke": "yes"})
        {'yes': 0.1, 'no': 0.9}
        """
        save_model(self, os.fspath(path))

    @staticmethod
    def fit(
        graph: DAG,
        data: object,
        *,
        prior: float = 1.0,
        pattern: MixedGraph | None = None,
        not_causal: str | None = None,
        name: str = "fitted",
        missing: str = "error",
    ) -> Model:
        """Fit the tables of a graph to data.

        Parameters
        ----------
        graph : DAG
            The graph.
        data : Dataset or anything that `mahc.read` takes
            The data.
        prior : float
            The equivalent sample size of the Dirichlet prior (that of BDeu). 0 gives the observed frequencies, with
            probability 0 for what was not observed.
        pattern : MixedGraph, optional
            The CPDAG of the DAGs that the data cannot distinguish from the graph.
        not_causal : str, optional
            Why interventions are to be refused.
        name : str
            The network's name.
        missing : str
            Missing values: error, state or drop, as in `mahc.read`, or "em" for expectation-maximisation.

        Examples
        --------
        >>> from mahc.graphs import DAG
        >>> Model.fit(DAG(["a"], []), {"a": ["x", "y", "x"]}, prior=0).query("a")["x"]
        0.6666666666666666
        """
        if missing == MISSING_EM:
            table = open_rows(
                data, None if isinstance(data, Dataset) else ReadSettings(missing="state")
            ).state_as_missing()
            fitted = fit_em(graph, table, prior, name=name)
            expected = tuple(count + prior / count.size for count in fitted.counts) if prior > 0 else None
            return Model(fitted.network, expected, pattern, not_causal)
        dataset = data if isinstance(data, Dataset) else open_rows(data, ReadSettings(missing=missing))
        network = fit(graph, dataset, prior, name)
        counts = count_tables(graph, dataset)
        alphas = tuple(count + prior / count.size for count in counts) if prior > 0 else None
        return Model(network, alphas, pattern, not_causal)

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.network, self.alphas, self.pattern)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.network.names

    def states(self, variable: str) -> tuple[str, ...]:
        """The states of a variable.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        tuple of str
            Its states.

        Examples
        --------
        >>> Model.load("asia").states("lung")
        ('yes', 'no')
        """
        return self.network.states[self._find(variable)]

    def __repr__(self) -> str:
        return f"Model({self.network!r})"

    @overload
    def query(
        self,
        target: str,
        given: Given | None = None,
        do: Given | None = None,
        *,
        joint: bool = True,
        method: str = "exact",
        credible: float | None = None,
        draws: int | None = None,
        seed: int = 1,
        max_bytes: int = MAX_BYTES,
        time_limit: float | None = None,
        progress: Reporter | None = None,
    ) -> Answer: ...

    @overload
    def query(
        self,
        target: Iterable[str],
        given: Given | None = None,
        do: Given | None = None,
        *,
        joint: bool = True,
        method: str = "exact",
        credible: float | None = None,
        draws: int | None = None,
        seed: int = 1,
        max_bytes: int = MAX_BYTES,
        time_limit: float | None = None,
        progress: Reporter | None = None,
    ) -> Any: ...

    def query(
        self,
        target: str | Iterable[str],
        given: Given | None = None,
        do: Given | None = None,
        *,
        joint: bool = True,
        method: str = "exact",
        credible: float | None = None,
        draws: int | None = None,
        seed: int = 1,
        max_bytes: int = MAX_BYTES,
        time_limit: float | None = None,
        progress: Reporter | None = None,
    ) -> Any:
        """The distribution of a target given observations, or after an intervention.

        Parameters
        ----------
        target : str or list of str
            A variable; or several, for their joint distribution.
        given : mapping, optional
            Observed states. In place of a state, a mapping from states to likelihoods (or a list, one per state) is
            soft evidence: how probable each state makes what was seen.
        do : mapping, optional
            States that are set from outside. The variable no longer depends on its parents (truncated
            factorisation), which differs from observing it.
        joint : bool
            With False several targets are answered one by one.
        {settings}
        progress : callable, optional
            Called with the number of draws done; where it returns True, the answer is made from these.

        Returns
        -------
        Answer or dict
            A mapping from states (tuples of states for several targets) to probabilities; with `joint=False` a dict
            of such mappings by target.

        Raises
        ------
        MahcError
            For unknown variables and states, impossible evidence, and exact answers that would not fit.

        Examples
        --------
        >>> model = Model.load("asia")
        >>> round(model.query(["tub", "lung"], given={"either": "yes"})["yes", "no"], 4)
        0.1516
        >>> round(model.query("smoke", given={"xray": {"yes": 0.9, "no": 0.1}})["yes"], 4)
        0.588
        """
        settings = QuerySettings(method, credible, draws, seed, max_bytes, time_limit)
        names = (target,) if isinstance(target, str) else tuple(target)
        if not names:
            raise SettingError("no target is named: name the variable whose distribution is asked for")
        question = ask(self.network, names, given, do)
        if question.do:
            self._refuse_unless_causal()
        if not joint and not isinstance(target, str):
            return self._answering.answer_each(question, settings, progress)
        return self._answering.answer(question, settings, progress)

    def cost(self, target: str | Iterable[str], given: Given | None = None, do: Given | None = None) -> Cost:
        """What an exact answer would take: treewidth, largest table, bytes; nothing large is computed.

        Parameters
        ----------
        target : str or list of str
            The variables to ask for.
        given : dict, optional
            Observed variables and their states.
        do : dict, optional
            Variables set from outside, and their states.

        Returns
        -------
        Cost
            The cost.

        Examples
        --------
        >>> Model.load("alarm").cost("CVP", given={"HR": "LOW"}).treewidth
        2
        """
        names = (target,) if isinstance(target, str) else tuple(target)
        return prepare(self._answering.compiled, ask(self.network, names, given, do)).cost()

    def most_probable(
        self, given: Given | None = None, do: Given | None = None, *, max_bytes: int = MAX_BYTES
    ) -> MostProbable:
        """The most probable states of all other variables together (most probable explanation).

        Parameters
        ----------
        given : dict, optional
            Observed variables and their states.
        do : dict, optional
            Variables set from outside, and their states.
        max_bytes : int
            The memory that the answer may take.

        Returns
        -------
        MostProbable
            The states and their joint probability.

        Examples
        --------
        >>> Model.load("cancer").most_probable(given={"Xray": "positive"}).states["Cancer"]
        'False'
        """
        question = ask(self.network, [], given, do)
        if question.do:
            self._refuse_unless_causal()
        fixed = {**question.observed, **question.do}
        targets = tuple(v for v in range(len(self.variables)) if v not in fixed)
        asked = Question(targets, question.observed, question.soft, question.do)
        states, log = most_probable(self._answering.compiled, asked, max_bytes)
        _, given_log = joint(self._answering.compiled, question, max_bytes)
        shown = {self.variables[v]: self.network.states[v][states[v]] for v in targets}
        return MostProbable(shown, float(2.0 ** (log - float(given_log[0]))), log)

    def predict(
        self, data: object, target: str, *, threads: int = 1, reading: ReadSettings | None = None
    ) -> NDArray[np.str_]:
        """The most probable state of the target in each row, given the row's other values.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows. Empty values and absent columns are not observed; a column of the target is not used.
        target : str
            The variable to predict.
        threads : int
            Threads for rows that have the whole Markov blanket of the target.
        reading : ReadSettings, optional
            How a file or frame is read: missing tokens, cut points, merging of states, dialect. Without cut points,
            numbers are cut where the states of the model are intervals, at their ends.

        Returns
        -------
        array of str
            One state per row; of equally probable ones the first.

        Raises
        ------
        MahcError
            For unknown variables and values, and for rows that have probability 0.

        Examples
        --------
        >>> Model.load("asia").predict({"smoke": ["yes", "no"], "bronc": ["yes", "no"]}, "dysp").tolist()
        ['yes', 'no']
        """
        found = self.predict_proba(data, target, threads=threads, reading=reading)
        chosen: NDArray[np.str_] = np.array(self.states(target))[found.argmax(axis=1)]
        return chosen

    def predict_proba(
        self, data: object, target: str, *, threads: int = 1, reading: ReadSettings | None = None
    ) -> Values:
        """The distribution of the target in each row: one line per row, one number per state (`states(target)`).

        See `predict`.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows; empty values and absent columns are not observed.
        target : str
            The variable to predict.
        threads : int
            The number of threads.
        reading : ReadSettings, optional
            How a file or frame is read.

        Returns
        -------
        array of float
            One row per row of the data, one column per state.

        Examples
        --------
        >>> Model.load("asia").predict_proba({"smoke": ["yes", "no"]}, "lung").round(3).tolist()
        [[0.1, 0.9], [0.01, 0.99]]
        """
        node = self._find(target)
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise InvalidSettingError("threads", threads, "give a whole number from 1 up")
        columns = read_rows(self.network, data, target, reading)
        columns.check()
        found = predict_states(self._answering.compiled, columns, node, threads)
        impossible = np.flatnonzero(found.sum(axis=1) == 0)
        if len(impossible):
            raise SettingError(
                f"row {int(impossible[0]) + 1} has probability 0 in the model, so '{target}' cannot be predicted: fit "
                "with a prior above 0, or leave the row out"
            )
        return found

    def score(self, data: object) -> float:
        """Bits per row: minus the mean binary logarithm of the probability of the rows; lower is better.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows.

        Returns
        -------
        float
            The bits per row.

        Examples
        --------
        >>> asia = Model.load("asia")
        >>> round(asia.score(asia.sample(2000, seed=1)), 2)
        3.18
        """
        return bits_per_row(self.network, read_complete_rows(self.network, data))

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
        >>> Model.load("asia").sample(100, seed=1).rows
        100
        """
        return sample(self.network, rows, seed)

    def effect(self, cause: str, target: str, *, over: str | None = None, max_bytes: int = MAX_BYTES) -> Effect:
        """The effect of setting one variable on the distribution of another.

        Parameters
        ----------
        cause, target : str
            The variables.
        over : str, optional
            "class" for all DAGs that the data cannot distinguish (the default of a fitted model), or "dag" for the
            model's own DAG (the default of a network file).
        max_bytes : int
            The memory that an exact answer may take.

        Returns
        -------
        Effect
            Probabilities of the target's states under each intervention, with differences and ratios; intervals over
            the DAGs of the class.

        Raises
        ------
        MahcError
            For unknown variables, and where hidden common causes are possible (a PAG).

        Examples
        --------
        >>> Model.load("asia").effect("smoke", "lung")
        Effect of smoke on lung
          do(smoke=yes): yes 0.1000, no 0.9000
          do(smoke=no): yes 0.0100, no 0.9900
        """
        if over not in (None, "class", "dag"):
            raise InvalidSettingError(
                "over", over, Message("give ", choices(("class", "dag"), " or "), ", or leave it out")
            )
        self._refuse_unless_causal()
        pattern = None if over == "dag" else self.pattern
        if over == "class" and pattern is None:
            pattern = dag_to_cpdag(self.network.dag)
        return compute_effect(self._answering.compiled, cause, target, pattern, max_bytes)

    def _find(self, variable: str) -> int:
        return ask(self.network, [variable], None, None).targets[0]

    def _refuse_unless_causal(self) -> None:
        if self.not_causal is not None:
            raise GraphError(self.not_causal)


if Model.query.__doc__:  # not there under python -OO
    Model.query.__doc__ = complete_docstring(Model.query.__doc__, "{settings}", describe(QuerySettings))
