"""`mahc.consensus`: one graph from several algorithms or scores, and how far they agree."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from mahc.confidence.averaging import Consensus, average
from mahc.confidence.bootstrap import bootstrap
from mahc.confidence.resampling import POISSON
from mahc.confidence.settings import (
    MOST_RESAMPLES,
    BootstrapSettings,
    ConsensusSettings,
    check_algorithm_seed,
    has_own_seed,
)
from mahc.data import Dataset, Kind
from mahc.engine import CancelFlag, CancelToken, CountSource
from mahc.errors import InvalidSettingError, NothingDoneError, SettingError
from mahc.graphs import DAG, Edge, MixedGraph
from mahc.learn import learn, split_settings, take_knowledge
from mahc.learning.control import Control, Progress
from mahc.learning.settings import RunSettings, choose
from mahc.learning.stop_reason import StopReason
from mahc.opening import closing_opened, kept_method, open_data, refuse_light_pieces
from mahc.results.graph_sample import GraphSample, sample_of

if TYPE_CHECKING:
    import polars as pl

_LOG = logging.getLogger("mahc.confidence")


@dataclass(frozen=True)
class Agreement:
    """The consensus of several contestants, and what each of them found; `mahc.consensus` makes it.

    Parameters
    ----------
    consensus : Consensus
        The graph of all together; every contestant counts the same.
    members : dict of str to MixedGraph
        The CPDAG or PAG of each contestant: of the graph learned from the data or, with resamples, its own consensus.
    samples : dict of str to GraphSample
        The graphs of each contestant: one, or those of its resamples.
    stop_reasons : dict of str to StopReason
        Why each contestant ended. A contestant that Ctrl-C or its time limit left without a graph is
        here and not among the members.

    Examples
    --------
    >>> import mahc
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> mahc.consensus(columns, ["mahc", "hc/bdeu"]).consensus.graph.edges
    (Edge(left='rain', mark='---', right='wet'),)
    """

    consensus: Consensus
    members: dict[str, MixedGraph]
    samples: dict[str, GraphSample]
    stop_reasons: dict[str, StopReason] = field(default_factory=dict)

    @property
    def treatments(self) -> dict[str, str]:
        """How each contestant treated columns of numbers: smooth, cuts or mixed; empty where there are none."""
        found = {name: sample.run.numbers for name, sample in self.samples.items()}
        return {name: record.treatment for name, record in found.items() if record is not None}

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
    algorithm_seed: int | None = None,
    least: int | None = None,
    threshold: float | None = None,
    knowledge: Any = None,
    start: DAG | Iterable[tuple[str, str]] = (),
    ties: str = "data",
    numbers: str = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    on: object = None,
    **settings: Any,
) -> Agreement:
    """Learn with several algorithms or scores, and make one graph of what they find.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists, Dataset or CountSource
        Whatever `mahc.learn` takes.
    algorithms : list of str
        Names of algorithms, each with a score after a slash if not its default: "mahc", "hc/bdeu". At least two.
    resamples : int
        Number of resamples that each learns from; 0: each learns once, from the data themselves.
    seed, how
        The resamples, as for `mahc.bootstrap`; all algorithms learn from the same ones.
    algorithm_seed : int, optional
        Seed of their own random choices, for the algorithms that make any (boss).
    least, threshold
        Which edges are in, as for `mahc.average`.
    knowledge : Knowledge, dict, str or path, optional
        Constraints that all of them, and the consensus, obey.
    start : DAG or list of (from, to)
        The graph from which searches start; empty by default.
    ties : str
        Rule that breaks ties, as for `mahc.learn`.
    numbers : str
        How columns of numbers are treated, as for `mahc.learn`. With "auto" each contestant has the treatment that
        suits it: cuts for a score or an algorithm of states, smooth for tests, else what explains the data better.
    time_limit : float, optional
        Seconds for all algorithms; each may use an equal share of what those before it have left.
    threads : int, optional
        Number of threads; all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`; Ctrl-C ends the run with the algorithms and resamples done so far.
    cancel : CancelToken or threading.Event, optional
        Ends the run in the same way when any thread calls its `cancel()`.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
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
    ConsensusSettings(least=least, threshold=threshold)
    check_resamples(resamples)
    RunSettings(time_limit=time_limit, threads=threads, ties=ties, numbers=numbers)
    reading, others = split_settings(settings)
    for name in names:
        choose(*split_name(name), others)  # refuses a wrong name before any data are read
    BootstrapSettings(seed=seed, how=how, algorithm_seed=algorithm_seed)
    check_algorithm_seed([split_name(name)[0] for name in names], algorithm_seed)
    known = take_knowledge(knowledge)
    control = Control(time_limit, progress, cancel)
    numbered = bool(resamples) and how == POISSON
    memory = others.get("memory_mebibytes")
    opened = open_data(
        data,
        reading,
        kinds=frozenset(Kind),
        on=on,
        threads=threads,
        memory_mebibytes=memory,
        control=control,
        numbered=numbered,
    )
    if resamples:
        refuse_light_pieces(opened)
    common = {
        **others,
        "numbers": numbers,
        "threads": threads,
        "progress": progress,
        "cancel": control.token,
        "knowledge": known,
        "start": start,
        "ties": ties,
        "missing": kept_method(opened, reading),
    }
    resampling = {"resamples": resamples, "seed": seed, "how": how} if resamples else None
    found, stopped = {}, {}
    with closing_opened(None if opened is data else opened), control.catching_interrupts():
        for place, name in enumerate(names):
            stopped[name] = StopReason(control.stop_reason() or StopReason.INTERRUPTED)
            if control.stop_reason() is None:
                share = None if time_limit is None else control.seconds_left() / (len(names) - place)
                own_seed = algorithm_seed if has_own_seed(split_name(name)[0]) else None
                try:
                    member = _run(opened, name, own_seed, {**common, "time_limit": share}, resampling)
                except NothingDoneError as nothing:
                    stopped[name] = StopReason(nothing.reason)
                else:
                    found[name], stopped[name] = member, member[0].stop_reason
    if not found:
        reason = next(iter(stopped.values()))
        raise NothingDoneError(f"{reason.words} before the first algorithm had a graph: allow more time", reason.value)
    for name in stopped:
        if name not in found:
            _LOG.warning("%s takes no part in the consensus: %s before it had a graph", name, stopped[name].words)
    if least is None and threshold is None and not resamples:
        threshold = 0.5 - 1e-9  # of single graphs: in at least half of them
    samples = {name: sample for name, (sample, _) in found.items()}
    made = average(samples.values(), least=least, threshold=threshold, knowledge=known)
    return Agreement(made, {name: pattern for name, (_, pattern) in found.items()}, samples, stopped)


def _run(
    table: Dataset | CountSource,
    name: str,
    own_seed: int | None,
    common: dict[str, Any],
    resampling: dict[str, Any] | None,
) -> tuple[GraphSample, MixedGraph]:
    """The graphs of one contestant and its pattern; NothingDoneError where it was stopped before it had a graph."""
    algorithm, objective = split_name(name)
    if resampling is None:
        chosen: dict[str, Any] = {} if own_seed is None else {"seed": own_seed}
        learned = learn(table, algorithm, objective=objective, **chosen, **common)
        return sample_of(learned), learned.pattern
    found = bootstrap(table, algorithm, objective=objective, algorithm_seed=own_seed, **resampling, **common)
    return found, average(found, knowledge=common["knowledge"]).graph


def _check_names(algorithms: Sequence[str]) -> list[str]:
    if isinstance(algorithms, str) or not all(isinstance(name, str) for name in algorithms):
        raise InvalidSettingError("algorithms", algorithms, "give a list of names, such as ['mahc', 'hc/bdeu']")
    names = list(algorithms)
    if len(names) < 2 or len(set(names)) < len(names):
        raise SettingError(f"the algorithms are {', '.join(names) or 'none'}: give at least two, each once")
    return names


def check_resamples(resamples: int) -> None:
    """Refuse what is not a number of resamples, or 0."""
    if isinstance(resamples, bool) or not isinstance(resamples, int) or not 0 <= resamples <= MOST_RESAMPLES:
        raise InvalidSettingError("resamples", resamples, f"give a whole number from 0 to {MOST_RESAMPLES:,}")


def split_name(name: str) -> tuple[str, str | None]:
    """The algorithm and the score of a name such as "hc/bdeu".

    >>> split_name("hc/bdeu"), split_name("mahc")
    (('hc', 'bdeu'), ('mahc', None))
    """
    algorithm, _, score = name.partition("/")
    return algorithm, score or None


def _edges(graph: MixedGraph) -> dict[frozenset[str], Edge]:
    return {frozenset((edge.left, edge.right)): edge for edge in graph.edges}
