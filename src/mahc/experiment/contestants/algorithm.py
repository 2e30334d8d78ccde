"""Algorithms of mahc, and the truth itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mahc._version import __version__
from mahc.experiment.contestants.base import KINDS, Answer, CellError, Contestant, Sample
from mahc.experiment.limits import Limits
from mahc.experiment.row import TRUTH


@KINDS.register("algorithm")
@dataclass(frozen=True)
class MahcAlgorithm(Contestant):
    """One of mahc's algorithms with its settings.

    >>> MahcAlgorithm("only pruning", name="mahc", settings={"averaging": False}).settings_text()
    'prune_in_degree 3, search_in_degree 8, pruning true, averaging false, arc_price 0.0'
    """

    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    objective: str | None = None  # the name of a score; None: the algorithm's default
    missing: str | None = None  # what to do with the state `missing`; None: nothing, it is a state

    kind: ClassVar[str] = "algorithm"
    stops_itself: ClassVar[bool] = True

    @property
    def algorithm(self) -> str:
        """Its name in mahc."""
        return self.name

    def version(self) -> str:
        """The version of mahc."""
        return f"mahc {__version__}"

    def identity(self) -> dict[str, Any]:
        """The algorithm, all its settings, defaults included, and the score where the plan names one."""
        from mahc.scores import make_score

        known: dict[str, Any] = {"name": self.name, "settings": self._full_settings()}
        if self.missing is not None:
            _check_missing(self.missing)
            known["missing"] = self.missing
        return known if self.objective is None else {**known, "objective": make_score(self.objective).describe()}

    def settings_text(self) -> str:
        """The settings that have a value, and the score where the plan names one."""
        full = {**self._full_settings(), "objective": self.objective, "missing": self.missing}
        return ", ".join(
            f"{key} {str(value).lower() if isinstance(value, bool) else value}"
            for key, value in full.items()
            if value is not None
        )

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Learn until done or until the time limit."""
        from mahc.learn import learn
        from mahc.learning.settings import choose_algorithm

        chosen = choose_algorithm(self.name, self.settings)
        sample.begin()
        learned = learn(
            sample.simulation.data,
            chosen,
            objective=self.objective,
            time_limit=limits.seconds,
            threads=limits.threads,
            missing=self.missing,
        )
        pruned = learned.pruning.pruned_per_level if learned.pruning is not None else None
        # An exact learner that stops before it has a bound returns the graph of hill climbing, which is not its answer.
        has_answer = not chosen.proves or learned.gap is not None
        return Answer(learned.graph, learned.seconds, learned.stop_reason, pruned, learned.gap, has_answer=has_answer)

    def _full_settings(self) -> dict[str, Any]:
        from mahc.learning.settings import choose_algorithm

        return choose_algorithm(self.name, self.settings).settings()


def _check_missing(missing: str) -> None:
    from mahc.data.settings import MISSING_METHODS
    from mahc.errors import InvalidSettingError, Message, choices

    if missing not in ("drop", *MISSING_METHODS):
        raise InvalidSettingError("missing", missing, Message("give one of ", choices(("drop", *MISSING_METHODS))))


@KINDS.register("truth")
@dataclass(frozen=True)
class Truth(Contestant):
    """Returns the graph that the data were drawn from, or its MAG where variables are hidden.

    >>> Truth().label
    'Ground truth'
    """

    label: str = TRUTH

    kind: ClassVar[str] = "truth"

    @property
    def algorithm(self) -> str:
        """The word `truth`: nothing is learned."""
        return "truth"

    def version(self) -> str:
        """The version of mahc, which computes the score."""
        return f"mahc {__version__}"

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Return the true graph; nothing is learned."""
        from mahc.graphs import dag_to_mag
        from mahc.networks import Simulation

        drawn = sample.simulation
        if not isinstance(drawn, Simulation):
            raise CellError("a data set has no true graph")
        dag, hidden = drawn.network.dag, drawn.latents
        return Answer(dag_to_mag(dag, hidden) if hidden else dag, 0.0, pattern=drawn.truth())
