"""A network that answers questions: probabilities, interventions, predictions, effects."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, read
from mahc.errors import GraphError, InvalidSettingError, SettingError
from mahc.graphs import DAG, MixedGraph
from mahc.inference.answers import Answer, Interval, MostProbable, State
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.effects import Effect, compute_effect
from mahc.inference.evidence import Given, Question, ask
from mahc.inference.exact import MAX_BYTES, Cost, TooLargeError, joint, marginals, most_probable, prepare
from mahc.inference.factors import Values
from mahc.inference.prediction import predict_states, read_rows
from mahc.inference.sampled_tables import draw_tables
from mahc.inference.weighting import estimate
from mahc.networks import Network, bits_per_row, find_network, fit, sample
from mahc.networks.fitting import count_tables

METHODS = ("exact", "weighting", "pyagrum")
WEIGHTED_DRAWS, TABLE_DRAWS = 100_000, 1000


@dataclass(frozen=True, eq=False)
class Model:
    """A Bayesian network with tables, and questions to it.

    `learned.fit(data)` makes one from a learned graph, `Model.load` from a network file or a shipped network.
    `alphas` are the parameters of the posterior of the tables, which credible intervals need; `pattern` is the class
    of DAGs that the data cannot distinguish, over which `effect` takes its intervals; `not_causal` says why
    interventions cannot be computed, where that is so.

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
        """The model of a network file, or of a network that ships with the package."""
        return Model(find_network(os.fspath(name_or_path)))

    @staticmethod
    def fit(
        graph: DAG, data: object, *, prior: float = 1.0, pattern: MixedGraph | None = None, name: str = "fitted"
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
        name : str
            The network's name.
        """
        dataset = data if isinstance(data, Dataset) else read(data)
        network = fit(graph, dataset, prior, name)
        counts = count_tables(graph, dataset)
        alphas = tuple(count + prior / count.size for count in counts) if prior > 0 else None
        return Model(network, alphas, pattern)

    @cached_property
    def _compiled(self) -> CompiledNetwork:
        return CompiledNetwork(self.network)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.network.names

    def states(self, variable: str) -> tuple[str, ...]:
        """The states of a variable."""
        node = ask(self.network, [variable], None, None).targets[0]
        return self.network.states[node]

    def __repr__(self) -> str:
        return f"Model({self.network!r})"

    # Queries

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
        progress: Callable[[int], None] | None = None,
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
        progress: Callable[[int], None] | None = None,
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
        progress: Callable[[int], None] | None = None,
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
        method : str
            "exact"; "weighting", an estimate with standard errors by likelihood weighting; or "pyagrum", exact by
            pyAgrum (extra `inference`).
        credible : float, optional
            The level of credible intervals, such as 0.95, from tables drawn from their posterior.
        draws : int, optional
            Draws of "weighting" (100,000) or of tables (1,000).
        seed : int
            The seed of the draws.
        max_bytes : int
            The memory that an exact answer may take.
        progress : callable, optional
            Called with the number of draws done.

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
        >>> model.query(["tub", "lung"], given={"either": "yes"})["yes", "no"].__round__(4)
        0.1521
        >>> model.query("smoke", given={"xray": {"yes": 0.9, "no": 0.1}})["yes"].__round__(4)
        0.7003
        """
        names = (target,) if isinstance(target, str) else tuple(target)
        if not names:
            raise SettingError("no target is named: name the variable whose distribution is asked for")
        question = ask(self.network, names, given, do)
        self._check(question, method, credible)
        if not joint and not isinstance(target, str):
            return self._one_by_one(question, method, credible, draws, seed, max_bytes, progress)
        return self._answer(question, method, credible, draws, seed, max_bytes, progress)

    def cost(self, target: str | Iterable[str], given: Given | None = None, do: Given | None = None) -> Cost:
        """What an exact answer would take: treewidth, largest table, bytes; nothing large is computed.

        >>> Model.load("alarm").cost("CVP", given={"HR": "LOW"}).treewidth
        2
        """
        names = (target,) if isinstance(target, str) else tuple(target)
        return prepare(self._compiled, ask(self.network, names, given, do)).cost()

    def most_probable(
        self, given: Given | None = None, do: Given | None = None, max_bytes: int = MAX_BYTES
    ) -> MostProbable:
        """The most probable states of all other variables together (most probable explanation).

        >>> Model.load("cancer").most_probable(given={"Xray": "positive"}).states["Cancer"]
        'False'
        """
        fixed = {*(given or {}), *(do or {})} - {name for name, v in (given or {}).items() if not _is_state(v)}
        targets = [name for name in self.network.names if name not in fixed]
        hard = {name: value for name, value in (given or {}).items() if _is_state(value)}
        soft = {name: value for name, value in (given or {}).items() if not _is_state(value)}
        question = ask(self.network, [name for name in targets if name not in soft], {**hard, **soft}, do)
        self._check(question, "exact", None)
        places = {name: node for node, name in enumerate(self.network.names)}
        question = Question(tuple(places[n] for n in targets), question.observed, question.soft, question.do)
        states, log = most_probable(self._compiled, question, max_bytes)
        _, given_log = joint(self._compiled, Question((), question.observed, question.soft, question.do), max_bytes)
        shown = {self.network.names[v]: self.network.states[v][states[v]] for v in question.targets}
        return MostProbable(shown, float(2.0 ** (log - float(given_log[0]))), log)

    # Rows

    def predict(self, data: object, target: str, *, threads: int = 1) -> NDArray[np.str_]:
        """The most probable state of the target in each row, given the row's other values.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The rows. Empty values and absent columns are not observed; a column of the target is not used.
        target : str
            The variable to predict.
        threads : int
            Threads for rows that have the whole Markov blanket of the target.

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
        found = self.predict_proba(data, target, threads=threads)
        states = np.array(self.states(target))
        chosen: NDArray[np.str_] = states[found.argmax(axis=1)]
        return chosen

    def predict_proba(self, data: object, target: str, *, threads: int = 1) -> Values:
        """The distribution of the target in each row: one line per row, one number per state (`states(target)`).

        See `predict`.
        """
        node = ask(self.network, [target], None, None).targets[0]
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise InvalidSettingError("threads", threads, "give a whole number from 1 up")
        columns, rows = read_rows(self.network, data, target)
        found = predict_states(self._compiled, columns, rows, node, threads)
        impossible = np.flatnonzero(found.sum(axis=1) == 0)
        if len(impossible):
            raise SettingError(
                f"row {int(impossible[0]) + 1} has probability 0 in the model, so '{target}' cannot be predicted: fit "
                "with a prior above 0, or leave the row out"
            )
        return found

    def score(self, data: object) -> float:
        """Bits per row: minus the mean binary logarithm of the probability of the rows; lower is better.

        >>> round(Model.load("asia").score(Model.load("asia").sample(2000, seed=1)), 2)
        3.18
        """
        return bits_per_row(self.network, data if isinstance(data, Dataset) else read(data))

    def sample(self, rows: int, seed: int) -> Dataset:
        """Draw rows from the model."""
        return sample(self.network, rows, seed)

    # Effects

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

        Examples
        --------
        >>> Model.load("asia").effect("smoke", "lung").difference("yes", "yes", "no").low.__round__(6)
        0.09
        """
        if over not in (None, "class", "dag"):
            raise InvalidSettingError("over", over, "give 'class' or 'dag', or leave it out")
        self._refuse_unless_causal()
        pattern = self.pattern
        if over == "class" and pattern is None:
            from mahc.graphs import dag_to_cpdag

            pattern = dag_to_cpdag(self.network.dag)
        return compute_effect(self._compiled, cause, target, None if over == "dag" else pattern, max_bytes)

    # Parts of query

    def _check(self, question: Question, method: str, credible: float | None) -> None:
        if method not in METHODS:
            raise InvalidSettingError("method", method, f"give one of {', '.join(METHODS)}")
        if credible is not None:
            if isinstance(credible, bool) or not isinstance(credible, int | float) or not 0 < credible < 1:
                raise InvalidSettingError("credible", credible, "give a level between 0 and 1, such as 0.95")
            if method != "exact":
                raise SettingError(f"credible intervals need method='exact', not {method!r}: leave one of them out")
            if self.alphas is None:
                raise SettingError("credible intervals need tables fitted to data with a prior above 0")
        if question.do:
            self._refuse_unless_causal()

    def _refuse_unless_causal(self) -> None:
        if self.not_causal is not None:
            raise GraphError(self.not_causal)

    def _one_by_one(
        self,
        question: Question,
        method: str,
        credible: float | None,
        draws: int | None,
        seed: int,
        max_bytes: int,
        progress: Callable[[int], None] | None,
    ) -> dict[str, Answer]:
        names = self.network.names
        if method == "exact" and credible is None:
            try:
                found, logs = marginals(self._compiled, question, max_bytes)
            except TooLargeError:  # one target alone may need less
                pass
            else:
                return {names[v]: self._pack(question, (v,), found[v][0], given_log2=float(logs[0])) for v in found}
        return {
            names[v]: self._answer(
                Question((v,), question.observed, question.soft, question.do),
                method,
                credible,
                draws,
                seed,
                max_bytes,
                progress,
            )
            for v in question.targets
        }

    def _answer(
        self,
        question: Question,
        method: str,
        credible: float | None,
        draws: int | None,
        seed: int,
        max_bytes: int,
        progress: Callable[[int], None] | None,
    ) -> Answer:
        if method == "weighting":
            drawn = estimate(self._compiled, question, WEIGHTED_DRAWS if draws is None else draws, seed, progress)
            return self._pack(
                question,
                question.targets,
                drawn.probabilities,
                method,
                given_log2=drawn.given_log2,
                errors=drawn.standard_errors,
                effective=drawn.effective_draws,
            )
        if method == "pyagrum":
            from mahc.inference.pyagrum_engine import joint_by_pyagrum

            return self._pack(question, question.targets, joint_by_pyagrum(self.network, question, max_bytes)[0], method)
        table, logs = joint(self._compiled, question, max_bytes)
        bounds = None
        if credible is not None:
            samples = self.sampled_answers(question, TABLE_DRAWS if draws is None else draws, seed, max_bytes, progress)
            bounds = np.quantile(samples, [(1 - credible) / 2, (1 + credible) / 2], axis=0)
        return self._pack(
            question, question.targets, table[0], given_log2=float(logs[0]), bounds=bounds, level=credible
        )

    def sampled_answers(
        self,
        question: Question,
        draws: int,
        seed: int,
        max_bytes: int = MAX_BYTES,
        progress: Callable[[int], None] | None = None,
    ) -> Values:
        """The joint distribution of the targets under each of many tables drawn from their posterior."""
        if isinstance(draws, bool) or not isinstance(draws, int) or not 10 <= draws <= 10**6:
            raise InvalidSettingError("draws", draws, "give a whole number from 10 to 1,000,000")
        assert self.alphas is not None
        wanted = [*question.targets, *question.observed, *question.soft]
        nodes = [v for v in self._compiled.relevant(wanted, question.do) if v not in question.do]
        most = max(1, max_bytes // 4 // max(1, prepare(self._compiled, question).cost().bytes))
        found = []
        done = 0
        for tables in draw_tables(self.network, self.alphas, nodes, draws, seed, most):
            values, _ = joint(CompiledNetwork(self.network, tables), question, max_bytes)
            size = max(len(tables[v]) for v in nodes)
            found.append(np.broadcast_to(values, (size, *values.shape[1:])))
            done += size
            if progress is not None:
                progress(done)
        return np.concatenate(found)

    def _pack(
        self,
        question: Question,
        targets: Sequence[int],
        table: Values,
        method: str = "exact",
        *,
        given_log2: float | None = None,
        errors: Values | None = None,
        effective: float | None = None,
        bounds: Values | None = None,
        level: float | None = None,
    ) -> Answer:
        states: list[State] = [
            combination[0] if len(targets) == 1 else combination
            for combination in itertools.product(*(self.network.states[v] for v in targets))
        ]

        def by_state(values: Values) -> dict[State, float]:
            return dict(zip(states, values.ravel().tolist(), strict=True))

        intervals: Mapping[State, Interval] | None = None
        if bounds is not None:
            ends = zip(bounds[0].ravel().tolist(), bounds[1].ravel().tolist(), strict=True)
            intervals = {state: Interval(low, high) for state, (low, high) in zip(states, ends, strict=True)}
        return Answer(
            targets=tuple(self.network.names[v] for v in targets),
            probabilities=by_state(table),
            method=method,
            given_log2=given_log2,
            standard_errors=None if errors is None else by_state(errors),
            effective_draws=effective,
            intervals=intervals,
            level=level,
            notes=self._notes(question),
        )

    def _notes(self, question: Question) -> tuple[str, ...]:
        if self.pattern is None:
            return ()
        open_edges = {name for edge in self.pattern.edges if edge.mark == "---" for name in (edge.left, edge.right)}
        doubtful = [name for v in question.do if (name := self.network.names[v]) in open_edges]
        if not doubtful:
            return ()
        return (
            f"the data do not determine the direction of every edge of {doubtful[0]}: this is the answer of one DAG, and "
            "effect() gives the interval over all that are possible",
        )


def _is_state(value: object) -> bool:
    return isinstance(value, str) or not isinstance(value, Mapping | Sequence | np.ndarray)
