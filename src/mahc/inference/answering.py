"""How a query is answered: the settings of a query, and one function per method."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mahc.errors import SettingError
from mahc.graphs import MixedGraph
from mahc.inference.answers import Answer, Interval, State
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.deadline import is_over, limited_to
from mahc.inference.evidence import Question
from mahc.inference.exact import MAX_BYTES, TooLargeError, joint, marginals, prepare
from mahc.inference.factors import Values
from mahc.inference.sampled_tables import draw_tables
from mahc.inference.weighting import estimate
from mahc.networks.network import Network
from mahc.networks.random_streams import MAX_SEED
from mahc.plurals import count
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import check_settings, setting

METHODS = ("exact", "weighting", "pyagrum")
WEIGHTED_DRAWS, TABLE_DRAWS = 100_000, 1000


@dataclass(frozen=True)
class QuerySettings:
    """How a query is answered."""

    method: str = setting(
        "exact",
        help="exact; weighting: an estimate with standard errors; pyagrum: exact by pyAgrum (extra inference).",
        check=OneOf(*METHODS),
        metavar="METHOD",
    )
    credible: float | None = setting(
        None,
        help="Level of credible intervals, from tables drawn from their posterior.",
        check=Number(above=0, below=1, hint="0.95 is usual"),
        metavar="LEVEL",
    )
    draws: int | None = setting(
        None,
        help="Draws of weighting (100,000 if left out) or of tables (1,000).",
        check=Whole(10, 10**9),
        metavar="N",
    )
    seed: int = setting(1, help="Seed of the draws.", check=Whole(0, MAX_SEED), metavar="N")
    max_bytes: int = setting(
        MAX_BYTES, help="Memory that an exact answer may take.", check=Whole(1024, 2**50), metavar="BYTES"
    )

    time_limit: float | None = setting(
        None,
        help="Seconds: an exact answer that is not there by then is refused, draws end with those made so far.",
        check=Number(above=0, hint="seconds"),
        metavar="S",
        group="Limits",
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.credible is not None and self.method != "exact":
            raise SettingError(
                f"credible intervals need the method exact, and the method is {self.method}: leave one of them out"
            )


@dataclass(frozen=True, eq=False)
class Answering:
    """A network with everything that answers need: `alphas` for credible intervals, `pattern` for notes."""

    network: Network
    alphas: tuple[Values, ...] | None = None
    pattern: MixedGraph | None = None

    @cached_property
    def compiled(self) -> CompiledNetwork:
        """The factors."""
        return CompiledNetwork(self.network)

    def answer(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None = None
    ) -> Answer:
        """The joint distribution of the targets."""
        with limited_to(settings.time_limit):
            return self._answer(question, settings, progress)

    def _answer(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None
    ) -> Answer:
        if settings.method == "weighting":
            return self._by_weighting(question, settings, progress)
        if settings.method == "pyagrum":
            from mahc.inference.pyagrum_engine import joint_by_pyagrum

            table = joint_by_pyagrum(self.network, question, settings.max_bytes)
            return self._pack(question, question.targets, table[0], method="pyagrum")
        table, logs = joint(self.compiled, question, settings.max_bytes)
        if settings.credible is None:
            return self._pack(question, question.targets, table[0], given_log2=float(logs[0]))
        tails = [(1 - settings.credible) / 2, (1 + settings.credible) / 2]
        samples = self.sampled_answers(question, settings, progress)
        draws = TABLE_DRAWS if settings.draws is None else settings.draws
        packed = self._pack(
            question,
            question.targets,
            table[0],
            given_log2=float(logs[0]),
            bounds=np.quantile(samples, tails, axis=0),
            notes=() if len(samples) == draws else (f"stopped after {len(samples):,} of {count(draws, 'draw')}",),
        )
        return replace(packed, level=settings.credible)

    def answer_each(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None = None
    ) -> dict[str, Answer]:
        """The distribution of each target; by one propagation where that fits, else one by one."""
        with limited_to(settings.time_limit):
            return self._answer_each(question, settings, progress)

    def _answer_each(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None
    ) -> dict[str, Answer]:
        names = self.network.names
        if settings.method == "exact" and settings.credible is None:
            try:
                found, logs = marginals(self.compiled, question, settings.max_bytes)
            except TooLargeError:  # one target alone may need less
                pass
            else:
                given = float(logs[0])
                return {names[v]: self._pack(question, (v,), found[v][0], given_log2=given) for v in found}
        alone = {v: Question((v,), question.observed, question.soft, question.do) for v in question.targets}
        return {names[v]: self.answer(each, settings, progress) for v, each in alone.items()}

    def _by_weighting(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None
    ) -> Answer:
        draws = WEIGHTED_DRAWS if settings.draws is None else settings.draws
        drawn = estimate(self.compiled, question, draws, settings.seed, progress)
        return self._pack(
            question,
            question.targets,
            drawn.probabilities,
            method="weighting",
            given_log2=drawn.given_log2,
            errors=drawn.standard_errors,
            effective=drawn.effective_draws,
            notes=() if drawn.draws == draws else (f"stopped after {drawn.draws:,} of {count(draws, 'draw')}",),
        )

    def sampled_answers(
        self, question: Question, settings: QuerySettings, progress: Callable[[int], bool | None] | None = None
    ) -> Values:
        """The joint distribution of the targets under each of many tables drawn from their posterior."""
        if self.alphas is None:
            raise SettingError("credible intervals need tables fitted to data with a prior above 0")
        draws = TABLE_DRAWS if settings.draws is None else settings.draws
        wanted = [*question.targets, *question.observed, *question.soft]
        nodes = [v for v in self.compiled.relevant(wanted, question.do) if v not in question.do]
        needed = max(1, prepare(self.compiled, question).cost().bytes)
        most = max(1, settings.max_bytes // 4 // needed)
        found, done = [], 0
        for tables in draw_tables(self.network, self.alphas, nodes, draws, settings.seed, most):
            values, _ = joint(CompiledNetwork(self.network, tables), question, settings.max_bytes)
            size = max(len(tables[v]) for v in nodes)
            found.append(np.broadcast_to(values, (size, *values.shape[1:])))
            done += size
            if is_over() or (progress is not None and progress(done)):
                break
        return np.concatenate(found)

    def _pack(
        self,
        question: Question,
        targets: Sequence[int],
        table: Values,
        *,
        method: str = "exact",
        given_log2: float | None = None,
        errors: Values | None = None,
        effective: float | None = None,
        bounds: Values | None = None,
        notes: tuple[str, ...] = (),
    ) -> Answer:
        states: list[State] = [
            combination[0] if len(targets) == 1 else combination
            for combination in itertools.product(*(self.network.states[v] for v in targets))
        ]

        def by_state(values: Values) -> dict[State, float]:
            return dict(zip(states, values.ravel().tolist(), strict=True))

        intervals: Mapping[State, Interval] | None = None
        if bounds is not None:
            ends = zip(bounds[0].ravel().tolist(), bounds[1].ravel().tolist(), strict=True)
            intervals = {state: Interval(low, high) for state, (low, high) in zip(states, ends, strict=True)}
        return Answer(
            targets=tuple(self.network.names[v] for v in targets),
            probabilities=by_state(table),
            method=method,
            given_log2=given_log2,
            standard_errors=None if errors is None else by_state(errors),
            effective_draws=effective,
            intervals=intervals,
            notes=(*notes, *self._notes(question)),
        )

    def _notes(self, question: Question) -> tuple[str, ...]:
        return notes_on_direction(self.pattern, [self.network.names[v] for v in question.do])


def notes_on_direction(
    pattern: MixedGraph | None,
    changed: Sequence[str],
    hint: str = "the effect over all possible DAGs is an interval",
) -> tuple[str, ...]:
    """A sentence where the data do not determine the direction of an edge of a variable that is set."""
    if pattern is None:
        return ()
    undecided = {name for edge in pattern.edges if edge.mark == "---" for name in (edge.left, edge.right)}
    doubtful = [name for name in changed if name in undecided]
    if not doubtful:
        return ()
    return (
        f"the data do not determine the direction of every edge of {doubtful[0]}: this is the answer of one DAG; "
        f"{hint}",
    )
