"""What a search by score knew of every possible arc when it ended, and why each arc is in the graph or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from mahc.documents import ByPair, Document, Index, Number, check_below
from mahc.graphs import DAG
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.legality import Legality
from mahc.knowledge.obstacles import ObstacleKind
from mahc.learning.found import ALLOWED, FORBIDDEN, Base
from mahc.learning.stop_reason import StopReason
from mahc.results.explanation import Explanation, Reason, amount, change

MOSTLY = 0.5  # share of what a parent explains that is due to a rise or fall, at least, for it to be called one
AVERAGED = "the averaged score, which decides,"
EITHER_WAY = "could point either way (the data cannot distinguish)"
T = TypeVar("T")
OBSTACLES = {ObstacleKind.CYCLE: "cycle", ObstacleKind.TIERS: "forbidden", ObstacleKind.IN_DEGREE: "full"}


class ArcDetails(Document, frozen=True):
    """Numbers and reasons by ordered pair; [u, v] is about the arc u -> v, NaN where nothing was computed.

    `gain`: the change of the plain score by adding the arc or, where it is present, deleting it.
    `reversal_gain`: the change by reversing it, legal or not. `averaged_gain`, `averaged_reversal_gain`: the same
    for the averaged score, legal moves only. `level`, `score_with`, `bases`: how it was pruned. `max_parents`: by
    variable. `forbidden`, `required`: the constraint in words. `connecting`: the arcs that were added because all
    variables are relevant. `associations`: of arcs between variables with an order, the partial correlation and the
    share of the variance that the tail explains (`engine/associations.py`). `extra_prices`: what an arc cost the
    search besides the price of every arc.
    """

    gain: NDArray[np.float64]
    reversal_gain: NDArray[np.float64]
    averaged_gain: NDArray[np.float64] | None
    averaged_reversal_gain: NDArray[np.float64] | None
    level: NDArray[np.uint8] | None
    score_with: NDArray[np.float64] | None
    bases: tuple[dict[Index, Base], ...]
    max_parents: NDArray[np.int32]
    forbidden: ByPair[str]
    required: ByPair[str]
    connecting: frozenset[tuple[Index, Index]] = frozenset()
    extra_prices: ByPair[Number] = msgspec.field(default_factory=dict)
    associations: ByPair[tuple[Number, Number]] = msgspec.field(default_factory=dict)

    def reordered(self, position: Sequence[int]) -> ArcDetails:
        """The same details with variable i renumbered to `position[i]`."""
        order = np.argsort(np.asarray(position))
        grid = np.ix_(order, order)

        def move(array: NDArray[Any] | None) -> Any:
            return None if array is None else np.ascontiguousarray(array[grid])

        def renumber(pairs: Mapping[tuple[int, int], T]) -> dict[tuple[int, int], T]:
            return {(position[u], position[v]): value for (u, v), value in pairs.items()}

        return ArcDetails(
            gain=move(self.gain),
            reversal_gain=move(self.reversal_gain),
            averaged_gain=move(self.averaged_gain),
            averaged_reversal_gain=move(self.averaged_reversal_gain),
            level=move(self.level),
            score_with=move(self.score_with),
            bases=tuple(
                {position[v]: Base(tuple(position[u] for u in base.parents), base.score) for v, base in level.items()}
                for level in self.bases
            ),
            max_parents=self.max_parents[order],
            forbidden=renumber(self.forbidden),
            required=renumber(self.required),
            connecting=frozenset((position[u], position[v]) for u, v in self.connecting),
            extra_prices=renumber(self.extra_prices),
            associations=renumber(self.associations),
        )

    def check(self, variables: int) -> None:
        """Refuse sizes and numbers that do not fit the variables, and levels without a base."""
        matrices = (self.gain, self.reversal_gain, self.averaged_gain, self.averaged_reversal_gain, self.level)
        if any(each is not None and len(each) != variables for each in (*matrices, self.score_with, self.max_parents)):
            raise ValueError("arc_details has another size than variables")
        pairs = dict.fromkeys(self.connecting)
        check_below(variables, self.forbidden, self.required, pairs, self.extra_prices, self.associations)
        for v, base in (each for level in self.bases for each in level.items()):
            if max((v, *base.parents)) >= variables:
                raise ValueError("the number of a variable is out of range")
        if (self.level is None) != (self.score_with is None):
            raise ValueError("level and score_with do not fit each other")
        if self.level is None or self.score_with is None:
            return
        pruned = (self.level > ALLOWED) & (self.level < FORBIDDEN)
        if np.isnan(self.score_with[pruned]).any():
            raise ValueError("score_with lacks an arc that was pruned")
        heads = np.broadcast_to(np.arange(variables), self.level.shape)[pruned]
        for m, v in {*zip(self.level[pruned].tolist(), heads.tolist(), strict=True)}:
            if m > len(self.bases) or v not in self.bases[m - 1]:
                raise ValueError(f"variable {v} has no base at level {m}")


@dataclass(frozen=True)
class ArcExplainer:
    """What is needed to explain any arc of a learned DAG."""

    details: ArcDetails
    dag: DAG
    tier_of: Mapping[str, int]
    averaging: bool
    stop_reason: StopReason
    unit: str
    data_ties: bool = True  # between equal averages the higher plain score decides
    arc_price: float = 0.0  # per arc, subtracted by the search
    bonuses: Mapping[tuple[str, str], float] = field(default_factory=dict)  # what beliefs add for an arc
    left_out: Mapping[frozenset[str], str] = field(default_factory=dict)  # why, for pairs a relative price left out
    degree: int | None = None  # of the functions of numbers
    directed: Mapping[frozenset[str], str] = field(default_factory=dict)  # which experiments tell a direction
    reversible: frozenset[frozenset[str]] = frozenset()  # pairs whose direction data and knowledge leave open

    def explain(self, tail: str, head: str) -> Explanation:
        """Why `tail` -> `head` is in the graph, or why it is not."""
        u, v = self.dag.index(tail), self.dag.index(head)
        if u == v:
            sentence = f"{tail} -> {head}: a variable cannot be its own parent."
            return Explanation(tail, head, False, "forbidden", sentence, {})
        reason = self._find_reason(u, v)
        if frozenset((tail, head)) in self.reversible:
            reason = self._say_either_way(u, v, reason)
        if (told := self.directed.get(frozenset((tail, head)))) is not None:
            reason = Reason(reason.kind, f"{reason.text}; {told}", reason.numbers)
        present = reason.kind in ("present", "required")
        if (tail, head) in self.bonuses:
            reason = self._tell_belief(u, v, reason, present)
        if not present and (why := self.left_out.get(frozenset((tail, head)))) is not None:
            reason = Reason(reason.kind, f"{reason.text}; {why}", reason.numbers)
        where = "is in the graph" if present else "is not in the graph"
        return Explanation(
            tail, head, present, reason.kind, f"{tail} -> {head} {where}: {reason.text}.", reason.numbers
        )

    def _say_either_way(self, u: int, v: int, reason: Reason) -> Reason:
        """The reason with what comes first: that the direction of the arc between the two is open."""
        if u in self.dag.parent_sets[v]:
            return Reason(reason.kind, f"it {EITHER_WAY}; {reason.text}", reason.numbers)
        there = f"the arc {self.dag.names[v]} -> {self.dag.names[u]} is, and {EITHER_WAY}"
        text = reason.text.removesuffix(f"; {self._opposite(u, v)}").removeprefix(f"{self._opposite(u, v)}, and ")
        if reason.kind == "pruned":
            text = f"this direction was {text}, which kept the search from adding it but does not rule it out"
        return Reason(reason.kind, f"{there}; {text}", reason.numbers)

    def _opposite(self, u: int, v: int) -> str:
        return f"the arc {self.dag.names[v]} -> {self.dag.names[u]} is there instead"

    def _find_reason(self, u: int, v: int) -> Reason:
        details, parents = self.details, self.dag.parent_sets
        if u in parents[v]:
            reason = self._explain_present(u, v)
            return self._say_association(u, v, reason) if (u, v) in details.associations else reason
        if (u, v) in details.forbidden:
            return Reason("forbidden", details.forbidden[u, v], {})
        opposite = self._opposite(u, v) if v in parents[u] else ""
        if details.level is not None and 0 < details.level[u, v] < FORBIDDEN:
            kind, text, numbers = self._explain_pruned(u, v)
            return Reason(kind, f"{text}; {opposite}" if opposite else text, numbers)
        obstacle = self._find_obstacle(u, v)
        if opposite and obstacle is not None:
            return Reason("opposite", f"{opposite}, and reversing it is not legal: {obstacle.text}", {})
        return self._explain_reversal(u, v, opposite) if opposite else obstacle or self._explain_legal(u, v)

    def _explain_present(self, u: int, v: int) -> Reason:
        gain = float(self.details.gain[u, v])
        numbers = {"strength": -gain}
        text = f"removing it would {change(gain, 'the score', self.unit)}"
        if (u, v) in self.details.required:
            return Reason("required", f"{self.details.required[u, v]}; {text}", numbers)
        averaged = _known(self.details.averaged_gain, u, v)
        if averaged is not None:
            numbers["averaged_gain"] = averaged
            text += f" and {change(averaged, 'the averaged score', self.unit)}"
        if (u, v) in self.details.connecting:
            text = f"it connects parts that learning left unconnected (all variables are relevant); {text}"
        return Reason("present", text, numbers)

    def _say_association(self, u: int, v: int, reason: Reason) -> Reason:
        """The reason with the direction in which the head changes with the tail."""
        correlation, explained = self.details.associations[u, v]
        tail, head = self.dag.names[u], self.dag.names[v]
        numbers = {**reason.numbers, "correlation": correlation, "explained": explained}
        known = f"{correlation:.2f}" + (" given its other parents" if len(self.dag.parent_sets[v]) > 1 else "")
        way, measure = "rises with" if correlation > 0 else "falls with", f"correlation {known}"
        if self.degree is not None:
            numbers["degree"] = self.degree
            measure = f"rank correlation {known}, degree {self.degree}"
            if correlation**2 < MOSTLY * explained:
                way = "neither rises nor falls throughout with"
        text = f"{head} {way} {tail} ({measure})"
        return Reason(reason.kind, f"{reason.text}; {text}", numbers)

    def _explain_pruned(self, u: int, v: int) -> Reason:
        assert self.details.level is not None
        assert self.details.score_with is not None
        names = self.dag.names
        level = int(self.details.level[u, v])
        base = self.details.bases[level - 1][v]
        listed = "{" + ", ".join(sorted(names[i] for i in base.parents)) + "}"
        parents = f"with parents {listed}" if base.parents else "without parents"
        with_it = float(self.details.score_with[u, v])
        only = "only " if with_it <= base.score else ""
        text = (
            f"pruned at level {level}: {names[v]} scores {base.score:,.4f} {self.unit} {parents}, with "
            f"{names[u]} added {only}{with_it:,.4f}{self._compare_with_price(with_it - base.score, u, v)}"
        )
        return Reason("pruned", text, {"level": float(level), "base_score": base.score, "score": with_it})

    @cached_property
    def _graph(self) -> Legality:
        arcs = [(a, b) for b, mine in enumerate(self.dag.parent_sets) for a in mine]
        return Legality(Constraints.of_tiers(self.dag.names, self.tier_of, self.details.max_parents), arcs)

    def _find_obstacle(self, u: int, v: int) -> Reason | None:
        """Why it is illegal to add u -> v (or to reverse v -> u); None where it is legal."""
        graph = self._graph
        obstacle = graph.why_not_reverse(v, u) if graph.has(v, u) else graph.why_not_add(u, v)
        if obstacle is None:
            return None
        limit = {"limit": float(self.details.max_parents[v])} if obstacle.kind is ObstacleKind.IN_DEGREE else {}
        return Reason(OBSTACLES[obstacle.kind], obstacle.text, limit)

    def _explain_reversal(self, u: int, v: int, opposite: str) -> Reason:
        gain = float(self.details.reversal_gain[v, u])
        if np.isnan(gain):
            return Reason("opposite", f"{opposite}, and reversing it was not examined", {})
        numbers = {"reversal_gain": gain}
        text = f"{opposite}, and reversing it would {change(gain, 'the score', self.unit)}"
        averaged = _known(self.details.averaged_reversal_gain, v, u)
        if averaged is not None:
            numbers["averaged_reversal_gain"] = averaged
            text += f" and {change(averaged, AVERAGED, self.unit)}"
        return Reason("opposite", text, numbers)

    def _explain_legal(self, u: int, v: int) -> Reason:
        gain = float(self.details.gain[u, v])
        if np.isnan(gain):
            early = f"{self.stop_reason.words} before it was examined"
            return Reason("unexamined", early if self.stop_reason.early else "the algorithm did not consider it", {})
        numbers = {"gain": gain}
        text = change(gain, "the score", self.unit)
        averaged = _known(self.details.averaged_gain, u, v)
        if averaged is not None:
            numbers["averaged_gain"] = averaged
            text += f" and {change(averaged, AVERAGED, self.unit)}"
        if self.stop_reason.early and self._may_improve(gain, averaged, u, v):
            end = f"{self.stop_reason.words} before the search decided on it"
            return Reason("stopped", f"it is legal and would {text}; {end}", numbers)
        if averaged is None and round(gain - self._price(u, v), 4) > 0:
            return Reason("not_chosen", f"it is legal and would {text}, but the search did not reach it", numbers)
        price = self._compare_with_price(gain, u, v) if averaged is None else ""
        return Reason("not_improving", f"it is legal, but adding it would {text}{price}", numbers)

    def _tell_belief(self, u: int, v: int, reason: Reason, present: bool) -> Reason:
        """The reason with what beliefs add or take, and whether that decided."""
        bonus, lost = self._bonus(u, v), self.decided_by_belief(u, v)
        join, added = "; " if lost is None else ", but ", "add" if bonus > 0 else "take"
        text = f"{reason.text}{join}beliefs {added} {amount(abs(bonus), self.unit)}"
        if lost is not None:
            text += f", without which the arc would {'lose' if present else 'gain'} {amount(lost, self.unit)}"
        return Reason(reason.kind, text, {**reason.numbers, "belief": bonus})

    def decided_by_belief(self, u: int, v: int) -> float | None:
        """Without beliefs, what an arc of the graph would lose or one that is not there would gain; else None."""
        gain, present = float(self.details.gain[u, v]), u in self.dag.parent_sets[v]
        if np.isnan(gain) or (u, v) in self.details.required or (u, v) in self.details.forbidden:
            return None
        if v in self.dag.parent_sets[u]:  # then the question is one of direction
            return None
        price = self._price(u, v) + self._bonus(u, v)
        found = price + gain if present else gain - price
        return found if round(found, 4) > 0 and (present or self._find_obstacle(u, v) is None) else None

    def _bonus(self, u: int, v: int) -> float:
        return self.bonuses.get((self.dag.names[u], self.dag.names[v]), 0.0)

    def _price(self, u: int, v: int) -> float:
        return self.arc_price + self.details.extra_prices.get((u, v), 0.0)

    def _compare_with_price(self, gain: float, u: int, v: int) -> str:
        """That a gain is worth less than the price of the arc, where there is one and a gain."""
        price = self._price(u, v)
        if not price or gain <= 0:
            return ""
        which = "for this arc" if (u, v) in self.details.extra_prices else "per arc"
        return f", which is not more than the price of {amount(price, self.unit)} {which}"

    def _may_improve(self, gain: float, averaged: float | None, u: int, v: int) -> bool:
        if averaged is None:
            return self.averaging or gain > self._price(u, v)
        if self.data_ties and abs(averaged) <= 1e-12 * abs(gain) + 1e-9:
            return gain > 0
        return averaged > 0


def _known(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None, u: int, v: int) -> float | None:
    return None if values is None or np.isnan(values[u, v]) else float(values[u, v])
