"""What a store holds: the outline of an experiment (who takes part and on what) and a row for each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

import msgspec

from mahc.networks.library import NetworkSize

CLEAN = "clean"  # data without noise
TRUTH = "Ground truth"  # the contestant that returns the true graph, so that its score is shown with the others'

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


@dataclass(frozen=True)
class Selection:
    """Some of the samples of an experiment. An empty tuple leaves nothing out.

    Parameters
    ----------
    cases : tuple of str
        Only these cases.
    sizes : tuple of int
        Only these numbers of rows.
    seeds : tuple of int
        Only these seeds.

    Examples
    --------
    >>> small = Selection(sizes=(100, 1000))
    >>> small.includes("asia", 100, 1), small.includes("asia", 10_000, 1)
    (True, False)
    """

    cases: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()

    def includes(self, case: str, size: int, seed: int) -> bool:
        """Whether a sample is selected.

        Parameters
        ----------
        case : str
            The case.
        size : int
            Number of rows.
        seed : int
            The seed.

        Returns
        -------
        bool
            Whether the case, the number of rows and the seed are all selected.

        Examples
        --------
        >>> Selection(cases=("asia",)).includes("alarm", 100, 1)
        False
        """
        pairs = ((case, self.cases), (size, self.sizes), (seed, self.seeds))
        return all(not chosen or value in chosen for value, chosen in pairs)


@dataclass(frozen=True)
class ContestantInfo:
    """What the outline of an experiment says of one contestant.

    Parameters
    ----------
    label : str
        Its name in the plan.
    algorithm : str
        The algorithm, function or program.
    learning_class : str
        The group that it is listed in.
    settings_text : str
        Its settings, in words.
    version : str
        The version of the code that runs.
    paper_name : str
        The algorithm of the paper that it is compared with, empty if none.
    selection : Selection
        The samples in which it takes part, by default all.

    Examples
    --------
    >>> ContestantInfo("Exact", "exact", paper_name="GOBNILP").paper_name
    'GOBNILP'
    """

    label: str
    algorithm: str = ""
    learning_class: str = ""
    settings_text: str = ""
    version: str = ""
    paper_name: str = ""
    selection: Selection = Selection()


@dataclass(frozen=True)
class Outline:
    """Contestants, cases, sample sizes, kinds of data, seeds and limits of an experiment, in the order of the plan.

    Parameters
    ----------
    plan_name : str
        The name of the plan.
    contestants : tuple of ContestantInfo
        The contestants.
    cases : tuple of str
        The names of the cases.
    sizes : tuple of int
        Numbers of rows, of all cases.
    data : tuple of str
        Kinds of data: "clean" or a noise.
    seeds : tuple of int
        The seeds, of all cases.
    seconds_limit : float, optional
        Seconds for each cell; None where only rows are known.
    memory_limit_mebibytes : int, optional
        Memory for each cell.
    threads : int, optional
        Threads of each cell.
    networks : tuple of NetworkSize
        The size of each case's network that could be read.
    reference : str
        The label of the contestant with which the report compares the others; empty for MAHC.
    data_sets : tuple of str
        The cases that are data sets without a true graph; they are used as they are.
    narrowed : tuple of Selection
        One for each case that has only some of the sizes or seeds.

    Examples
    --------
    >>> outline = Outline("mine", (ContestantInfo("HC"),), ("asia",), (100, 1000), ("clean",), (1,), 60.0, 1024, 1)
    >>> outline.cells
    2
    >>> Outline.from_dict(outline.to_dict()) == outline
    True
    """

    plan_name: str
    contestants: tuple[ContestantInfo, ...]
    cases: tuple[str, ...]
    sizes: tuple[int, ...]
    data: tuple[str, ...]
    seeds: tuple[int, ...]
    seconds_limit: float | None = None
    memory_limit_mebibytes: int | None = None
    threads: int | None = None
    networks: tuple[NetworkSize, ...] = ()
    reference: str = ""
    data_sets: tuple[str, ...] = ()
    narrowed: tuple[Selection, ...] = ()

    @cached_property
    def cells(self) -> int:
        """How many rows a complete store holds."""
        return sum(self.has_cell(one.label, *sample) for sample in self.samples() for one in self.contestants)

    def samples(self) -> Iterator[tuple[str, str, int, int]]:
        """Case, kind of data, number of rows and seed of every sample, in the order of the plan."""
        for data, case, size, seed in product(self.data, self.cases, self.sizes, self.seeds):
            if self.has_sample(case, data, size, seed):
                yield case, data, size, seed

    def has_sample(self, case: str, data: str, size: int, seed: int) -> bool:
        """Whether a sample is part of the plan: a data set has no noise; a case may have its own sizes and seeds."""
        own = self._own.get(case)
        return (case not in self.data_sets or data == CLEAN) and (own is None or own.includes(case, size, seed))

    def has_cell(self, label: str, case: str, data: str, size: int, seed: int) -> bool:
        """Whether a contestant takes part in a sample of the plan; a data set has no true graph."""
        if label == TRUTH and case in self.data_sets:
            return False
        return self.has_sample(case, data, size, seed) and self._selections[label].includes(case, size, seed)

    def only(self, cases: tuple[str, ...]) -> Outline:
        """The outline of some of the cases, with the sizes and seeds that these have."""
        samples = [sample for sample in self.samples() if sample[0] in cases]
        sizes, seeds = {size for _, _, size, _ in samples}, {seed for _, _, _, seed in samples}
        return replace(
            self,
            cases=tuple(case for case in self.cases if case in cases),
            sizes=tuple(size for size in self.sizes if size in sizes),
            seeds=tuple(seed for seed in self.seeds if seed in seeds),
            data_sets=tuple(case for case in self.data_sets if case in cases),
            narrowed=tuple(
                one
                for one in self.narrowed
                if set(one.cases) <= set(cases)
                and not all(one.includes(one.cases[0], size, seed) for size, seed in product(sizes, seeds))
            ),
        )

    @cached_property
    def _own(self) -> dict[str, Selection]:
        return {case: one for one in self.narrowed for case in one.cases}

    @cached_property
    def _selections(self) -> dict[str, Selection]:
        return {one.label: one.selection for one in self.contestants}

    def to_dict(self) -> dict[str, Any]:
        """The outline as JSON holds it."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    @staticmethod
    def from_dict(found: dict[str, Any]) -> Outline:
        """The outline that `to_dict` wrote."""
        return msgspec.convert(found, Outline)
