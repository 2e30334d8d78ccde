"""The result of one cell of an experiment, as the store keeps it and a report reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

CLEAN = "clean"  # data without noise
TRUTH = "Ground truth"  # the contestant that returns the true graph, so that its score is shown beside the others'

# The outcomes of a cell, as a person reads them.
OUTCOME_WORDS = MappingProxyType(
    {
        "done": "done",
        "time_limit": "time limit",
        "memory_limit": "memory limit",
        "crashed": "crashed",
        "unavailable": "not available",
    }
)


@dataclass(frozen=True)
class Row:
    """The result of one contestant on one sample.

    Fields that a failed cell does not have are None or empty, and `reason` says why.

    Parameters
    ----------
    contestant : str
        The label of the contestant.
    case : str
        The case.
    data : str
        The kind of data.
    rows : int
        Number of rows of the sample.
    seed : int
        The seed of the sample.
    outcome : str
        "done", "time_limit", "memory_limit", "crashed" or "unavailable".
    reason : str
        Why there is no graph.
    stop_reason : str, optional
        Why the search ended; not "converged" if it stopped early.
    variables : int, optional
        Number of variables.
    measures : dict of str to float
        The measures of `mahc.measures`, against the true CPDAG on clean data and the true PAG on noisy data.
    score : float, optional
        The BIC in bits of the graph (a CPDAG by a DAG of its class, a PAG by a MAG of its class).
    free_parameters : int, optional
        Number of free parameters of the graph.
    edges : int, optional
        Number of edges.
    seconds : float, optional
        Seconds of learning.
    peak_memory_mebibytes : float, optional
        Peak memory of the process.
    pruned_per_level : tuple of int, optional
        Arcs that MAHC pruned at each level.
    gap : float, optional
        A proven bound on how much better any graph can score.
    version : str
        The version of the code that ran.
    held_out_bits : float, optional
        On a data set without a true graph: the mean bits that a held-out row costs, lower is better.
    pattern : tuple of (str, str, str), optional
        On a data set without a true graph: the edges of the graph as CPDAG or PAG.
    traceback : str
        Where a function of the user's failed.

    Examples
    --------
    >>> Row("MAHC", "asia", "clean", 1000, 1, "done", measures={"f1": 0.933}, score=-3252.1).finished
    True
    """

    contestant: str
    case: str
    data: str  # "clean", or the name of a noise such as "cMISL"
    rows: int
    seed: int
    outcome: str  # a key of OUTCOME_WORDS
    reason: str = ""
    stop_reason: str | None = None
    variables: int | None = None
    measures: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    score: float | None = None
    free_parameters: int | None = None
    edges: int | None = None
    seconds: float | None = None  # learning alone
    peak_memory_mebibytes: float | None = None
    pruned_per_level: tuple[int, ...] | None = None
    gap: float | None = None  # how much better the best graph may be than that of an exact learner, in bits
    version: str = ""
    held_out_bits: float | None = None
    pattern: tuple[tuple[str, ...], ...] | None = None
    traceback: str = ""

    @property
    def finished(self) -> bool:
        """Whether there is a graph."""
        return self.outcome == "done"
