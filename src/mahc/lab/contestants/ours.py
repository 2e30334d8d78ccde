"""Contestants of mahc itself: its algorithms, a consensus of them, and the truth."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from mahc._version import __version__
from mahc.errors import MahcError, Mention, SettingError, UnknownSettingError
from mahc.lab.contestants.base import KINDS, Answer, CellError, Contestant, Sample
from mahc.lab.outline import TRUTH
from mahc.lab.plan_tables import LIST, Flag, PlanSpelling, Text, Texts
from mahc.lab.processes import Limits
from mahc.learning.stop_reason import StopReason

if TYPE_CHECKING:
    from mahc.confidence import Consensus
    from mahc.data import Dataset
    from mahc.graphs import DAG, MixedGraph

RESAMPLES = 100
Settings = Annotated[dict[str, Any], Meta(description="a table, such as { search_in_degree = 4 }")]


@KINDS.register("algorithm")
class MahcAlgorithm(Contestant, frozen=True):
    """One of mahc's algorithms with its settings.

    With `shuffle_columns` the seed of each cell shuffles the columns of its sample; `ties = "file-order"` then breaks
    ties by an order that says nothing, as most programs do on most files.

    >>> MahcAlgorithm("only pruning", name="mahc", settings={"averaging": False}).settings_text()
    'prune_in_degree 3, search_in_degree 8, pruning true, averaging false, arc_price 0.0, relative_price 0.0'
    """

    name: Text = msgspec.field(default="", name="algorithm")
    settings: Settings = msgspec.field(default_factory=dict)
    objective: Text | None = None  # the name of a score; None: the algorithm's default
    missing: Text | None = None  # what to do with the state `missing`; None: nothing, it is a state
    numbers: Text | None = None  # how columns of numbers are treated; None: auto
    discretise: Text | None = None  # a rule that cuts them before learning, such as quantile:4
    ties: Text = "data"
    shuffle_columns: Flag = False

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
        from mahc.data.prepare.discretise import parse_rule
        from mahc.learning.settings import RunSettings
        from mahc.scores import make_score

        known: dict[str, Any] = {"name": self.name, "settings": self._full_settings()}
        RunSettings(ties=self.ties)
        known |= {"ties": self.ties} if self.ties != "data" else {}
        known |= {"shuffle_columns": True} if self.shuffle_columns else {}
        if self.missing is not None:
            _check_missing(self.missing)
            known["missing"] = self.missing
        if self.numbers is not None:
            RunSettings(numbers=self.numbers)
            known["numbers"] = self.numbers
        if self.discretise is not None:
            parse_rule(self.discretise)
            known["discretise"] = self.discretise
        return known if self.objective is None else {**known, "objective": make_score(self.objective).describe()}

    def check(self) -> None:
        """Refuse unknown names and settings out of range, as a plan spells them."""
        _check_identity(self, PlanSpelling(["missing", "ties", "numbers", "discretise"]))

    def settings_text(self) -> str:
        """The settings that have a value, and the score where the plan names one."""
        full = {**self._full_settings(), "objective": self.objective, "missing": self.missing}
        full |= {"numbers": self.numbers, "discretise": self.discretise}
        full |= {"ties": self.ties} if self.ties != "data" else {}
        shown = [
            f"{key} {str(value).lower() if isinstance(value, bool) else value}"
            for key, value in full.items()
            if value is not None
        ]
        return ", ".join([*shown, *(["shuffled columns"] if self.shuffle_columns else [])])

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Learn until done or until the time limit."""
        from mahc.learn import learn
        from mahc.learning.settings import choose_algorithm

        chosen = choose_algorithm(self.name, self.settings)
        sample.begin()
        data = sample.shuffled(f"{sample.seed} ") if self.shuffle_columns else sample.simulation.data
        learned = learn(
            data if self.discretise is None else _cut(data, self.discretise),
            chosen,
            objective=self.objective,
            ties=self.ties,
            numbers=self.numbers or "auto",
            time_limit=limits.seconds,
            threads=limits.threads,
            missing=self.missing,
        )
        pruned = learned.pruning.pruned_per_level if learned.pruning is not None else None
        # An exact learner that stops before it has a bound returns the graph of hill climbing, which is not its answer.
        has_answer = not chosen.proves or learned.gap is not None
        graph = _in_order(learned.graph, sample.names) if self.shuffle_columns else learned.graph
        return Answer(graph, learned.seconds, learned.stop_reason, pruned, learned.gap, has_answer=has_answer)

    def _full_settings(self) -> dict[str, Any]:
        from mahc.learning.settings import choose_algorithm

        return choose_algorithm(self.name, self.settings).settings()


def _cut(data: Dataset, rule: str) -> Dataset:
    """The data with their columns of numbers cut by a rule."""
    import numpy as np

    from mahc.data.columns import Continuous
    from mahc.data.prepare.discretise import parse_rule

    numbers = {
        name: column.values
        for name, column in zip(data.names, data.columns, strict=True)
        if isinstance(column, Continuous)
    }
    cuts = parse_rule(rule).cut_points
    return data.cut({name: cuts(own, np.ones(len(own), np.int64)).tolist() for name, own in numbers.items()})


