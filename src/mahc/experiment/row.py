"""The result of one cell of an experiment, as the store keeps it and a report reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

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
    """One contestant on one sample; fields that a failed cell does not have are None or empty, and `reason` says why.

    `measures` are those of `mahc.measures` by name, against the true CPDAG on clean data and the true PAG on noisy
    data. `score` is the BIC in bits of the graph (a CPDAG by a DAG of its class, a PAG by a MAG of its class),
    None where there is none. A cell that is done may have stopped early: `stop_reason` is then not `converged`.

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

    @property
    def finished(self) -> bool:
        """Whether there is a graph."""
        return self.outcome == "done"
