"""Many graphs over the same variables: learned from resamples, or drawn by a sampler; how often each edge is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec import Meta, field

from mahc.documents import (
    ByPair,
    Document,
    Format,
    Index,
    Number,
    Whole,
    check_below,
    from_plain,
    json_values,
    read_json,
    to_plain,
    write_json,
)
from mahc.errors import DataError, InvalidSettingError, MahcError, Message, choices
from mahc.graphs import DAG, Edge, Mark, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts, count_edges
from mahc.graphs.marks import EDGE_MARKS
from mahc.graphs.names import check_names, look_up
from mahc.learning.stop_reason import StopReason
from mahc.plurals import count
from mahc.results.explanation import EdgeTable, Explanation
from mahc.results.frequencies import (
    CORRECTIONS,
    KINDS,
    LEVEL,
    calibrate,
    is_calibrated,
    percent,
    percent_of,
    wilson_interval,
)
from mahc.results.mixing import Mixing, describe_mixing
from mahc.results.records import DataRecord, RunRecord

if TYPE_CHECKING:
    import polars as pl

    from mahc.results.learned import Learned

SAMPLE = Format(
    "mahc-graph-sample",
    1,
    "a saved bootstrap or sample of graphs",
    "give the confidence.json that `mahc bootstrap --out DIR` wrote",
    "bootstrap again",
)
FILE = "confidence.json"
SURE, LIKELY = 0.95, 0.5
HOW = {
    "bootstrap": "rows drawn with replacement, as many as there are",
    "half": "half of the rows drawn without replacement",
    "poisson": "a row of weight w drawn Poisson(w) times, by its number in the data, also from data in pieces",
}

ALIKE = ("bootstrap", "poisson")  # they differ no more than two seeds (benchmarks/bench_beyond.py --agreement)


def _is_arc_path(dag: DAG, tail: int, head: int) -> bool:
    """Whether a directed path leads from one variable to the other."""
    seen, todo = {head}, [head]
    while todo:
        for u in dag.parent_sets[todo.pop()]:
            if u == tail:
                return True
            if u not in seen:
                seen.add(u)
                todo.append(u)
    return False


def _in_blanket(dag: DAG, one: int, other: int) -> bool:
    """Whether the two are joined or have a common child."""
    if one == other:
        return False
    parents = dag.parent_sets
    return one in parents[other] or other in parents[one] or any({one, other} <= set(mine) for mine in parents)


RELATIONS = {"path": _is_arc_path, "blanket": _in_blanket}


class WeightedGraph(Document, frozen=True, array_like=True, kw_only=False):
    """One DAG of a sample: its arcs by the numbers of the variables, how often it was drawn, and its score if known."""

    arcs: tuple[tuple[Index, Index], ...]
    weight: Annotated[int, Meta(ge=1)]
    score: Number | None = None  # in the unit of the run's score, the arc price subtracted


class Sampling(Document, frozen=True):
    """How `mahc.posterior` drew its graphs, and which member each chain was at: enough to draw more.

    Parameters
    ----------
    beta : float
        The power of the score: a DAG is drawn with probability proportional to exp(beta * score in nats).
    exact : bool
        Whether the score is a marginal likelihood, so that beta 1 gives a posterior in the strict sense.
    candidate_parents : int
        Number of candidate parents of a variable.
    warm_up : int
        Steps of a chain before its first graph.
    thinning : int
        Steps from one graph to the next.
    draws : tuple of tuple of int
        For each chain, the places of its graphs among the members, in the order in which they were drawn.

    Examples
    --------
    >>> Sampling(beta=0.5, exact=False, candidate_parents=16, warm_up=480, thinning=12, draws=((0, 1), (1,))).chains
    2
    """

    beta: Number
    exact: bool
    candidate_parents: Whole
    warm_up: Whole
    thinning: Whole
    draws: tuple[tuple[Index, ...], ...]

    @property
    def chains(self) -> int:
        """The number of chains."""
        return len(self.draws)


class SamplePart(Document, frozen=True):
    """One of the samples that a mean is made of (`mahc.combine`); all count the same.

    Parameters
    ----------
    graphs : int
        How many graphs it has; of a part that is itself a mean, what has the same standard error.
    source : str
        What its graphs come from (`GraphSample.source`).
    text : str
        The sample in words (`GraphSample.describe`).

    Examples
    --------
    >>> SamplePart(graphs=60, source="bootstrap of boss (qnml)", text="60 resamples (bootstrap, seed 1)").graphs
    60
    """

    graphs: Annotated[int, Meta(ge=1)]
    source: str
    text: str


class GraphSample(Document, frozen=True):
    """Many graphs over the same variables, and how often each edge is in them.

    `mahc.bootstrap` makes it from resamples of the data, a sampler (`mahc.learn`, then `Learned.confidence`) from
    graphs that it draws. Frequencies are shares of the graphs.

    Parameters
    ----------
    data : DataRecord
        What the graphs were learned from: number of rows, fingerprint.
    run : RunRecord
        How they were learned: algorithm, score, settings, knowledge, time, and why it ended.
    origin : str
        Where the graphs come from: "bootstrap" and "half" (how rows were drawn), "posterior" (a sampler), "learned"
        (one graph from all rows) or "combined" (the mean of several samples).
    seed : int
        The seed of the resamples, or of the sampler.
    requested : int
        How many graphs were asked for; `size` is how many there are.
    kind : str
        The kind of the graphs: "DAG", "CPDAG" or "PAG".
    variables : tuple of str
        The variables in the order of the data's columns.
    size : int
        The number of graphs.
    graphs : mapping
        Counts of the edges of the graphs themselves, by pair of variables.
    patterns : mapping
        Counts of the edges of their CPDAGs or PAGs, in which only directions that the data can show are directions.
    members : tuple of WeightedGraph
        The graphs themselves, each once: of samplers, and of bootstraps of at most 10,000 resamples that learn DAGs.
    diagnostics : dict
        What a sampler says of its run, such as how well its chains agree.
    sampling : Sampling, optional
        How `mahc.posterior` drew the graphs.
    parts : tuple of SamplePart
        Of a mean of samples (`mahc.combine`): the samples.

    Examples
    --------
    >>> import mahc
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> sample = mahc.bootstrap(columns, "hc", resamples=20)
    >>> sample.edge("rain", "wet")
    1.0
    >>> sample.sentence("wet", "day")
    'in 0 % of 20 resamples'
    """

    data: DataRecord
    run: RunRecord
    origin: Annotated[str, Meta(pattern="^(bootstrap|half|poisson|posterior|learned|combined)$")] = field(name="how")
    seed: Whole
    requested: Whole
    kind: Annotated[str, Meta(pattern="^(DAG|CPDAG|PAG)$")]
    variables: tuple[str, ...]
    size: Whole = field(name="resamples")
    graphs: ByPair[dict[str, Whole]]
    patterns: ByPair[dict[str, Whole]]
    members: tuple[WeightedGraph, ...] = ()
    diagnostics: dict[str, Number] = field(default_factory=dict)
    sampling: Sampling | None = None
    parts: tuple[SamplePart, ...] = ()

    @cached_property
    def edge_counts(self) -> EdgeCounts:
        """The counts of the edges of the graphs."""
        return EdgeCounts(self.variables, self.size, dict(self.graphs))

    @cached_property
    def pattern_counts(self) -> EdgeCounts:
        """The counts of the edges of their CPDAGs or PAGs."""
        return EdgeCounts(self.variables, self.size, dict(self.patterns))

    @cached_property
    def dags(self) -> tuple[DAG, ...]:
        """The graphs of `members`, in their order."""
        number = len(self.variables)
        return tuple(DAG.from_parents(self.variables, _parents(each.arcs, number)) for each in self.members)

    @property
    def resamples(self) -> int:
        """The number of graphs: of a bootstrap, one for each resample."""
        return self.size

    @property
    def stop_reason(self) -> StopReason:
        """Why it ended: `converged` where there are as many graphs as were asked for."""
        return self.run.stop_reason

    @property
    def noun(self) -> str:
        """What one graph stands for: a resample, or a sampled graph."""
        return "resample" if self.origin in HOW else "sampled graph" if self.origin == "posterior" else "graph"

    @property
    def trials(self) -> float:
        """How many graphs an interval counts: all, or of a mean what has the same standard error."""
        return self.size if not self.parts else len(self.parts) ** 2 / sum(1 / part.graphs for part in self.parts)

    @property
    def drawn(self) -> int:
        """How many graphs were learned or drawn: of a mean, those of its parts."""
        return sum(part.graphs for part in self.parts) or self.size

    @property
    def source(self) -> str:
        """What the graphs come from, as far as calibration depends on it."""
        if self.parts:
            return " and ".join(sorted(part.source for part in self.parts))
        score = self.run.score.name
        if self.sampling is not None:
            return f"posterior ({score}, beta {self.sampling.beta:g})"
        return f"{'bootstrap' if self.origin in ALIKE else self.origin} of {self.run.algorithm} ({score})"

    def edge(self, left: str, right: str) -> float:
        """The share of the graphs in which the two variables are joined, whatever the direction.

        Parameters
        ----------
        left, right : str
            Two variables.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.edge("wet", "rain")
        1.0
        """
        return self.edge_counts.edge(left, right) / self.size

    def direction(self, tail: str, head: str) -> float:
        """The share of the graphs whose graph has the arc `tail` -> `head`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.direction("rain", "wet") + found.direction("wet", "rain")
        1.0
        """
        return self.edge_counts.arc(tail, head) / self.size

    def compelled(self, tail: str, head: str) -> float:
        """The share of the graphs whose CPDAG (of fci: PAG) has the arc `tail` -> `head`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.compelled("rain", "wet")  # the data cannot show a direction
        0.0
        """
        return self.pattern_counts.arc(tail, head) / self.size

    def probability(self, left: str, right: str, of: str = "arc") -> float:
        """The share of the graphs in which something holds of two variables.

        Parameters
        ----------
        left, right : str
            Two variables.
        of : str
            "arc" (left -> right), "edge" (joined in either direction), "compelled" (left -> right in the CPDAG, so that
            all equivalent DAGs have it), "path" (left is an ancestor of right) or "blanket" (left is in the Markov
            blanket of right). Path and blanket need the graphs themselves, which samples keep (see `members`).

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        MahcError
            Where a name is unknown, or the sample has counts and no graphs.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.posterior(columns, samples=40)
        >>> found.probability("rain", "wet", of="edge"), found.probability("rain", "wet", of="blanket")
        (1.0, 1.0)
        """
        counted = {"arc": self.direction, "edge": self.edge, "compelled": self.compelled}
        if of in counted:
            return counted[of](left, right)
        if of not in RELATIONS:
            raise InvalidSettingError("of", of, Message("give one of ", choices((*counted, *RELATIONS))))
        i, j = (look_up(name, {each: k for k, each in enumerate(self.variables)}) for name in (left, right))
        holds = RELATIONS[of]
        found = sum(
            each.weight for each, dag in zip(self.require_members(), self.dags, strict=True) if holds(dag, i, j)
        )
        return found / self.size

    def numbered(self, graph: DAG) -> tuple[tuple[int, int], ...]:
        """The arcs of a graph by the numbers of its variables in this sample, sorted.

        Parameters
        ----------
        graph : DAG
            A graph over the same variables.

        Returns
        -------
        tuple of (int, int)
            The arcs.

        Examples
        --------
        >>> import mahc
        >>> found = mahc.bootstrap({"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}, "hc", resamples=20)
        >>> found.numbered(mahc.DAG(["wet", "rain"], [("wet", "rain")]))
        ((1, 0),)
        """
        place = {name: k for k, name in enumerate(self.variables)}
        return tuple(sorted((place[tail], place[head]) for tail, head in graph.arcs))

    def require_members(self) -> tuple[WeightedGraph, ...]:
        """The graphs; a MahcError where only counts were kept.

        Returns
        -------
        tuple of WeightedGraph
            The graphs with their weights.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> sum(each.weight for each in mahc.bootstrap(columns, "hc", resamples=20).require_members())
        20
        """
        if sum(each.weight for each in self.members) != self.size:
            raise MahcError(
                f"the sample has counts and not its {self.kind}s, which this needs: use mahc.posterior, or a bootstrap "
                "of at most 10,000 resamples with an algorithm that learns DAGs"
            )
        return self.members

    def credible_set(self, level: float = LEVEL) -> tuple[tuple[DAG, float], ...]:
        """The fewest graphs that hold this part of the probability, the most probable first.

        Parameters
        ----------
        level : float
            The part, above 0 and at most 1.

        Returns
        -------
        tuple of (DAG, float)
            The graphs, each with its share.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.posterior(columns, samples=40)
        >>> [dag.arcs for dag, share in found.credible_set(0.3)] in ([(("rain", "wet"),)], [(("wet", "rain"),)])
        True
        """
        if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level <= 1:
            raise InvalidSettingError("level", level, "give a number above 0 and at most 1, such as 0.95")
        ranked = sorted(
            ((each.weight, dag.arcs, dag) for each, dag in zip(self.require_members(), self.dags, strict=True)),
            key=lambda each: (-each[0], each[1]),
        )
        found: list[tuple[DAG, float]] = []
        total = 0
        for weight, _, dag in ranked:
            found.append((dag, weight / self.size))
            total += weight
            if total >= level * self.size:
                break
        return tuple(found)

    def classes(self, most: int | None = None) -> tuple[tuple[MixedGraph, float], ...]:
        """The equivalence classes of the graphs, the most probable first.

        Parameters
        ----------
        most : int, optional
            How many; all if left out.

        Returns
        -------
        tuple of (MixedGraph, float)
            The CPDAGs, each with its share.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> [(graph, share)] = mahc.posterior(columns, samples=40).classes()
        >>> graph.edges, share
        ((Edge(left='rain', mark='---', right='wet'),), 1.0)
        """
        from mahc.results.outcomes.dag import find_pattern  # the outcomes know this module

        totals: dict[tuple[Edge, ...], int] = {}
        graphs: dict[tuple[Edge, ...], MixedGraph] = {}
        for each, dag in zip(self.require_members(), self.dags, strict=True):
            pattern = find_pattern(dag, self.run.knowledge, self.run.experiments)
            totals[pattern.edges] = totals.get(pattern.edges, 0) + each.weight
            graphs[pattern.edges] = pattern
        ranked = sorted(totals, key=lambda edges: (-totals[edges], edges))
        return tuple((graphs[edges], totals[edges] / self.size) for edges in ranked[:most])

    @cached_property
    def mixing(self) -> Mixing | None:
        """Whether the chains of a posterior agree; None for other samples, and with fewer than ten graphs per chain."""
        if self.sampling is None:
            return None
        pairs = sorted(self.graphs)
        place = {pair: k for k, pair in enumerate(pairs)}
        joined = np.zeros((len(self.members), len(pairs)), np.bool_)
        for k, member in enumerate(self.members):
            joined[k, [place[min(arc), max(arc)] for arc in member.arcs]] = True
        scores = np.array([member.score or 0.0 for member in self.members])
        which = [np.array(draws, np.int64) for draws in self.sampling.draws]
        return describe_mixing(
            [(self.variables[i], self.variables[j]) for i, j in pairs],
            [joined[draws] for draws in which],
            [scores[draws] for draws in which],
            self.diagnostics.get("outside", 0.0),
        )

    def marks(self, left: str, right: str) -> dict[str, float]:
        """The share of each kind of edge in the CPDAGs or PAGs, such as `o->`, its left end at `left`.

        Parameters
        ----------
        left, right : str
            Two variables.

        Returns
        -------
        dict of str to float
            Kind of edge -> share, the most frequent first.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.marks("rain", "wet")
        {'---': 1.0}
        """
        found = self.pattern_counts.marks(left, right)
        return {text: found[text] / self.size for text in sorted(found, key=lambda text: (-found[text], text))}

    def interval(self, left: str, right: str, level: float = LEVEL) -> tuple[float, float]:
        """The Wilson interval of the share of resamples in which the two are joined.

        It says how far the share could be from the one of infinitely many resamples, not from the truth.

        Parameters
        ----------
        left, right : str
            Two variables.
        level : float
            The level of the interval.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> low, high = found.interval("rain", "wet")
        >>> round(low, 2), high
        (0.84, 1.0)
        """
        low, high = wilson_interval(self.edge_counts.edge(left, right) * (self.trials / self.size), self.trials, level)
        return float(low), float(high)

    def calibrated(self, tail: str, head: str, kind: str = "edge") -> float | None:
        """The measured probability that an edge, a direction or a compelled direction of this frequency is right.

        Of bootstraps of mahc and hc with BIC it is corrected, but for the edges of hc. Of the mean of a posterior and a
        bootstrap of boss (qNML, up to 1,000 rows), the shares of edges and directions are right as often as they say.
        None for other samples (docs/explanation/confidence.md).

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.
        kind : str
            "edge", "direction" or "compelled".

        Returns
        -------
        float or None
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.calibrated("rain", "wet", "direction") is None
        False
        """
        counts = {
            "edge": self.edge_counts.edge,
            "direction": self.edge_counts.arc,
            "compelled": self.pattern_counts.arc,
        }
        if kind not in counts:
            raise InvalidSettingError("kind", kind, Message("give one of ", choices(KINDS)))
        found = calibrate(counts[kind](tail, head), self.size, self.source, kind, self.data.size)
        return None if found is None else float(found)

    def sentence(self, tail: str, head: str) -> str:
        """The share of an edge and of its directions as a clause.

        Directions are shares of all resamples, so that they sum to the share of the edge.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        str
            The clause.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.sentence("rain", "wet")  # doctest: +ELLIPSIS
        'in 100 % of 20 resamples; ...'
        """
        joined = self.edge_counts.edge(tail, head)
        text = f"in {percent(joined, self.size)} % of {count(self.drawn, self.noun)}"
        if not joined:
            return text
        if (self.source, "edge") in CORRECTIONS:
            text += f", which is right with a probability of {percent_of(self.calibrated(tail, head) or 0.0)} %"
        if self.kind == "DAG":
            return f"{text}; direction {self.direction_ratio(tail, head)}"
        found = self.edge_counts.marks(tail, head)
        ranked = sorted(found, key=lambda kind: (-found[kind], kind))
        return f"{text}; " + ", ".join(f"{tail} {kind} {head} {percent(found[kind], self.size)}" for kind in ranked)

    def direction_ratio(self, tail: str, head: str) -> str:
        """The shares of both directions in percent, such as `58 : 35`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        str
            Both shares.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.direction_ratio("rain", "wet").count(":")
        1
        """
        there, back = self.edge_counts.arc(tail, head), self.edge_counts.arc(head, tail)
        return f"{percent(there, self.size)} : {percent(back, self.size)}"

    def describe(self) -> str:
        """What was done, in words.

        Returns
        -------
        str
            The sentence.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.describe()
        '20 resamples (bootstrap, seed 1)'
        """
        if self.parts:
            texts = "; ".join(f"({k}) {part.text}" for k, part in enumerate(self.parts, 1))
            return f"the mean of {count(len(self.parts), 'sample')}: {texts}"
        done = count(self.size, self.noun)
        how = "" if self.sampling is None else f", {count(self.sampling.chains, 'chain')}, beta {self.sampling.beta:g}"
        text = f"{done} ({self.origin}, seed {self.seed}{how})"
        if self.size < self.requested:
            text += f" of {self.requested:,}: {self.stop_reason.words}"
        if self.sampling is not None and not (self.sampling.exact and self.sampling.beta == 1):
            text += f", a pseudo-posterior of {self.run.score.name}"
        return text if self.mixing is None else f"{text}; {self.mixing.sentence}"

    def to_frame(self) -> pl.DataFrame:
        """All ordered pairs of variables as a polars frame, one row each (columns: docs/how-to/confidence.md).

        Returns
        -------
        polars.DataFrame
            The frame.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.to_frame().height
        2
        """
        return _make_frame(self)

    def check_graph(self, graph: DAG | MixedGraph) -> None:
        """Refuse a graph over other variables.

        Parameters
        ----------
        graph : DAG or MixedGraph
            The graph.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.check_graph(mahc.DAG(["rain", "wet"], []))
        """
        if set(graph.names) != set(self.variables):
            raise MahcError("the confidence is about other variables than the graph: resample the same data")

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to one JSON file, to which `mahc.bootstrap` can add resamples.

        Parameters
        ----------
        path : str or path
            The file to write.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "sample.json")
        ...     found.save(path)
        ...     mahc.GraphSample.load(path).size
        20
        """
        write_json(path, self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Everything that `save` writes, as plain JSON values.

        Returns
        -------
        dict
            The fields of confidence.json, for `json.dumps` and `GraphSample.from_dict`.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.to_dict()["resamples"]
        20
        """
        plain = to_plain(self)
        return SAMPLE.stamp(plain.pop("run") | plain)

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> GraphSample:
        """A sample from what `to_dict` gave.

        Parameters
        ----------
        document : dict
            The fields of a sample.

        Returns
        -------
        GraphSample
            The sample.

        Raises
        ------
        FormatError
            Where the dict is not a sample, is damaged or is of another format version.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> mahc.GraphSample.from_dict(found.to_dict()) == found
        True
        """
        return _read(json_values(document), "the dict")

    @staticmethod
    def load(path: str | PathLike[str]) -> GraphSample:
        """Read what `save` wrote; a FormatError where the file is not one.

        Parameters
        ----------
        path : str or path
            The file to read, or the folder of `mahc bootstrap --out` or `mahc posterior --out`.

        Returns
        -------
        GraphSample
            What was saved.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "sample.json")
        ...     found.save(path)
        ...     mahc.GraphSample.load(path).size
        20
        """
        file = Path(path, FILE) if Path(path).is_dir() else path
        return _read(read_json(file, SAMPLE.expected), file)

    def frequencies(self) -> Mapping[tuple[str, str], float]:
        """The share of every edge that occurred, by its pair of variables in the order of the columns.

        Returns
        -------
        mapping
            Pair of variables -> share.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.frequencies()
        {('rain', 'wet'): 1.0}
        """
        names = self.variables
        return {(names[i], names[j]): sum(found.values()) / self.size for (i, j), found in sorted(self.graphs.items())}

    def __repr__(self) -> str:
        size = f"{count(len(self.variables), 'variable')}, {count(len(self.graphs), 'pair')} joined at least once"
        return f"GraphSample({self.run.algorithm}: {self.describe()}, {size})"


def order_members(weights: Mapping[tuple[tuple[int, int], ...], int]) -> tuple[WeightedGraph, ...]:
    """Graphs with their weights, the most frequent first, equal ones by their arcs."""
    return tuple(
        WeightedGraph(arcs, weights[arcs]) for arcs in sorted(weights, key=lambda arcs: (-weights[arcs], arcs))
    )


def sample_of(learned: Learned) -> GraphSample:
    """The graph of one run as a sample of one."""
    graphs, patterns = count_edges([learned.graph]), count_edges([learned.pattern])
    return GraphSample(
        data=learned.data,
        run=learned.run,
        origin="learned",
        seed=0,
        requested=1,
        kind=learned.kind,
        variables=learned.variables,
        size=1,
        graphs=graphs.counts,
        patterns=patterns.counts,
    )


def _read(found: object, place: object) -> GraphSample:
    """The sample in a document; a FormatError that begins with `place` where it is none."""
    document = SAMPLE.check(found, place)
    with SAMPLE.refusing_damage(place):
        return read_part(document)


def read_part(document: dict[str, Any]) -> GraphSample:
    """The sample in the fields of a document; a ValueError or MahcError where they are wrong."""
    sample: GraphSample = from_plain({**document, "run": document}, GraphSample)
    names = check_names(sample.variables)
    if not 1 <= sample.size <= sample.requested:
        raise ValueError("there are more graphs than were asked for, or none")
    for counts in (sample.graphs, sample.patterns):
        check_below(len(names), counts)
        for (i, j), of_pair in counts.items():
            known = of_pair.keys() <= EDGE_MARKS.keys()
            if not (i < j and known and 1 <= sum(of_pair.values()) <= sample.size):
                raise ValueError(f"the counts of the pair {i}, {j} are not valid")
    if sample.sampling is not None:
        _check_draws(sample, sample.sampling)
    sample.dags  # noqa: B018 - builds them, which fails where one has a cycle
    sample.run.knowledge.check(names, search_in_degree=max(1, len(names)))
    return sample


def _check_draws(sample: GraphSample, sampling: Sampling) -> None:
    """Refuse chains that do not fit the members."""
    times = [0] * len(sample.members)
    for draws in sampling.draws:
        for place in draws:
            if place >= len(times):
                raise ValueError("a chain was at a graph that is not there")
            times[place] += 1
    if not sampling.draws or times != [member.weight for member in sample.members] or sampling.beta <= 0:
        raise ValueError("the chains do not fit the graphs")


def _parents(arcs: Sequence[tuple[int, int]], variables: int) -> list[list[int]]:
    check_below(variables, dict.fromkeys(arcs))
    parents: list[list[int]] = [[] for _ in range(variables)]
    for u, v in arcs:
        parents[v].append(u)
    return parents


def _make_frame(sample: GraphSample) -> pl.DataFrame:
    """One row per ordered pair: the shares of the edge, of each direction and of each mark, with intervals."""
    import polars as pl

    names, done = sample.variables, sample.size
    place = np.arange(len(names))
    rows, columns = np.meshgrid(place, place, indexing="ij")
    keep = rows != columns
    tails, heads = rows[keep], columns[keep]
    labels = np.array(names, dtype=object)
    found: dict[str, object] = {"from": labels[tails].tolist(), "to": labels[heads].tolist()}
    graphs, patterns = sample.edge_counts, sample.pattern_counts
    counted = {
        "edge": graphs.edge_matrix()[keep],
        "direction": graphs.text_matrix("-->")[keep],
        "compelled": patterns.text_matrix("-->")[keep],
    }
    for name, counts in counted.items():
        low, high = wilson_interval(counts * (sample.trials / done), sample.trials)
        found |= {name: counts / done, f"{name}_low": low, f"{name}_high": high}
        calibrated = calibrate(counts, done, sample.source, name, sample.data.size)
        found[f"{name}_calibrated"] = (
            pl.Series([None] * len(counts), dtype=pl.Float64) if calibrated is None else calibrated
        )
    found["undirected"] = patterns.text_matrix("---")[keep] / done
    for name, mark in (("arrowhead_at_to", Mark.ARROW), ("tail_at_to", Mark.TAIL), ("circle_at_to", Mark.CIRCLE)):
        found[name] = patterns.mark_matrix(mark)[keep] / done
    return pl.DataFrame(found)


def check_belongs(sample: GraphSample, data: DataRecord, run: RunRecord) -> None:
    """Refuse the confidence of other data, or of another algorithm; one with a posterior depends on no algorithm."""
    if sample.data.fingerprint != data.fingerprint:
        raise DataError("the bootstrap is of other data than the graph: resample the data that it was learned from")
    if "posterior" not in sample.source and sample.run.algorithm != run.algorithm:
        raise DataError(
            f"the bootstrap is of {sample.run.algorithm} and the graph of {run.algorithm}: use the same algorithm"
        )


def add_confidence(reason: Explanation, sample: GraphSample) -> Explanation:
    """The explanation of an arc or edge with its frequencies in the resamples."""
    if reason.tail == reason.head:
        return reason
    numbers = {
        "edge_frequency": sample.edge(reason.tail, reason.head),
        "direction_frequency": sample.direction(reason.tail, reason.head),
        "opposite_frequency": sample.direction(reason.head, reason.tail),
    }
    sentence = f"{reason.sentence} The edge is {sample.sentence(reason.tail, reason.head)}."
    return replace(reason, sentence=sentence, numbers={**reason.numbers, **numbers})


def describe_confidence(sample: GraphSample, adjacent: Sequence[tuple[str, str]]) -> str:
    """What was resampled, how many edges of the graph come back nearly always, and which others often do."""
    shares = [sample.edge(left, right) for left, right in adjacent]
    text = sample.describe()
    if shares:
        sure = sum(share >= SURE for share in shares)
        text += f"; {sure:,} of {count(len(shares), 'edge')} in at least {SURE:.0%} of them"
    if is_calibrated(sample.source, "edge", sample.data.size):
        text += "; shares of edges and directions are calibrated: measured on known networks"
    joined = {frozenset(pair) for pair in adjacent}
    missing = [
        (pair, share)
        for pair, share in sample.frequencies().items()
        if share >= LIKELY and frozenset(pair) not in joined
    ]
    if missing:
        missing.sort(key=lambda each: (-each[1], each[0]))
        shown = ", ".join(f"{left} - {right} ({share:.0%})" for (left, right), share in missing[:3])
        more = ", ..." if len(missing) > 3 else ""
        text += f"; not in the graph, but in at least half: {shown}{more}"
    return text


def add_columns(listed: EdgeTable, sample: GraphSample) -> EdgeTable:
    """The list of arcs or edges with the share of resamples that have each and, of arcs, of both directions."""
    directed = sample.kind == "DAG"
    known = (sample.source, "edge") in CORRECTIONS
    heading = (f"{sample.noun}s", *(["right"] if known else []), "direction" if directed else "as here")
    rows = []
    for row in listed.rows:
        left, mark, right = row[:3]
        shares = [f"{percent(sample.edge_counts.edge(left, right), sample.size)} %"]
        if known:
            shares.append(f"{percent_of(sample.calibrated(left, right) or 0.0)} %")
        if directed:
            detail = sample.direction_ratio(left, right)
        else:
            detail = f"{percent(sample.edge_counts.marks(left, right).get(mark, 0), sample.size)} %"
        rows.append((*row[:4], *shares, detail, *row[4:]))
    return EdgeTable(listed.title, (*listed.headings[:4], *heading, *listed.headings[4:]), tuple(rows))