def _in_order(graph: DAG | MixedGraph, names: tuple[str, ...]) -> DAG | MixedGraph:
    """The same graph with its variables in the order of the sample."""
    from mahc.graphs import DAG, MixedGraph

    return DAG(names, graph.arcs) if isinstance(graph, DAG) else MixedGraph(names, graph.edges)


def _check_identity(contestant: Contestant, spelling: PlanSpelling) -> None:
    try:
        contestant.identity()
    except MahcError as mistake:
        lists_names = isinstance(mistake, UnknownSettingError)
        raise SettingError(mistake.render(PlanSpelling(table="") if lists_names else spelling)) from None


def _check_missing(missing: str) -> None:
    from mahc.data.settings import MISSING_METHODS
    from mahc.errors import InvalidSettingError, Message, choices

    if missing not in ("drop", *MISSING_METHODS):
        raise InvalidSettingError("missing", missing, Message("give one of ", choices(("drop", *MISSING_METHODS))))


@KINDS.register("truth")
class Truth(Contestant, frozen=True):
    """Returns the graph that the data were drawn from, or its MAG where variables are hidden.

    >>> Truth().label
    'Ground truth'
    """

    label: Text = TRUTH

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
        from mahc.lab.samples import RealData

        drawn = sample.simulation
        if isinstance(drawn, RealData):
            raise CellError("a data set has no true graph")
        dag, hidden = drawn.dag, drawn.latents
        return Answer(dag_to_mag(dag, hidden) if hidden else dag, 0.0, pattern=drawn.truth())


@KINDS.register("consensus")
class ConsensusGraph(Contestant, frozen=True):
    """One graph from many, as `mahc.average` makes it of a bootstrap, and `mahc.consensus` of several algorithms.

    >>> ConsensusGraph("mahc, consensus", names=("mahc",), resamples=50).settings_text()
    'resamples 50, seed 1, how bootstrap, threshold from the shares'
    """

    # Each with a score after a slash if not its default.
    names: Annotated[str | Texts, Meta(description=LIST)] = msgspec.field(default=(), name="consensus")
    settings: Settings = msgspec.field(default_factory=dict)
    # The settings of a bootstrap and of a consensus; `identity` checks their values.
    resamples: Any = RESAMPLES
    seed: Any = 1
    how: Any = "bootstrap"
    algorithm_seed: Any = None
    least: Any = None
    threshold: Any = None
    rule: Any = None  # of one algorithm

    kind: ClassVar[str] = "consensus"
    stops_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Take the name of a single algorithm for a list of one."""
        super().__post_init__()
        if isinstance(self.names, str):
            msgspec.structs.force_setattr(self, "names", (self.names,))

    @property
    def algorithm(self) -> str:
        """The algorithms."""
        return f"consensus of {', '.join(self.names)}"

    def check(self) -> None:
        """Refuse unknown names and settings out of range, as a plan spells them."""
        from mahc.confidence.settings import BootstrapSettings, ConsensusSettings
        from mahc.settings import declarations

        _check_identity(self, PlanSpelling([*declarations(BootstrapSettings), *declarations(ConsensusSettings)]))

    def version(self) -> str:
        """The version of mahc."""
        return f"mahc {__version__}"

    def identity(self) -> dict[str, Any]:
        """The algorithms with all their settings and scores, the resamples, and the threshold; checks all of them."""
        from mahc.confidence.agreement import check_resamples, split_name
        from mahc.confidence.settings import BootstrapSettings, ConsensusSettings, check_algorithm_seed
        from mahc.learning.settings import choose

        ConsensusSettings(least=self.least, threshold=self.threshold, rule=self.rule)
        if self.rule is not None and len(self.names) > 1:
            raise SettingError("a rule is for the graphs of one algorithm: leave it out, or name one algorithm")
        drawn = self._resampling()
        if len(self.names) > 1 and self.resamples == 0:
            check_resamples(drawn.pop("resamples"))  # each learns once
        BootstrapSettings(**drawn)
        check_algorithm_seed([split_name(name)[0] for name in self.names], self.algorithm_seed)
        if "seed" in self.settings:
            raise SettingError("the seed of an algorithm is the key ", Mention("algorithm_seed"), ": give it there")
        chosen = [(name, *choose(*split_name(name), self.settings)) for name in self.names]
        algorithms = {name: [algorithm.settings(), score.describe()] for name, algorithm, score in chosen}
        cut = {"least": self.least, "threshold": self.threshold, **self._rule()}
        return {"algorithms": algorithms, **self._resampling(), **cut}

    def _rule(self) -> dict[str, Any]:
        return {} if self.rule is None else {"rule": self.rule}

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
        elif self.rule is not None:
            full["rule"] = self.rule
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
            return average(found, **cut, **self._rule()), [found.stop_reason]
        share = limits.seconds / len(self.names)
        agreed = consensus(data, self.names, time_limit=share, **cut, **chosen)
        return agreed.consensus, list(agreed.stop_reasons.values())
