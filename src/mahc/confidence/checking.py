"""`mahc.confidence.check_graph`: does a graph fit data? Implied independences and edges, each tested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.implied import Question, QuestionTesting, implied_independences, needed_arcs
from mahc.data import Dataset, ReadSettings
from mahc.data.dataset import refuse_fractions
from mahc.engine import CancelFlag, CancelToken, CountSource, EngineRows
from mahc.engine.counts import ArrangedPasses, ArrangedSource, PassSource
from mahc.errors import DataError, MahcError, UnknownNameError
from mahc.graphs import DAG, MixedGraph, cpdag_to_dag
from mahc.learning.control import Control, Progress
from mahc.learning.measurement_error import NOTICED_KAPPA, measure_kappa
from mahc.learning.settings import RunSettings
from mahc.learning.stop_reason import StopReason
from mahc.opening import open_counts
from mahc.setting_checks import Number, OneOf
from mahc.settings import check_settings, setting

BASES = ("separators", "markov")
MOST_UNEXPLAINED = 5


@dataclass(frozen=True)
class CheckSettings:
    """How a graph is checked.

    >>> CheckSettings().basis
    'separators'
    """

    fdr: float = setting(
        0.01,
        help="False discovery rate: the expected part of the listed independences that hold in truth.",
        check=Number(above=0, below=1, hint="0.01 is usual"),
        metavar="RATE",
    )
    basis: str = setting(
        "separators",
        help="Which independences: separators (a minimal separator of each pair) or markov (given the parents).",
        check=OneOf(*BASES),
        metavar="NAME",
    )
    min_rows_per_df: float = setting(
        5.0,
        help="Rows per degree of freedom that a test needs; a test with fewer is not made.",
        check=Number(least=0),
        metavar="N",
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
class TestedPair:
    """A pair of variables, the conditions of its test, and the p-value; `edge` would cure it, or could be removed.

    Parameters
    ----------
    first, second : str
        The variables.
    given : tuple of str
        The conditions.
    log_p : float
        The natural logarithm of the p-value.
    edge : tuple of str
        The arc to add, or the arc that the data do not need.

    Examples
    --------
    >>> TestedPair("a", "b", (), -30.0, ("a", "b")).p_value < 1e-13
    True
    """

    __test__ = False  # pytest would take it for a test

    first: str
    second: str
    given: tuple[str, ...]
    log_p: float
    edge: tuple[str, str]

    @property
    def p_value(self) -> float:
        """The p-value; below 1e-308 it shows as 0."""
        return float(np.exp(self.log_p))


@dataclass(frozen=True)
class GraphCheck:
    """What a check found.

    Parameters
    ----------
    violations : tuple of TestedPair
        Independences that the graph implies and the data contradict, the strongest first.
    unneeded : tuple of TestedPair
        Edges whose removal the data do not resist, the weakest first.
    tests, edges : int
        Number of independences and of edges that were tested.
    untested : int
        Number of tests that were not made, because there are too few rows.
    settings : CheckSettings
        How it was checked.
    stop_reason : StopReason
        Why the check ended: `converged` where nothing is left.
    left : int
        Number of independences and edges that a check which was stopped did not come to.
    kappa : float, optional
        The share of the information of pairs two steps apart that the parents of one should explain and do not: about
        0 where the graph is right and values are measured exactly. None where no pair could be used.
    unexplained : tuple of (str, str, tuple of str, float)
        Where the data look as if values were measured with error: the pairs that share most given the parents of the
        second, these parents, and the share of the pair's information that is left. A parent may be wrongly measured.

    Examples
    --------
    >>> GraphCheck((), (), 3, 2, 0, CheckSettings()).passed
    True
    """

    violations: tuple[TestedPair, ...]
    unneeded: tuple[TestedPair, ...]
    tests: int
    edges: int
    untested: int
    settings: CheckSettings
    stop_reason: StopReason = StopReason.CONVERGED
    left: int = 0
    kappa: float | None = None
    unexplained: tuple[tuple[str, str, tuple[str, ...], float], ...] = ()

    @property
    def suspects_measurement_error(self) -> bool:
        """Whether the data look as if values were measured with error, if the graph is right."""
        return self.kappa is not None and self.kappa >= NOTICED_KAPPA

    @property
    def passed(self) -> bool:
        """Whether nothing was found among what was tested."""
        return not self.violations and not self.unneeded

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "settings": asdict(self.settings),
            "tests": self.tests,
            "edges": self.edges,
            "untested": self.untested,
            "stop_reason": str(self.stop_reason),
            "left": self.left,
            "kappa": self.kappa,
            "unexplained": [
                {"first": first, "second": second, "given": list(given), "share": share}
                for first, second, given, share in self.unexplained
            ],
            "violations": [_entry(each, "add") for each in self.violations],
            "unneeded": [_entry(each, "remove") for each in self.unneeded],
        }


def _entry(pair: TestedPair, act: str) -> dict[str, object]:
    return {
        "first": pair.first,
        "second": pair.second,
        "given": list(pair.given),
        "p_value": pair.p_value,
        "log_p": pair.log_p if np.isfinite(pair.log_p) else None,
        act: list(pair.edge),
    }


def check_graph(
    graph: DAG | MixedGraph,
    data: object,
    *,
    fdr: float = 0.01,
    basis: str = "separators",
    min_rows_per_df: float = 5.0,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    on: object = None,
    memory_mebibytes: int | None = None,
    **reading: Any,
) -> GraphCheck:
    """Test on data what a graph implies: independences that should hold, and edges that should be needed.

    For each pair of variables that are not adjacent, the independence that the graph implies is tested (G2), with
    control of the false discovery rate (Benjamini and Hochberg 1995). For each arc a -> b, a and b are tested given
    the other parents of b; where the same control does not find them dependent, the data do not need the arc. The
    arcs are tested first. A check that is stopped controls the false discovery rate over the tests made so far.
    Rows of experiments are left out.

    Parameters
    ----------
    graph : DAG or MixedGraph
        A DAG or a CPDAG; of a CPDAG all DAGs imply the same independences.
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.learn` takes; better not the data that the graph was learned from.
    fdr : float
        The false discovery rate.
    basis : str
        "separators": given a minimal set that separates the pair; "markov": given the parents of the later one.
    min_rows_per_df : float
        Rows per degree of freedom that a test needs.
    time_limit : float, optional
        Stop after this many seconds with the tests made so far.
    threads : int, optional
        Number of threads; all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`; Ctrl-C ends the check with the tests made so far.
    cancel : CancelToken or threading.Event, optional
        Ends the check in the same way when any thread calls its `cancel()`.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    memory_mebibytes : int, optional
        Memory for reading; files that do not fit are read in pieces.
    **reading
        Settings of `mahc.read`, for data that are not read yet.

    Returns
    -------
    GraphCheck
        The independences that the data contradict, each with the arc that would cure it, and the unneeded edges.

    Raises
    ------
    MahcError
        Where the data lack a variable of the graph, a setting is wrong, or the check was stopped before any test.

    Examples
    --------
    >>> from mahc.networks import load_network, sample
    >>> asia = load_network("asia")
    >>> wrong = DAG(asia.names, [arc for arc in asia.dag.arcs if arc != ("smoke", "bronc")])
    >>> [found.edge for found in check_graph(wrong, sample(asia, 5000, 1)).violations][:1]
    [('bronc', 'smoke')]
    """
    settings = CheckSettings(fdr=fdr, basis=basis, min_rows_per_df=min_rows_per_df)
    RunSettings(time_limit=time_limit, threads=threads)
    control = Control(time_limit, progress, cancel)
    dag = graph if isinstance(graph, DAG) else cpdag_to_dag(graph)
    how: dict[str, Any] = {"on": on, "memory_mebibytes": memory_mebibytes, "threads": threads, "control": control}
    with open_counts(data, ReadSettings(**reading), **how) as table:
        return _check(dag, _hold(table, dag, threads), settings, control)


def _hold(table: Dataset | CountSource, dag: DAG, threads: int | None) -> CountSource:
    """The counts of the variables of the graph, in its order."""
    refuse_fractions(table, "a test of independence")
    lacking = next((name for name in dag.names if name not in table.names), None)
    if lacking is not None:
        raise DataError(f"the data lack a variable of the graph: {UnknownNameError('column', lacking, table.names)}")
    if isinstance(table, Dataset):
        return EngineRows(table.without_experiments().select(dag.names), threads=threads)
    order = [table.names.index(name) for name in dag.names]
    return ArrangedPasses(table, order) if isinstance(table, PassSource) else ArrangedSource(table, order)


def _check(dag: DAG, rows: CountSource, settings: CheckSettings, control: Control) -> GraphCheck:
    """Test the arcs, then the independences."""
    pairs = len(dag.names) * (len(dag.names) - 1) // 2 - len(dag.arcs)
    with control.catching_interrupts():
        testing = QuestionTesting(rows, settings.min_rows_per_df, control)
        edges = testing.run(needed_arcs(dag), "edge", len(dag.arcs))
        implied = testing.run(implied_independences(dag, settings.basis), "independence", pairs)
    left = pairs + len(dag.arcs) - edges.asked - implied.asked
    reason = StopReason(control.stop_reason() or StopReason.INTERRUPTED) if left else StopReason.CONVERGED
    if left and not edges.asked + implied.asked:
        raise MahcError(f"{reason.words} before the first test was made: allow more time, or use fewer rows")
    dependent = _discoveries([log_p for _, log_p in implied.found], settings.fdr)
    needed = _discoveries([log_p for _, log_p in edges.found], settings.fdr)
    violations = [_describe(dag, *each) for each, found in zip(implied.found, dependent, strict=True) if found]
    unneeded = [_describe(dag, *each) for each, found in zip(edges.found, needed, strict=True) if not found]
    kappa, kept = (None, []) if left else measure_kappa(rows, dag.parent_sets)
    return GraphCheck(
        tuple(sorted(violations, key=lambda each: (each.log_p, each.edge))),
        tuple(sorted(unneeded, key=lambda each: (-each.log_p, each.edge))),
        len(implied.found),
        len(edges.found),
        implied.too_few_rows + edges.too_few_rows,
        settings,
        reason,
        left,
        kappa,
        _name_unexplained(dag, kept) if kappa is not None and kappa >= NOTICED_KAPPA else (),
    )


def _name_unexplained(
    dag: DAG, kept: Sequence[tuple[int, int, float]]
) -> tuple[tuple[str, str, tuple[str, ...], float], ...]:
    names = dag.names
    return tuple(
        (names[w], names[z], tuple(sorted(names[u] for u in dag.parent_sets[z])), share)
        for w, z, share in kept[:MOST_UNEXPLAINED]
    )


def _describe(dag: DAG, question: Question, log_p: float) -> TestedPair:
    first, second, given = question
    names = dag.names
    conditions = tuple(sorted(names[v] for v in given))
    return TestedPair(names[first], names[second], conditions, log_p, (names[first], names[second]))


def _discoveries(log_p: Sequence[float], rate: float) -> NDArray[np.bool_]:
    """Which tests reject, at a false discovery rate, by the step-up rule of Benjamini and Hochberg.

    >>> _discoveries([-20.0, -4.0, -0.1], 0.05).tolist()
    [True, True, False]
    """
    values = np.array(log_p, np.float64)
    if not len(values):
        return np.zeros(0, np.bool_)
    ordered = np.sort(values)
    limits = np.log(rate * np.arange(1, len(values) + 1) / len(values))
    below = np.flatnonzero(ordered <= limits)
    rejected: NDArray[np.bool_] = values <= ordered[below[-1]] if len(below) else np.zeros(len(values), np.bool_)
    return rejected
