"""The result of learning: a graph, its scores, how it was found, and why each arc is in it or not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mahc.data import Dataset
from mahc.data.settings import MISSING_EM
from mahc.documents import json_values, write_json
from mahc.engine.counts import is_count_source
from mahc.errors import GraphError
from mahc.graphs import DAG, Edge, MixedGraph
from mahc.graphs.pictures import PICTURES, Picture
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.stop_reason import StopReason
from mahc.opening import close_opened, count_again, open_again, open_rows, rows_of
from mahc.plurals import noun
from mahc.registry import Registry
from mahc.results.explanation import Explanation
from mahc.results.graph_sample import GraphSample, add_confidence, check_belongs
from mahc.results.outcomes import Outcome
from mahc.results.outcomes.dag import ConstraintCost, PruningSummary, TakenStep
from mahc.results.records import DataRecord, RunRecord

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from mahc.inference.effect_estimate import EffectEstimate
    from mahc.results.causal_tools import EconmlArrays
    from mahc.results.question import Question

# What higher packages do with a result: they register their functions when one is first used.
PAGES: Registry[Callable[..., Any]] = Registry("page")
PAGES.expect("effect", "mahc.confidence.effect_intervals")
PAGES.expect("panel report", "mahc.ui.report")
PAGES.expect("questions", "mahc.confidence.questions")
PAGES.expect("report", "mahc.ui.report")
PAGES.expect("view", "mahc.ui.notebook")


@dataclass(frozen=True, eq=False)
class Learned:
    """What an algorithm learned from data; equal to another with the same graph, scores and steps.

    `mahc.learn` makes it. Its methods and properties are the same for all algorithms.

    Parameters
    ----------
    data : DataRecord
        What the graph was learned from: names, states, number of rows, fingerprint.
    run : RunRecord
        How it was learned: algorithm, score, settings, knowledge, time.
    outcome : DagOutcome, PatternOutcome or SampleOutcome
        The graph: a DAG with scores and steps if the algorithm searches by score, a CPDAG or PAG with the separating
        sets if it tests independence.
    confidence : GraphSample, optional
        How often the edges came back in resamples of the data (`with_confidence` adds it), or are in the graphs that a
        sampler drew.

    Examples
    --------
    >>> import mahc
    >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}, "hc")
    >>> learned.arcs, learned.stop_reason
    ((('rain', 'wet'),), 'converged')
    >>> print(learned.explain("day", "wet"))
    day -> wet is not in the graph: it is legal, but adding it would lower the score by 7.4919 bits.
    """

    data: DataRecord
    run: RunRecord
    outcome: Outcome
    confidence: GraphSample | None = None

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self.run.algorithm

    @property
    def settings(self) -> Mapping[str, Any]:
        """The algorithm's settings, defaults included."""
        return self.run.settings

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge that the run obeyed."""
        return self.run.knowledge

    @property
    def stop_reason(self) -> StopReason:
        """Why the run ended: `converged`, `time_limit`, `memory_limit`, `interrupted` or `step_limit`."""
        return self.run.stop_reason

    @property
    def seconds(self) -> float:
        """How long the search took; `run.total_seconds` has the reading of the data and the reasons, too."""
        return self.run.seconds

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in the order of the data's columns."""
        return self.graph.names

    @property
    def kind(self) -> str:
        """The kind of graph: `DAG`, `CPDAG` (pc-stable) or `PAG` (fci, boss-pag)."""
        return self.outcome.kind

    @property
    def graph(self) -> DAG | MixedGraph:
        """The graph that the algorithm learned, of whatever kind."""
        return self.outcome.graph

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The arcs; of a CPDAG or PAG the edges with a direction."""
        return self.outcome.arcs

    @property
    def edges(self) -> tuple[Edge, ...] | None:
        """All edges of a CPDAG or PAG with their marks; None for a DAG."""
        return None if self.outcome.edges is None else tuple(self.outcome.edges)

    @property
    def extension(self) -> tuple[tuple[str, str], ...] | None:
        """The arcs of a DAG that fits a CPDAG or PAG; None where there is none, and for a DAG."""
        return self.outcome.extension

    @property
    def without_dag(self) -> str | None:
        """Why there is no DAG, in words; None where there is one."""
        return self.outcome.without_dag(self.run)

    @cached_property
    def dag(self) -> DAG:
        """The graph or, where that is a CPDAG or PAG, a DAG that fits it; a GraphError where there is none."""
        return self.outcome.dag(self.run)

    @cached_property
    def pattern(self) -> MixedGraph:
        """The graph to compare with a true one: the PAG of `fci` and `boss-pag`, of all others the CPDAG."""
        return self.outcome.pattern(self.run)

    @property
    def cpdag(self) -> MixedGraph:
        """All DAGs that the data cannot distinguish from this one, given the knowledge; a GraphError for a PAG."""
        self.outcome.check_cpdag(self.run)
        return self.pattern

    @property
    def score(self) -> float | None:
        """The score of the DAG, in logarithms to `run.score.base`; None where there is no DAG."""
        return None if self.local_scores is None else math.fsum(self.local_scores)

    @property
    def local_scores(self) -> tuple[float, ...] | None:
        """The part of each variable in the score; None where there is no DAG."""
        return self.outcome.local_scores

    @property
    def averaged_score(self) -> float | None:
        """The mean of the scores of the graph and its neighbours; None where the algorithm does not average."""
        return self.outcome.averaged_score

    @property
    def gap(self) -> float | None:
        """A proven bound: no graph scores more than `gap` above this one; None where nothing was proven."""
        return self.outcome.gap

    @property
    def steps(self) -> tuple[TakenStep, ...]:
        """The moves from the start graph to this one; none where there was no search by score."""
        return self.outcome.path

    @property
    def pruning(self) -> PruningSummary | None:
        """The arcs pruned before the search; None where the algorithm does not prune."""
        return self.outcome.pruning

    @property
    def cut_points(self) -> dict[str, tuple[float, ...]]:
        """The cut points of every column of numbers that was cut, learned or given; none for one interval."""
        return {} if self.data.reading is None else dict(self.data.reading.cut_points)

    @property
    def merged_states(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The states of every ordinal column in which neighbouring states were merged, in groups, lowest first."""
        return {} if self.data.reading is None else dict(self.data.reading.merged)

    @property
    def constraint_costs(self) -> tuple[ConstraintCost, ...]:
        """The score that each constraint of the knowledge cost, the most expensive first."""
        return self.outcome.constraint_costs

    @property
    def changes(self) -> dict[str, tuple[str, ...]]:
        """For each context of the knowledge, the variables that differ between its states: those it is joined to."""
        contexts = self.knowledge.contexts
        if not contexts:
            return {}
        both = [pair for a, b in self.outcome.adjacent for pair in ((a, b), (b, a))]
        return {context: tuple(sorted(b for a, b in both if a == context)) for context in contexts}

    def strengths(self) -> dict[tuple[str, str], float]:
        """For each arc, the score that would be lost by removing it; empty for a CPDAG or PAG.

        Returns
        -------
        dict
            Arc (tail, head) -> score.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> [round(strength) for strength in learned.strengths().values()]
        [176]
        """
        return self.outcome.strengths()

    def explain(self, tail: str, head: str) -> Explanation:
        """Why the arc `tail` -> `head` (of a CPDAG or PAG: the edge) is in the graph, or why it is not.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        Explanation
            The reason; `print` shows it as a sentence.

        Raises
        ------
        UnknownNameError
            For a variable that the data do not have.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> print(learned.explain("rain", "wet"))  # doctest: +ELLIPSIS
        rain -> wet is ...
        """
        reason = self.outcome.explain(tail, head, self.run)
        return reason if self.confidence is None else add_confidence(reason, self.confidence)

    def with_confidence(self, confidence: GraphSample) -> Learned:
        """The same result with the frequencies of a bootstrap, which summary, table, JSON and `explain` then show.

        Raises DataError where the bootstrap is of other data or of another algorithm.

        Parameters
        ----------
        confidence : GraphSample
            What `mahc.bootstrap` returned for the same data and algorithm.

        Returns
        -------
        Learned
            The result.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns, "hc").with_confidence(mahc.bootstrap(columns, "hc", resamples=50))
        >>> print(learned.explain("wet", "rain"))  # doctest: +ELLIPSIS
        wet -> rain is not in the graph: ... The edge is in 100 % of 50 resamples; direction ... : ...
        """
        check_belongs(confidence, self.data, self.run)
        return replace(self, confidence=confidence)

    def fit(
        self,
        data: object,
        *,
        prior: float = 1.0,
        missing: str | None = None,
        on: object = None,
        memory_mebibytes: int | None = None,
    ) -> Any:
        """Fit the graph to data, for queries, predictions and effects: tables, and regressions where there are numbers.

        Parameters
        ----------
        data : Dataset or anything that `mahc.learn` takes
            The data, usually those that the graph was learned from. The tables of data in pieces whose distinct rows do
            not fit into memory are counted in one pass.
        prior : float
            The equivalent sample size of the Dirichlet prior (that of BDeu). 0 gives the observed frequencies, with
            probability 0 for what was not observed.
        missing : str, optional
            Missing values: error, state or drop, as in `mahc.read`, or "em" for expectation-maximisation. Left out it
            is the way in which the data of the result were read, or em where their missing values stayed missing.
            The other settings of reading, and the cut points, are always those of the result.
        on : distributed.Client, Spark session or str, optional
            The cluster that reads and counts files, as for `mahc.learn`.
        memory_mebibytes : int, optional
            Memory for reading; files that do not fit are read in pieces.

        Returns
        -------
        Model or MixedModel
            The network, which answers questions; a `MixedModel` where columns hold numbers. Of a CPDAG or PAG it has a
            DAG that fits; effects are intervals over all DAGs that the data cannot distinguish.

        Raises
        ------
        MahcError
            Where no DAG fits the graph, the data lack one of its variables, or `missing` is not that of the result.

        Examples
        --------
        >>> import mahc
        >>> data = mahc.read({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90})
        >>> round(mahc.learn(data, "hc").fit(data).query("wet", given={"rain": "y"})["y"], 3)
        0.997
        """
        from mahc.inference.fitting import fit_model

        how: dict[str, Any] = {"on": on, "memory_mebibytes": memory_mebibytes, "counts_only": True}
        table, missing = self._read_again(data, missing, **how)
        degree = getattr(self.run.score, "degree", None)
        if self.kind == "PAG":
            hidden = f"{self.algorithm} learned a PAG, so hidden common causes are possible: interventions need a DAG"
            own: dict[str, Any] = {"not_causal": hidden}
        else:
            own = {"pattern": self.cpdag}
        try:
            return fit_model(self.dag, table, prior=prior, degree=degree, missing=missing, **own, **how)
        finally:
            close_opened(table, data)

    def effect(
        self,
        data: object,
        cause: str,
        target: str,
        *,
        contrast: str | tuple[float | str, float | str] | None = None,
        state: str | None = None,
        given: Mapping[str, object] | None = None,
        level: float = 0.95,
        graphs: GraphSample | None = None,
        seed: int = 1,
        prior: float = 1.0,
    ) -> EffectEstimate:
        """What setting a cause to another value changes, with an interval over rows and graphs.

        Graphs are drawn from the posterior with the score and knowledge of this result; tables, or regressions where a
        column holds numbers, from their distribution given the rows. Graphs in which the cause does not lead to the
        target count with an effect of 0.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the graph was learned from.
        cause, target : str
            The variables.
        contrast : tuple or str, optional
            The baseline and the value to compare with it; or one state, to compare with the rest: all other states,
            each set as often as it occurs. Left out, the first and the last state of the cause, or the lower and the
            upper quartile of a number.
        state : str, optional
            The state of the target; the last if left out. A target with numbers has none: its mean is compared.
        given : mapping, optional
            States of variables that the cause does not change: the effect among the rows that have them.
        level : float
            The share of the draws that the interval holds.
        graphs : GraphSample, optional
            Graphs to use instead, from `mahc.posterior` or `mahc.bootstrap` of the same data. A graph of a bootstrap
            stands for its class: the possible parent sets of the cause count equally.
        seed : int
            Seed of graphs and tables.
        prior : float
            The equivalent sample size of the prior of the tables.

        Returns
        -------
        EffectEstimate
            The difference, the ratio and their intervals, and the share of graphs without an effect.

        Raises
        ------
        MahcError
            Where values are missing, or a name or state is unknown.

        Examples
        --------
        >>> import mahc
        >>> from mahc.networks import load_network, sample
        >>> data = sample(load_network("asia"), 2000, seed=1)
        >>> known = {"tiers": [["smoke"], ["bronc"], ["dysp"]]}
        >>> found = mahc.learn(data, "boss", knowledge=known).effect(data, "smoke", "bronc")
        >>> 0.2 < found.interval.low < found.interval.high < 0.4, found.absent
        (True, 0.0)
        """
        found: EffectEstimate = PAGES["effect"](
            self,
            self._read_again(data, None)[0],
            cause,
            target,
            contrast=contrast,
            state=state,
            given=given,
            level=level,
            graphs=graphs,
            seed=seed,
            prior=prior,
        )
        return found

    def questions(
        self,
        data: object,
        budget: int = 5,
        *,
        effect: tuple[str, str] | None = None,
        graphs: GraphSample | None = None,
        seed: int = 1,
    ) -> tuple[Question, ...]:
        """The pairs of variables about which an expert's answer would tell most, the best first.

        Graphs are drawn from the posterior with the score and knowledge of this result. Each question is judged alone:
        after an answer, add it to the knowledge (`question.knowledge(answer)`), learn and ask again.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the graph was learned from.
        budget : int
            The number of questions.
        effect : tuple of str, optional
            A cause and a target: what would tell most about the effect of one on the other.
        graphs : GraphSample, optional
            Graphs to use instead, from `mahc.posterior` of the same data.
        seed : int
            Seed of the graphs.

        Returns
        -------
        tuple of Question
            Fewer where fewer pairs are uncertain.

        Raises
        ------
        MahcError
            Where values are missing, or a name is unknown.

        Examples
        --------
        >>> import mahc
        >>> from mahc.networks import load_network, sample
        >>> data = sample(load_network("asia"), 1000, seed=1)
        >>> [asked] = mahc.learn(data, "boss").questions(data, 1)
        >>> (asked.left, asked.right), asked.probabilities["->"] < 0.99
        (('lung', 'tub'), True)
        """
        found: tuple[Question, ...] = PAGES["questions"](
            self, self._read_again(data, None)[0], budget, effect=effect, graphs=graphs, seed=seed
        )
        return found

    def to_dowhy(
        self,
        data: object,
        cause: str,
        target: str,
        *,
        contrast: tuple[str, str] | None = None,
        state: str | None = None,
    ) -> Any:
        """A `CausalModel` of DoWhy, ready to identify, estimate and refute an effect (needs the extra `dowhy`).

        The graph is `dag`; where a CPDAG was learned, one DAG of it. Variables with two states become 0 and 1.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the graph was learned from.
        cause : str
            A variable with two states or numbers.
        target : str
            A variable with states or numbers.
        contrast : tuple of str, optional
            The two states of the cause, the baseline first; in their own order if left out.
        state : str, optional
            The state of the target that becomes 1; the last if left out.

        Returns
        -------
        dowhy.CausalModel
            The model.

        Raises
        ------
        MahcError
            Where the cause has more than two states, values are missing, or DoWhy is not installed.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn("asia", "hc")
        >>> model = learned.to_dowhy("asia", "smoke", "lung")  # doctest: +SKIP
        >>> model.identify_effect().get_backdoor_variables()  # doctest: +SKIP
        []
        """
        from mahc.results.causal_tools import dowhy_model

        return dowhy_model(self, self._open_rows(data), cause, target, contrast, state)

    def to_econml(
        self,
        data: object,
        cause: str,
        target: str,
        *,
        contrast: tuple[str, str] | None = None,
        state: str | None = None,
        given: str | Iterable[str] | None = None,
        modifiers: str | Iterable[str] = (),
    ) -> EconmlArrays:
        """Arrays for the estimators of EconML, with the adjustment set that the graph gives.

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the graph was learned from.
        cause, target : str
            The variables.
        contrast : tuple of str, optional
            The two states of the cause, the baseline first; in their own order if left out.
        state : str, optional
            The state of the target that becomes 1; the last if left out.
        given : str or list of str, optional
            The adjustment set; by default the optimal one.
        modifiers : str or list of str
            Variables by which the effect may differ: they become X.

        Returns
        -------
        EconmlArrays
            Y, T, X and W, with the names of their columns.

        Raises
        ------
        MahcError
            Where the effect is not identified in all DAGs that the data cannot distinguish, or the set is not valid.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn("asia", "hc", knowledge={"tiers": [["smoke"], ["bronc"], ["dysp"]]})
        >>> learned.to_econml("asia", "bronc", "dysp").adjustment_set
        ('either',)
        """
        from mahc.results.causal_tools import econml_arrays

        return econml_arrays(self, self._open_rows(data), cause, target, contrast, state, given, modifiers)

    def _open_rows(self, data: object) -> Dataset:
        """Data as rows, read as those of the result were."""
        found = self._read_again(data, None)[0]
        return rows_of(found, data) if is_count_source(found) or isinstance(found, Dataset) else open_rows(found)

    def _read_again(self, data: object, missing: str | None, **how: Any) -> tuple[Any, str]:
        """Data that are still to be read, read as those of the result were; and what to do with missing values."""
        record = self.data.reading
        if isinstance(data, Dataset):
            data = open_again(data, record)
            return data, missing or ("error" if data.complete else MISSING_EM)
        if record is None:
            return data, missing or "error"
        given = {} if missing is None else {"missing": missing}
        instead = () if record.missing == "state" else (MISSING_EM,)
        table = count_again(data, record, given, self.variables, instead, kinds=self.run.score.columns, **how)
        return table, "error" if getattr(table, "complete", True) else MISSING_EM

    def plot(
        self,
        *,
        reversible: bool = True,
        tiers: bool = True,
        title: str | None = None,
        around: str | Iterable[str] | None = None,
        steps: int = 2,
    ) -> Picture:
        """Draw the graph, or the part of it around some variables.

        Arcs that the data determine have an arrowhead; reversible ones have a dot in the middle and no arrowhead.
        Stronger arcs have wider lines (by rank). If the result has a confidence, uncertain arcs are paler. Positions do
        not depend on these choices.

        Parameters
        ----------
        reversible : bool
            Whether to leave out the arrowheads of reversible arcs; if False, the arcs of the DAG are drawn as
            learned, and only the dot marks the reversible ones.
        tiers : bool
            Whether to draw the tiers of the knowledge, if there are any, as bands.
        title : str, optional
            The line above the picture; by default the algorithm and the size of the graph.
        around : str or iterable of str, optional
            Draw only these variables and those at most `steps` edges away from one of them.
        steps : int
            How far from `around`.

        Returns
        -------
        Picture
            Notebooks display it; `svg` is its text, `save` writes it.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> learned.plot().svg.startswith("<svg")
        True
        >>> "2 of 2 variables" in learned.plot(around="rain", steps=1).svg
        True
        """
        drawn: Picture = PICTURES["learned"](
            self, reversible=reversible, tiers=tiers, title=title, around=around, steps=steps
        )
        return drawn

    def to_frame(self) -> pl.DataFrame:
        """The edges as a polars table: from, mark, to, strength, reversible and, if there is one, confidence.

        Returns
        -------
        polars.DataFrame
            One row per edge, the strongest first. `reversible` is null in a PAG; `strength` is null for graphs
            that tests of independence gave.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> learned.to_frame()["from", "mark", "to", "reversible"].rows()
        [('rain', '-->', 'wet', True)]
        """
        from mahc.results.edges import make_frame

        return make_frame(self)

    def to_networkx(self) -> Any:
        """The graph for networkx; its edges hold `strength`, `reversible` and `confidence` where they are known.

        Returns
        -------
        networkx.DiGraph or networkx.Graph
            A DiGraph for a DAG. For a CPDAG or PAG a Graph whose edges hold `marks`. The graph's own attributes are
            the algorithm, the kind of graph and the score.

        Raises
        ------
        GraphError
            If networkx is not installed.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> learned.to_networkx().edges["rain", "wet"]["reversible"]
        True
        """
        from mahc.results.edges import make_networkx

        return make_networkx(self)

    def to_pgmpy(self, data: object = None, *, prior: float = 1.0) -> Any:
        """The graph with tables fitted to data, for pgmpy (which must be installed).

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the tables are fitted to, as `fit` does it.
        prior : float
            The equivalent sample size of the Dirichlet prior of the tables.

        Returns
        -------
        pgmpy.models.DiscreteBayesianNetwork
            The same variables, states and arcs.

        Raises
        ------
        MahcError
            Without data, where columns hold numbers, or if pgmpy is not installed.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn("asia", "hc")
        >>> learned.to_pgmpy()
        Traceback (most recent call last):
        ...
        mahc.errors.GraphError: a learned graph has no probability tables: give the data, to_pgmpy(data)
        >>> net = learned.to_pgmpy("asia")  # doctest: +SKIP
        """
        return self._fit_tables(data, prior, "to_pgmpy").to_pgmpy()

    def to_pyagrum(self, data: object = None, *, prior: float = 1.0) -> Any:
        """The graph with tables fitted to data, for pyAgrum (needs the extra `inference`).

        Parameters
        ----------
        data : Dataset or anything that `mahc.read` takes
            The data that the tables are fitted to, as `fit` does it.
        prior : float
            The equivalent sample size of the Dirichlet prior of the tables.

        Returns
        -------
        pyagrum.BayesNet
            The same variables, states and arcs.

        Raises
        ------
        MahcError
            Without data, where columns hold numbers, or if pyAgrum is not installed.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn("asia", "hc")
        >>> learned.to_pyagrum()
        Traceback (most recent call last):
        ...
        mahc.errors.GraphError: a learned graph has no probability tables: give the data, to_pyagrum(data)
        >>> net = learned.to_pyagrum("asia")  # doctest: +SKIP
        """
        return self._fit_tables(data, prior, "to_pyagrum").to_pyagrum()

    def _fit_tables(self, data: object, prior: float, method: str) -> Any:
        """The model of tables that other programs take."""
        if data is None:
            raise GraphError(f"a learned graph has no probability tables: give the data, {method}(data)")
        return self.fit(data, prior=prior)

    def to_modelstring(self) -> str:
        """The model string of `dag`, which `model2network` of the R package bnlearn reads.

        Returns
        -------
        str
            One bracket per variable, parents before their children.

        Raises
        ------
        GraphError
            If no DAG fits the graph, or a name has a bracket, a bar or a colon.

        Examples
        --------
        >>> import mahc
        >>> mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc").to_modelstring()
        '[rain][wet|rain]'
        """
        return self.dag.to_modelstring()

    def to_causal_learn(self) -> Any:
        """The matrix of the graph in causal-learn, as `GeneralGraph.graph` holds it.

        Returns
        -------
        array of int
            The matrix, in the order of `variables`; `mahc.graphs.from_causal_learn` reads it.

        Examples
        --------
        >>> import mahc
        >>> mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc").to_causal_learn().tolist()
        [[0, -1], [1, 0]]
        """
        from mahc.graphs import to_causal_learn

        return to_causal_learn(self.graph)

    def write_graph(self, path: str | Path, format: str | None = None) -> None:
        """Write the graph to a file; CSV, DOT and GraphML also hold the strength and reversibility of its edges.

        Parameters
        ----------
        path : str or path
            The file; its suffix selects the format.
        format : str, optional
            The format, if the suffix does not name it.

        Raises
        ------
        FormatError
            If the format cannot hold a name, or the suffix is unknown.

        Examples
        --------
        >>> import mahc, tempfile
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     learned.write_graph(f"{folder}/graph.csv")
        ...     print(open(f"{folder}/graph.csv").read().splitlines()[0])
        from,to,strength,reversible
        """
        from mahc.graphs.files import write_graph
        from mahc.results.edges import edge_attributes

        write_graph(self.graph, path, format, edge_attributes(self))

    def save(self, path: str | Path) -> None:
        """Write everything to one JSON file.

        Parameters
        ----------
        path : str or path
            The file to write.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "result.json")
        ...     learned.save(path)
        ...     mahc.Learned.load(path) == learned
        True
        """
        from mahc.results.files import learned_to_dict

        write_json(path, learned_to_dict(self))

    def to_dict(self) -> dict[str, Any]:
        """Everything that `save` writes, as plain JSON values, for an answer of a service or a database.

        Returns
        -------
        dict
            The fields of result.json, for `json.dumps` and `Learned.from_dict`.

        Examples
        --------
        >>> import json, mahc
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> text = json.dumps(learned.to_dict())
        >>> mahc.Learned.from_dict(json.loads(text)) == learned
        True
        """
        from mahc.results.files import learned_to_dict

        document: dict[str, Any] = json_values(learned_to_dict(self))
        return document

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> Learned:
        """A result from what `to_dict` gave, or from the content of a result.json.

        Parameters
        ----------
        document : dict
            The fields of a result.

        Returns
        -------
        Learned
            The result.

        Raises
        ------
        FormatError
            Where the dict is not a result, is damaged or is of another format version.

        Examples
        --------
        >>> import mahc
        >>> learned = mahc.learn({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc")
        >>> mahc.Learned.from_dict(learned.to_dict()) == learned
        True
        """
        from mahc.results.files import learned_from_dict

        found = json_values(dict(document) if isinstance(document, Mapping) else document)
        return learned_from_dict(found, "the dict", "give what Learned.to_dict returned")

    def report(
        self, path: str | Path, data: object = None, *, on: object = None, memory_mebibytes: int | None = None
    ) -> None:
        """Write one HTML file that shows the graph, its reasons and the run, and works offline.

        Parameters
        ----------
        path : str or path
            The file to write.
        data : str, path, frame, array, dict of lists or Dataset, optional
            The data that the graph was learned from; the report then has frequencies, probability tables and, unless
            they are counted in passes, the audit.
        on : distributed.Client, Spark session or str, optional
            The cluster that reads and counts files, as for `mahc.learn`.
        memory_mebibytes : int, optional
            Memory for reading; files that do not fit are read in pieces.

        Raises
        ------
        MahcError
            Where the data are not those of the result, or the file cannot be written.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     learned.report(os.path.join(folder, "report.html"), columns)
        ...     os.listdir(folder)
        ['report.html']
        """
        PAGES["report"](self, path, data, on=on, memory_mebibytes=memory_mebibytes)

    def view(self, data: object = None) -> Any:
        """The interactive view for a notebook (extra `notebook`); without the extra the picture as SVG.

        Parameters
        ----------
        data : str, path, frame, array, dict of lists or Dataset, optional
            The data that the graph was learned from; the view then has frequencies and probability tables.

        Returns
        -------
        object
            A widget, or an object that notebooks show as SVG.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> shown = learned.view()
        """
        return PAGES["view"](self, data)

    @staticmethod
    def load(path: str | Path) -> Learned:
        """Read what `save` wrote; a FormatError where the file is not a result.

        Parameters
        ----------
        path : str or path
            The file to read.

        Returns
        -------
        Learned
            The result.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> learned = mahc.learn(columns)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "result.json")
        ...     learned.save(path)
        ...     mahc.Learned.load(path) == learned
        True
        """
        from mahc.results.files import load_learned

        return load_learned(path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Learned):
            return NotImplemented
        return self._essence() == other._essence()

    def __hash__(self) -> int:
        return hash((self.arcs, self.local_scores, self.data.fingerprint))

    def _essence(self) -> tuple[object, ...]:
        path = tuple((s.move, s.tail, s.head, s.score, s.averaged_score) for s in self.steps)
        names, graph = frozenset(self.variables), (self.arcs, self.edges, self.extension)
        run = (self.algorithm, dict(self.settings), self.stop_reason, self.data.fingerprint)
        return names, graph, run, self.score, self.averaged_score, path

    def __repr__(self) -> str:
        name = self.run.score.name
        value = f"no {name}" if self.score is None else f"{name} {self.score:.4f} {self.run.unit}"
        variables, edges = len(self.variables), self.outcome.edge_number
        size = f"{variables} {noun(variables, 'variable')}, {edges} {noun(edges, self.outcome.edge_word)}"
        return f"Learned({self.algorithm}: {size}, {value}, {self.stop_reason})"

    def _repr_html_(self) -> str:
        from mahc.results.summary import learned_html

        return learned_html(self)
