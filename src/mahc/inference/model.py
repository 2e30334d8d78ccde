"""A network that answers questions: probabilities, interventions, predictions, effects."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.columns import State
from mahc.data.reading_record import ReadingRecord, record_reading
from mahc.data.settings import MISSING_EM
from mahc.engine.counts import TableSource
from mahc.errors import InvalidSettingError, Message, SettingError, choices
from mahc.files import is_file
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.inference.answering import Answering, QuerySettings
from mahc.inference.answers import Answer, MostProbable
from mahc.inference.any_model import AnyModel
from mahc.inference.effects import Effect, compute_effect
from mahc.inference.em import fit_em, observed_bits
from mahc.inference.evidence import Given, Question, ask
from mahc.inference.exact import MAX_BYTES, Cost, joint, most_probable, prepare
from mahc.inference.factors import Values
from mahc.inference.model_json import load_model, save_model
from mahc.inference.prediction import predict_states, read_rows
from mahc.networks import Network, find_network, fit, sample
from mahc.networks.fitting import count_tables
from mahc.networks.likelihood import bits_of_codes, mean_bits
from mahc.opening import open_counts, rows_of
from mahc.plurals import count
from mahc.settings import complete_docstring, describe

Reporter = Callable[[int], bool | None]


@dataclass(frozen=True, eq=False)
class Model(AnyModel):
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
    prior : float
        The equivalent sample size of the prior with which the tables were fitted; 0 where there was none.
    reading : ReadingRecord, optional
        How the data of the tables were read. New rows are read in the same way: codes for missing values, decimal
        mark, cut points, merging of states, dialect of text files.

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
    prior: float = 0.0
    reading: ReadingRecord | None = None

    @staticmethod
    def load(name_or_path: str | os.PathLike[str]) -> Any:
        """The model that `save` wrote, or that of a network file or of a network that ships with the package.

        Parameters
        ----------
        name_or_path : str or path
            A file that `save` wrote, the name of a shipped network, or a network file.

        Returns
        -------
        Model or MixedModel
            The model; a `MixedModel` where a file holds one with numbers.

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
        data : Dataset or anything that `mahc.learn` takes
            The data; those in pieces whose distinct rows do not fit into memory are counted in one pass.
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
        by_em = missing == MISSING_EM
        if not isinstance(data, Dataset | TableSource):
            with open_counts(data, ReadSettings(missing="state" if by_em else missing)) as table:
                return Model.fit(
                    graph,
                    table,
                    prior=prior,
                    pattern=pattern,
                    not_causal=not_causal,
                    name=name,
                    missing=missing,
                )
        settings: ReadSettings | None = getattr(data, "reading", None)
        reading = None if settings is None else record_reading(settings, getattr(data, "notes", ()))
        if by_em:
            data = rows_of(data, data)
            fitted = fit_em(graph, data.state_as_missing(), prior, name=name)
            network, counts = fitted.network, fitted.counts
        else:
            network, counts = fit(graph, data, prior, name), count_tables(graph, data)
        alphas = tuple(each + prior / each.size for each in counts) if prior > 0 else None
        return Model(network, alphas, pattern, not_causal, float(prior), reading)

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.network, self.alphas, self.pattern)

    def to_pgmpy(self) -> Any:
        """The network for pgmpy, which must be installed.

        Returns
        -------
        pgmpy.models.DiscreteBayesianNetwork
            The same variables, states, arcs and tables.

        Raises
        ------
        MahcError
            If pgmpy is not installed.

        Examples
        --------
        >>> net = Model.load("asia").to_pgmpy()  # doctest: +SKIP
        >>> net.check_model()  # doctest: +SKIP
        True
        """
        from mahc.networks.export import to_pgmpy

        return to_pgmpy(self.network)

    @staticmethod
    def from_pgmpy(net: Any) -> Model:
        """The model of a pgmpy network with tables.

        Parameters
        ----------
        net : pgmpy.models.DiscreteBayesianNetwork
            The network.

        Returns
        -------
        Model
            The same variables, states, arcs and tables.

        Raises
        ------
        MahcError
            If a table is missing, or the tables do not fit together.

        Examples
        --------
        >>> net = Model.load("asia").to_pgmpy()  # doctest: +SKIP
        >>> Model.from_pgmpy(net).query("lung", given={"smoke": "yes"})  # doctest: +SKIP
        {'yes': 0.1, 'no': 0.9}
        """
        from mahc.networks.export import from_pgmpy

        return Model(from_pgmpy(net))

    def to_pyagrum(self) -> Any:
        """The network for pyAgrum (needs the extra `inference`); its states become text.

        Returns
        -------
        pyagrum.BayesNet
            The same variables, arcs and tables.

        Raises
        ------
        MahcError
            If pyAgrum is not installed.

        Examples
        --------
        >>> Model.load("asia").to_pyagrum().size()  # doctest: +SKIP
        8
        """
        from mahc.networks.export import to_pyagrum

        return to_pyagrum(self.network)

    @staticmethod
    def from_pyagrum(net: Any) -> Model:
        """The model of a pyAgrum network.

        Parameters
        ----------
        net : pyagrum.BayesNet
            The network.

        Returns
        -------
        Model
            The same variables, states, arcs and tables.

        Examples
        --------
        >>> net = Model.load("asia").to_pyagrum()  # doctest: +SKIP
        >>> Model.from_pyagrum(net).query("lung", given={"smoke": "yes"})  # doctest: +SKIP
        {'yes': 0.1, 'no': 0.9}
        """
        from mahc.networks.export import from_pyagrum

        return Model(from_pyagrum(net))

    def states(self, variable: str) -> tuple[State, ...]:
        """The states of a variable, in the type of the column that they come from.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        tuple of str, int, float or bool
            Its states; `network.states` has their printed forms.

        Examples
        --------
        >>> Model.load("asia").states("lung")
        ('yes', 'no')
        """
        return self.network.values[self._find(variable)]

    def holds_numbers(self, variable: str) -> bool:
        """Whether a variable holds numbers: none does, as in every model of tables.

        Parameters
        ----------
        variable : str
            The variable.

        Returns
        -------
        bool
            False.

        Examples
        --------
        >>> Model.load("asia").holds_numbers("lung")
        False
        """
        self._find(variable)
        return False

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
        question = ask(self.network, names, given, do, self._settings(None))
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
        return prepare(self._answering.compiled, ask(self.network, names, given, do, self._settings(None))).cost()

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
        question = ask(self.network, [], given, do, self._settings(None))
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
    ) -> NDArray[Any]:
        """The most probable state of the target in each row, given the row's other values.

        A value means the same in every batch of rows. It is matched to the states of the model in this order: the equal
        state of the same type (text is text; 1 and 1.0 are the same number); the state that is printed alike (1, 1.0
        and "1"; True and "true"); the only state that spells the same ("1.0" and 1; TRUE and True; 1 and True); the
        interval of a number; without regard to case and blanks, if the data were read with `merge_states`.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows, also those of a folder, file by file. Empty values and absent columns are not observed, but an
            empty value is the state `missing` of a model that has it; a column of the target is not used.
        target : str
            The variable to predict.
        threads : int
            Threads for rows that have the whole Markov blanket of the target.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were: missing tokens, cut points, decimal mark,
            merging of states, dialect. Numbers are cut where the states of the model are intervals.

        Returns
        -------
        array
            One state per row, in the type of the column that the model was fitted to; of equally probable ones the
            first.

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
        states = self.states(target)
        same_type = len({type(state) for state in states}) == 1
        chosen: NDArray[Any] = np.array(states, None if same_type else object)[found.argmax(axis=1)]
        return chosen

    def predict_files(
        self,
        rows: object,
        target: str,
        folder: str | os.PathLike[str],
        *,
        probabilities: bool = False,
        keep: Sequence[str] = (),
        on: object = None,
        threads: int = 1,
        reading: ReadSettings | None = None,
    ) -> int:
        """Predict rows that need not fit into memory: the predictions are written piece by piece.

        Each row is predicted as by `predict`. A worker reads a piece and writes its predictions, so that all workers of
        a cluster must see the files and the folder.

        Parameters
        ----------
        rows : str, path, list of paths, or data frame of Dask or Spark
            Parquet, Arrow or text files, folders or patterns; or a frame.
        target : str
            The variable to predict.
        folder : str or path
            The folder to write, which must not be there: Parquet files in the order of the rows. It appears when all
            is written.
        probabilities : bool
            Whether to write a column for each state, too.
        keep : list of str
            Columns of the rows to write next to the predictions, as text.
        on : distributed.Client, Spark session or str, optional
            The cluster that reads and predicts, as for `mahc.learn`.
        threads : int
            Threads for one piece.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.

        Returns
        -------
        int
            The number of predictions.

        Raises
        ------
        MahcError
            As `predict`; nothing is written then.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> _ = (pathlib.Path(folder.name) / "rows.csv").write_text("smoke,bronc\\nyes,yes\\nno,no\\n")
        >>> Model.load("asia").predict_files(f"{folder.name}/rows.csv", "dysp", f"{folder.name}/found")
        2
        >>> folder.cleanup()
        """
        from mahc.inference.piece_predictions import Wanted, predict_into

        self._find(target)
        plain = Model(self.network, reading=self.reading)  # what workers need, without what was computed here
        wanted = Wanted(plain, target, self._settings(reading), probabilities, tuple(keep), threads)
        return predict_into(wanted, rows, Path(folder), on=on)

    def predict_proba(
        self,
        data: object,
        target: str,
        *,
        threads: int = 1,
        reading: ReadSettings | None = None,
        unseen: str = "error",
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
        unseen : str
            A value that the model never saw: "error" refuses it, "missing" treats it as not observed.

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
        if unseen not in ("error", "missing"):
            raise InvalidSettingError("unseen", unseen, Message("give ", choices(("error", "missing"), " or ")))
        columns = read_rows(self.network, data, self._settings(reading), target)
        if unseen == "missing":
            columns.forget_unseen()
        else:
            columns.refuse_unseen()
        found = predict_states(self._answering.compiled, columns, node, threads)
        impossible = np.flatnonzero(found.sum(axis=1) == 0)
        if len(impossible):
            raise SettingError(
                f"row {int(impossible[0]) + 1} has probability 0 in the model, so '{target}' cannot be predicted: fit "
                "with a prior above 0, or leave the row out"
            )
        return found

    def score(self, data: object, *, reading: ReadSettings | None = None) -> float:
        """Bits per row: minus the mean binary logarithm of the probability of the rows; lower is better.

        Values are matched to the states as in `predict`. A value that the model never saw is one more state without
        observations: its probability is a / (A + a), where A is the sum of the Dirichlet parameters of its row of the
        table, and a is what the prior adds to each state, prior / (configurations x states). Below an unseen value of a
        parent all states are equally probable. A `UserWarning` names such values. Without a prior their probability
        is 0, and the answer infinite.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows, also those of a folder; with weights where the data of the model had a column of weights. Rows
            with missing values are left out where those of the model's data were dropped. Where a method such as
            impute or structural-em was chosen, what is observed in them is scored; otherwise they are refused.
        reading : ReadSettings, optional
            How the rows are read, if not as the data of the model were.

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
        rows = read_rows(self.network, data, self._settings(reading))
        incomplete = rows.incomplete_rows()
        if incomplete is not None:
            return (observed_bits(self.network, incomplete) or 0.0) / incomplete.size
        codes, weights = rows.complete_codes()
        unseen = list(rows.unseen())
        if unseen:
            name, value, number = unseen[0]
            more = f", likewise {', '.join(each for each, _, _ in unseen[1:])}" if unseen[1:] else ""
            warnings.warn(
                f"variable '{name}' has the value '{value}' ({count(number, 'row')} with unseen values){more}, which "
                "the model never saw: it is scored as a state without observations",
                stacklevel=2,
            )
        return mean_bits(bits_of_codes(self.network, codes, self._unseen_probabilities()), weights)

    def log_density(self, data: object, *, reading: ReadSettings | None = None) -> Values:
        """The natural logarithm of the probability of each row; `score` is minus its mean, in bits.

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
        >>> Model.load("cancer").log_density(Model.load("cancer").sample(2, seed=1)).shape
        (2,)
        """
        rows = read_rows(self.network, data, self._settings(reading))
        codes, _ = rows.complete_codes()
        found: Values = -math.log(2) * bits_of_codes(self.network, codes, self._unseen_probabilities())
        return found

    def _unseen_probabilities(self) -> list[Values]:
        """For each variable the probability of a state without observations in each configuration of its parents.

        The last number is for a configuration that has no row in the table.
        """
        found = []
        for node, table in enumerate(self.network.tables):
            if self.alphas is None or not self.prior:
                found.append(np.zeros(len(table) + 1))
                continue
            added = self.prior / table.size
            rows = np.append(self.alphas[node].sum(axis=1), added * table.shape[1])
            found.append(added / (rows + added))
        return found

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
            Probabilities of the target's states under each intervention, differences, ratios and odds ratios;
            intervals over the DAGs of the class.

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


if Model.query.__doc__:  # not there under python -OO
    Model.query.__doc__ = complete_docstring(Model.query.__doc__, "{settings}", describe(QuerySettings))
