"""`mahc.consensus`: one graph from several algorithms or scores, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from mahc.confidence.averaging import Consensus, average_counts, check_consensus_settings
from mahc.confidence.bootstrap import bootstrap
from mahc.data import Dataset
from mahc.errors import DataError, InvalidSettingError, SettingError
from mahc.graphs import DAG, Edge, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts
from mahc.learn import learn, split_settings, take_data, take_knowledge
from mahc.learning.control import Progress
from mahc.learning.settings import choose

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Agreement:
    """The consensus of several contestants, and what each of them found; `mahc.consensus` makes it.

    Parameters
    ----------
    consensus : Consensus
        The graph of all together; every contestant counts the same.
    members : dict of str to MixedGraph
        The CPDAG of each contestant: of the graph learnt from the data or, with resamples, of its own consensus.
    counts : dict of str to EdgeCounts
        The counts of each contestant.

    Examples
    --------
    >>> import mahc
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> mahc.consensus(columns, ["mahc", "hc/bdeu"]).consensus.graph.edges
    (Edge(left='rain', mark='---', right='wet'),)
    """

    consensus: Consensus
    members: dict[str, MixedGraph]
    counts: dict[str, EdgeCounts]

    def table(self) -> pl.DataFrame:
        """Every pair of contestants: edges of each, common edges, their share of all edges, common directions."""
        import polars as pl

        rows = []
        for first, second in combinations(self.members, 2):
            ours, theirs = (_edges(self.members[name]) for name in (first, second))
            common = ours.keys() & theirs.keys()
            united = len(ours.keys() | theirs.keys())
            same = sum(ours[pair] == theirs[pair] for pair in common)
            share = len(common) / united if united else 1.0
            rows.append((first, second, len(ours), len(theirs), len(common), share, same))
        names = ("first", "second", "edges_first", "edges_second", "common", "share_common", "same_marks")
        kinds = (pl.String, pl.String, pl.Int64, pl.Int64, pl.Int64, pl.Float64, pl.Int64)
        return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


def consensus(
    data: object,
    algorithms: Sequence[str],
    *,
    resamples: int = 0,
    seed: int = 1,
    how: str = "bootstrap",
    least: int | None = None,
    threshold: float | None = None,
    knowledge: Any = None,
    start: DAG | Iterable[tuple[str, str]] = (),
    ties: str = "data",
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Agreement:
    """Learn with several algorithms or scores, and make one graph of what they find.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.read` takes.
    algorithms : list of str
        Names of algorithms, each with a score after a slash if not its default: "mahc", "hc/bdeu". At least two.
    resamples : int
        Number of resamples that each learns from; 0: each learns once, from the data themselves.
    seed, how
        The resamples, as for `mahc.bootstrap`; all algorithms learn from the same ones.
    least, threshold
        Which edges are in, as for `mahc.average`.
    knowledge : Knowledge, dict, str or path, optional
        Constraints that all of them, and the consensus, obey.
    start : DAG or list of (from, to)
        The graph from which searches start; empty by default.
    ties : str
        Rule that breaks ties, as for `mahc.learn`.
    time_limit : float, optional
        Seconds for each algorithm.
    threads : int, optional
        Number of threads; all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`.
    **settings
        Settings of reading, and those that all the algorithms have.

    Returns
    -------
    Agreement
        The consensus, and how far the contestants agree.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence.

    Examples
    --------
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> consensus(columns, ["mahc", "hc"], resamples=10).table()["share_common"].item()
    1.0
    """
    names = _check_names(algorithms)
    check_consensus_settings(least, threshold)
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 0:
        raise InvalidSettingError("resamples", resamples, "give a whole number from 0 up")
    reading, others = split_settings(settings)
    for name in names:
        choose(*_parts(name), others)  # refuses a wrong name before any data are read
    table = take_data(data, reading)
    if not isinstance(table, Dataset):
        raise DataError("a consensus needs rows, and a count source has none: give the data themselves")
    known = take_knowledge(knowledge)
    limits = {"time_limit": time_limit, "threads": threads}
    common = {**others, **limits, "knowledge": known, "start": start, "ties": ties, "progress": progress}
    counts, patterns, members = {}, {}, {}
    for name in names:
        algorithm, objective = _parts(name)
        shared: dict[str, Any] = {**common, "objective": objective}
        if resamples:
            found = bootstrap(
                table,
                algorithm,
                resamples=resamples,
                seed=seed,
                how=how,
                **shared,
            )
            counts[name], patterns[name] = found.graphs, found.patterns
            members[name] = average_counts(found.graphs, found.patterns, None, None, known).graph
        else:
            learned = learn(table, algorithm, **shared)
            counts[name], patterns[name] = _count(learned.graph), _count(learned.pattern)
            members[name] = learned.pattern
    if least is None and threshold is None and not resamples:
        threshold = 0.5 - 1e-9  # of single graphs: in at least half of them
    made = average_counts(_sum(counts), _sum(patterns), least, threshold, known)
    return Agreement(made, members, counts)


def _check_names(algorithms: Sequence[str]) -> list[str]:
    if isinstance(algorithms, str) or not all(isinstance(name, str) for name in algorithms):
        raise InvalidSettingError("algorithms", algorithms, "give a list of names, such as ['mahc', 'hc/bdeu']")
    names = list(algorithms)
    if len(names) < 2 or len(set(names)) < len(names):
        raise SettingError(f"the algorithms are {', '.join(names) or 'none'}: give at least two, each once")
    return names


def _parts(name: str) -> tuple[str, str | None]:
    algorithm, _, score = name.partition("/")
    return algorithm, score or None


def _count(graph: DAG | MixedGraph) -> EdgeCounts:
    counts = EdgeCounts(graph.names)
    counts.add(graph)
    return counts


def _sum(parts: dict[str, EdgeCounts]) -> EdgeCounts:
    """All counts together; a contestant with fewer resamples done counts for less."""
    names = next(iter(parts.values())).names
    total = EdgeCounts(names)
    for counts in parts.values():
        total.graphs += counts.graphs
        for pair, found in counts.counts.items():
            mine = total.counts.setdefault(pair, {})
            for text, number in found.items():
                mine[text] = mine.get(text, 0) + number
    return total


def _edges(graph: MixedGraph) -> dict[frozenset[str], Edge]:
    return {frozenset((edge.left, edge.right)): edge for edge in graph.edges}
