"""The consensus of one algorithm's resamples, or of several algorithms."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from mahc._version import __version__
from mahc.errors import MahcError, Mention, SettingError
from mahc.experiment.contestants.base import KINDS, Answer, Contestant, Sample
from mahc.experiment.limits import Limits
from mahc.learning.stop_reason import StopReason

if TYPE_CHECKING:
    from mahc.confidence import Consensus
    from mahc.data import Dataset

RESAMPLES = 100


@KINDS.register("consensus")
@dataclass(frozen=True)
class ConsensusGraph(Contestant):
    """One graph from many, as `mahc.average` makes it of a bootstrap, and `mahc.consensus` of several algorithms.

    >>> ConsensusGraph("mahc, consensus", names=("mahc",), resamples=50).settings_text()
    'resamples 50, seed 1, how bootstrap, threshold from the shares'
    """

    names: tuple[str, ...] = ()  # each with a score after a slash if not its default
    settings: Mapping[str, Any] = field(default_factory=dict)
    resamples: int = RESAMPLES
    seed: int = 1
    how: str = "bootstrap"
    algorithm_seed: int | None = None
    least: int | None = None
    threshold: float | None = None

    kind: ClassVar[str] = "consensus"
    stops_itself: ClassVar[bool] = True

    @property
    def algorithm(self) -> str:
        """The algorithms."""
        return f"consensus of {', '.join(self.names)}"

    def version(self) -> str:
        """The version of mahc."""
        return f"mahc {__version__}"

    def identity(self) -> dict[str, Any]:
        """The algorithms with all their settings and scores, the resamples, and the threshold; checks all of them."""
        from mahc.confidence.agreement import check_resamples, split_name
        from mahc.confidence.settings import BootstrapSettings, ConsensusSettings, check_algorithm_seed
        from mahc.learning.settings import choose

        ConsensusSettings(least=self.least, threshold=self.threshold)
        drawn = self._resampling()
        if len(self.names) > 1 and self.resamples == 0:
            check_resamples(drawn.pop("resamples"))  # each learns once
        BootstrapSettings(**drawn)
        check_algorithm_seed([split_name(name)[0] for name in self.names], self.algorithm_seed)
        if "seed" in self.settings:
            raise SettingError("the seed of an algorithm is the key ", Mention("algorithm_seed"), ": give it there")
        chosen = [(name, *choose(*split_name(name), self.settings)) for name in self.names]
        algorithms = {name: [algorithm.settings(), score.describe()] for name, algorithm, score in chosen}
        cut = {"least": self.least, "threshold": self.threshold}
        return {"algorithms": algorithms, **self._resampling(), **cut}

    def _resampling(self) -> dict[str, Any]:
        drawn = {"seed": self.seed, "how": self.how, "algorithm_seed": self.algorithm_seed}
        return {"resamples": self.resamples, **drawn}

    def settings_text(self) -> str:
        """The resamples, the threshold and the settings of the algorithms that the plan gives."""
        full: dict[str, Any] = {"resamples": self.resamples}
        if self.resamples:
            full |= {"seed": self.seed, "how": self.how}
        if self.algorithm_seed is not None:
            full["algorithm_seed"] = self.algorithm_seed
        if self.least is not None:
            full["least"] = self.least
        else:
            usual = "from the shares" if self.resamples else "half of them"
            full["threshold"] = usual if self.threshold is None else self.threshold
        return ", ".join(f"{key} {value}" for key, value in {**full, **self.settings}.items())

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Learn and average; several algorithms share the time limit in equal parts."""
        from mahc.graphs import DAG

        sample.begin()
        began = time.perf_counter()
        try:
            made, reasons = self._average(sample.simulation.data, limits)
        except MahcError:
            seconds = time.perf_counter() - began
            if seconds < limits.seconds / len(self.names):
                raise
            return Answer(DAG(sample.names), seconds, StopReason.TIME_LIMIT, has_answer=False)
        early = next((reason for reason in reasons if reason.early), reasons[0])
        graph = made.graph if made.dag is None else made.dag
        return Answer(graph, time.perf_counter() - began, early, pattern=made.graph)

    def _average(self, data: Dataset, limits: Limits) -> tuple[Consensus, list[StopReason]]:
        from mahc.confidence import average, bootstrap, consensus
        from mahc.confidence.agreement import split_name

        chosen: dict[str, Any] = {**self._resampling(), "threads": limits.threads, **self.settings}
        cut: dict[str, Any] = {"least": self.least, "threshold": self.threshold}
        if len(self.names) == 1:
            algorithm, objective = split_name(self.names[0])
            found = bootstrap(data, algorithm, objective=objective, time_limit=limits.seconds, **chosen)
            return average(found, **cut), [found.stop_reason]
        share = limits.seconds / len(self.names)
        agreed = consensus(data, self.names, time_limit=share, **cut, **chosen)
        return agreed.consensus, list(agreed.stop_reasons.values())
