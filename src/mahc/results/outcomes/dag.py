"""A DAG that a search for a high score found, and what is known of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, overload

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from mahc.data.prepare.notes import enumerate_some
from mahc.documents import Document, Number, Whole, to_plain
from mahc.errors import MahcError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.knowledge.beliefs import sum_log_odds
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.experiments import ExperimentsRecord
from mahc.learning.measurement_error import LeftOutArc
from mahc.plurals import count
from mahc.results.explanation import MAX_ROWS, EdgeTable, Explanation, change
from mahc.results.outcomes.arc_details import EITHER_WAY, ArcDetails, ArcExplainer
from mahc.results.records import RunRecord

Arc = tuple[str, str]
NOTICEABLE_NATS = 5.0


class TakenStep(Document, frozen=True, array_like=True, kw_only=False):
    """One move of the search, with the scores of the graph after it."""

    move: str
    tail: str
    head: str
    score: Number
    averaged_score: Number | None
    seconds: Number


class PruningSummary(Document, frozen=True, kw_only=False):
    """The arcs pruned at each level, the candidate parent sets of each level, and the arcs still allowed."""

    pruned_per_level: tuple[Whole, ...]
    valid_sets_per_level: tuple[Whole, ...]
    allowed_arcs: Sequence[Arc]


class ConstraintCost(Document, frozen=True, kw_only=False):
    """The most that a single move which one constraint alone forbids would have added to the score."""

    constraint: str
    cost: Number


class DagOutcome(Document, frozen=True, eq=False, tag_field="outcome", tag="dag"):
    """The DAG, its scores, the steps to it, and what was known of every possible arc.

    Scores are plain; the search subtracted `arc_price` per arc, and the share `relative_price` of what its pair gains
    alone (averaged scores are after that).
    `arc_details` is None in a result of so many variables that it was learned or saved without them.
    """

    variables: tuple[str, ...]
    arcs: tuple[Arc, ...]
    local_scores: tuple[Number, ...]
    arc_strengths: tuple[Number, ...] = msgspec.field(name="strengths")
    averaged_score: Number | None = None
    gap: Number | None = None
    pruning: PruningSummary | None = None
    constraint_costs: tuple[ConstraintCost, ...] = ()
    path: tuple[TakenStep, ...] = ()
    arc_price: Number = 0.0
    relative_price: Number = 0.0
    arc_details: ArcDetails | None = None

    kind: ClassVar[str] = "DAG"
    edge_word: ClassVar[str] = "arc"
    edges: ClassVar[None] = None
    extension: ClassVar[None] = None

    @cached_property
    def graph(self) -> DAG:
        """The DAG."""
        return DAG(self.variables, self.arcs)

    def check(self, run: RunRecord, complete: bool) -> None:
        """Refuse parts that do not fit each other; `complete` says that a file this small has all details."""
        if self.arcs != self.graph.arcs:
            raise ValueError("the arcs are not in order")
        if len(self.local_scores) != len(self.variables):
            raise ValueError("local_scores has another length than variables")
        if len(self.arc_strengths) != len(self.arcs):
            raise ValueError("strengths has another length than arcs")
        if self.arc_details is not None:
            self.arc_details.check(len(self.variables))

    def without_details(self) -> DagOutcome:
        """The same without the details of all pairs, for files of many variables."""
        return replace(self, arc_details=None)

    @property
    def adjacent(self) -> tuple[tuple[str, str], ...]:
        """The adjacent pairs of variables."""
        return self.graph.arcs

    @property
    def edge_number(self) -> int:
        """How many arcs there are."""
        return len(self.graph.arcs)

    def unconnected(self) -> list[str]:
        """The variables without an arc."""
        connected = {name for arc in self.graph.arcs for name in arc}
        return [name for name in self.graph.names if name not in connected]

    def without_dag(self, run: RunRecord) -> None:
        """A DAG always exists."""

    def dag(self, run: RunRecord) -> DAG:
        """The graph itself."""
        return self.graph

    def pattern(self, run: RunRecord) -> MixedGraph:
        """The CPDAG: all DAGs that the data cannot distinguish from this one, given the knowledge."""
        return find_pattern(self.graph, run.knowledge, run.experiments)

    def check_cpdag(self, run: RunRecord) -> None:
        """The pattern always is a CPDAG."""

    def strengths(self) -> dict[tuple[str, str], float]:
        """For each arc, the score that would be lost by removing it."""
        return dict(zip(self.arcs, self.arc_strengths, strict=True))

    def explain(self, tail: str, head: str, run: RunRecord) -> Explanation:
        """Why the arc `tail` -> `head` is in the graph, or why it is not."""
        if self.arc_details is None:
            return self._explain_by_strength(tail, head, run)
        return self.explainer(run).explain(tail, head)

    def _explain_by_strength(self, tail: str, head: str, run: RunRecord) -> Explanation:
        """The same of two variables that an arc joins, where only the strengths of arcs are known."""
        for name in (tail, head):
            self.graph.index(name)
        strengths, either_way = self.strengths(), frozenset((tail, head)) in self._reversible(run)
        if (tail, head) in strengths:
            strength = strengths[tail, head]
            text = f"removing it would {change(-strength, 'the score', run.unit)}"
            text = f"it {EITHER_WAY}; {text}" if either_way else text
            return Explanation(
                tail, head, True, "present", f"{tail} -> {head} is in the graph: {text}.", {"strength": strength}
            )
        if (head, tail) in strengths:
            text = f"the arc {head} -> {tail} is" + (f", and {EITHER_WAY}" if either_way else " there instead")
            return Explanation(tail, head, False, "opposite", f"{tail} -> {head} is not in the graph: {text}.", {})
        raise self._no_details()

    def _no_details(self) -> MahcError:
        return MahcError(
            f"this result of {count(len(self.graph.names), 'variable')} has no details of its arcs: a result is "
            "saved with them up to 1,000 variables, and learned with them up to 3,000 within the memory limit: learn "
            "from fewer columns to see why two variables are not joined"
        )

    def explainer(self, run: RunRecord) -> ArcExplainer:
        """What explains any arc; a MahcError where the details were not saved."""
        if self.arc_details is None:
            raise self._no_details()
        return ArcExplainer(
            self.arc_details,
            self.graph,
            run.knowledge.tier_of,
            averaging=bool(run.settings.get("averaging")),
            stop_reason=run.stop_reason,
            unit=run.unit,
            data_ties=run.ties == "data",
            arc_price=self.arc_price,
            bonuses=self._bonuses(run),
            left_out={frozenset((each.tail, each.head)): each.describe() for each in _left_out(run)},
            degree=getattr(run.score, "degree", None),
            directed={frozenset(arc): run.experiments.why(*arc) for arc in run.experiments.directed(self.graph)}
            if run.experiments is not None
            else {},
            reversible=self._reversible(run),
        )

    def _reversible(self, run: RunRecord) -> frozenset[frozenset[str]]:
        """The pairs whose direction data and knowledge leave open."""
        return frozenset(frozenset((edge.left, edge.right)) for edge in self.pattern(run).edges if edge.mark == "---")

    def _bonuses(self, run: RunRecord) -> dict[Arc, float]:
        return {arc: odds / math.log(run.score.base) for arc, odds in sum_log_odds(run.knowledge.beliefs).items()}

    def describe_beliefs(self, run: RunRecord) -> str | None:
        """How many beliefs there are, and which arcs they decided; None without beliefs."""
        beliefs = run.knowledge.beliefs
        if not beliefs:
            return None
        if self.arc_details is None:
            return count(len(beliefs), "belief")
        explainer, at = self.explainer(run), self.graph.index
        decided = [
            (a, b) for a, b in sorted(self._bonuses(run)) if explainer.decided_by_belief(at(a), at(b)) is not None
        ]
        here = [f"{a} -> {b}" for a, b in decided if (a, b) in self.arcs]
        gone = [f"{a} -> {b}" for a, b in decided if (a, b) not in self.arcs]
        parts = [f"in the graph because of them: {enumerate_some(here)}"] if here else []
        parts += [f"not in the graph because of them: {enumerate_some(gone)}"] if gone else []
        return f"{count(len(beliefs), 'belief')}; {'; '.join(parts) or 'no arc depends on them alone'}"

    def missed_arcs(self, run: RunRecord) -> list[tuple[str, str, float]]:
        """Legal arcs that would raise the score noticeably although the averaged climb has ended; largest gain first.

        Noticeably: by more than 5 nats (7.2 bits) above the price of an arc, which is "very strong" evidence on the
        scale of Kass and Raftery (1995). An arc between two joined variables is not counted.
        """
        if self.averaged_score is None or self.arc_details is None or run.stop_reason.early:
            return []
        least = NOTICEABLE_NATS / math.log(run.score.base) + self.arc_price
        names, gain, explainer = self.graph.names, self.arc_details.gain, self.explainer(run)
        known = np.where(np.isnan(gain), -np.inf, gain)
        for arc, extra in self.arc_details.extra_prices.items():
            known[arc] -= extra
        found = []
        for u, v in np.argwhere(known > least).tolist():
            reason = explainer.explain(names[u], names[v])
            if reason.kind in ("not_improving", "not_chosen"):
                found.append((names[u], names[v], float(gain[u, v])))
        return sorted(found, key=lambda arc: (-arc[2], arc[0], arc[1]))

    def costly_arcs(self, run: RunRecord) -> list[tuple[str, str, float]]:
        """Arcs whose removal would raise the score noticeably, and which the averaged climb kept; largest gain first.

        Noticeably means what it does in `missed_arcs`. Arcs that the knowledge requires are not counted.
        """
        if self.averaged_score is None or self.arc_details is None or run.stop_reason.early:
            return []
        least = NOTICEABLE_NATS / math.log(run.score.base) - self.arc_price
        required = {frozenset(pair) for pair in (*run.knowledge.required_arcs, *run.knowledge.required_edges)}
        at, extra = self.graph.index, self.arc_details.extra_prices
        found = [
            (a, b, -strength)
            for (a, b), strength in self.strengths().items()
            if -strength > least - extra.get((at(a), at(b)), 0.0)
        ]
        free = [arc for arc in found if frozenset(arc[:2]) not in required]
        return sorted(free, key=lambda arc: (-arc[2], arc[0], arc[1]))

    def describe_graph(self, pattern: MixedGraph) -> str:
        """The number of arcs, and of those with a direction that is not determined."""
        text = count(len(self.arcs), "arc")
        if not self.arcs:
            return text
        undirected = sum(1 for edge in pattern.edges if edge.mark == "---")
        if undirected == 0:
            return f"{text}, every direction determined by data and knowledge"
        which = "which" if len(self.arcs) == 1 else f"{undirected:,} of them"
        return f"{text}, {which} could point either way (the data cannot distinguish)"

    def describe_score(self, unit: str) -> str:
        """What else is known of the score, to be added to its value."""
        text = f", searched with a price of {self.arc_price:,.4f} {unit} per arc" if self.arc_price else ""
        if self.relative_price:
            text += f"{' and' if text else ', searched with'} {self.relative_price:g} of what its pair gains alone"
        if self.averaged_score is not None:
            text += f", averaged over its neighbours {self.averaged_score:,.4f} {unit}"
        if self.gap is not None:
            text += ", proven optimal" if self.gap == 0 else f", at most {self.gap:,.4f} {unit} below the best possible"
        return text

    def describe_end(self, run: RunRecord) -> str:
        """How the search ended, in words."""
        return run.describe_end()

    def describe_steps(self) -> str:
        """The number of steps, to be put before the seconds."""
        return f"{count(len(self.path), 'step')}, "

    def describe_empty(self, run: RunRecord) -> str:
        """Why the graph has no arcs."""
        if run.stop_reason.early:
            return f"No arcs: {run.stop_reason.words} before the first step."
        score = "averaged score" if self.averaged_score is not None else "score"
        return f"No arcs: no single arc improves the {score}."

    def edge_table(self, pattern: MixedGraph, run: RunRecord | None = None) -> EdgeTable:
        """The arcs with their strength, strongest first."""
        strengths = self.strengths()
        ranked = sorted(self.arcs, key=lambda arc: (-strengths[arc], arc))
        undirected = {frozenset((edge.left, edge.right)) for edge in pattern.edges if edge.mark == "---"}
        rows = []
        for tail, head in ranked[:MAX_ROWS]:
            strength = f"{strengths[tail, head]:,.2f}"
            either = "either way" if frozenset((tail, head)) in undirected else ""
            if run is not None and run.experiments is not None and run.experiments.directs(tail, head):
                either = "by experiment"
            rows.append((tail, "->", head, strength, either))
        which = f"The {MAX_ROWS} strongest of {count(len(ranked), 'arc')}" if len(ranked) > MAX_ROWS else "Arcs"
        title = f"{which} (strength: score lost if removed)"
        return EdgeTable(title, ("from", "", "to", "strength", ""), tuple(rows))


def _left_out(run: RunRecord) -> tuple[LeftOutArc, ...]:
    return () if run.measurement_error is None else run.measurement_error.left_out


class NamedArcs(Sequence[Arc]):
    """Arcs as pairs of names, sorted; stored as numbers, because there may be millions. Equal to a tuple of the same.

    Parameters
    ----------
    names : sequence of str
        The names of the variables.
    tails, heads : array of int
        The numbers of the two variables of each arc.

    Examples
    --------
    >>> arcs = NamedArcs(["b", "a"], np.array([0, 1]), np.array([1, 0]))
    >>> arcs[0], list(arcs), arcs == (("a", "b"), ("b", "a"))
    (('a', 'b'), [('a', 'b'), ('b', 'a')], True)
    """

    def __init__(self, names: Sequence[str], tails: NDArray[np.integer], heads: NDArray[np.integer]) -> None:
        in_order = sorted(range(len(names)), key=lambda v: names[v])
        rank = np.empty(len(names), np.int32)
        rank[in_order] = np.arange(len(names), dtype=np.int32)
        tails, heads = rank[tails], rank[heads]
        order = np.lexsort((heads, tails))
        self._names = tuple(names[v] for v in in_order)
        self._tails, self._heads = tails[order], heads[order]

    def __len__(self) -> int:
        return len(self._tails)

    @overload
    def __getitem__(self, place: int) -> Arc: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Arc, ...]: ...

    def __getitem__(self, place: int | slice) -> Arc | tuple[Arc, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        return self._names[self._tails[place]], self._names[self._heads[place]]

    def __iter__(self) -> Iterator[Arc]:
        names = self._names
        for start in range(0, len(self), 1 << 16):
            part = slice(start, start + (1 << 16))
            for u, v in zip(self._tails[part].tolist(), self._heads[part].tolist(), strict=True):
                yield names[u], names[v]

    def __contains__(self, arc: object) -> bool:
        return any(arc == mine for mine in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@to_plain.register
def _(arcs: NamedArcs) -> list[list[str]]:
    return [list(arc) for arc in arcs]


def find_pattern(dag: DAG, known: Knowledge, experiments: ExperimentsRecord | None = None) -> MixedGraph:
    """The CPDAG: all DAGs that the data cannot distinguish from this one, given the knowledge.

    With experiments it is the interventional essential graph (Hauser and Bühlmann 2012): an arc is directed, too,
    where an experiment had one of its ends among its targets and not the other.

    >>> find_pattern(DAG(["a", "b"], [("a", "b")]), Knowledge(forbidden_arcs=[("b", "a")])).edges
    (Edge(left='a', mark='-->', right='b'),)
    """
    forbidden = [*known.forbidden_arcs, *known.forbidden_edges, *((b, a) for a, b in known.forbidden_edges)]
    required = [arc for arc in known.required_arcs if arc in dag.arcs]
    required += [(a, b) for a, b in dag.arcs if a in known.contexts]
    required += () if experiments is None else experiments.directed(dag)
    return dag_to_cpdag(dag, required=required, forbidden=forbidden, tiers=known.tiers)
