"""Why each possible arc is in the graph or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.graphs import DAG
from mahc.search.pruning import BARRED, Base, Pruning

MOST_PAIRS_KEPT = 1_000_000  # about 1,000 variables; beyond that a saved result asks for the data again


@dataclass(frozen=True)
class Explanation:
    """The reason for one possible arc: a kind for programs, a sentence for people, the numbers behind it."""

    tail: str
    head: str
    present: bool
    kind: str  # present, required, barred, pruned, opposite, cycle, full, not_improving, stopped, unexamined
    sentence: str
    numbers: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Ledger:
    """What the search knew of every ordered pair when it ended; [u, v] speaks of the arc u -> v.

    `gain`: what adding (or, where present, deleting) it would do to the own score; NaN where nobody asked.
    `turn`: what reversing it would do, where that was legal. `averaged_gain`, `averaged_turn`: the same for the
    averaged score. `barred`: the constraint that rules it out or in.
    """

    gain: NDArray[np.float64]
    turn: NDArray[np.float64]
    averaged_gain: NDArray[np.float64] | None
    averaged_turn: NDArray[np.float64] | None
    level: NDArray[np.uint8] | None
    score_with: NDArray[np.float64] | None
    bases: tuple[dict[int, Base], ...]
    limit: NDArray[np.int32]
    barred: Mapping[tuple[int, int], str]
    required: Mapping[tuple[int, int], str]

    def reordered(self, place: Sequence[int]) -> Ledger:
        """The same with variable i of the search standing at `place[i]`."""
        to = np.argsort(np.asarray(place))
        grid = np.ix_(to, to)

        def move(array: NDArray[Any] | None) -> Any:
            return None if array is None else np.ascontiguousarray(array[grid])

        def moved(pairs: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], str]:
            return {(place[u], place[v]): text for (u, v), text in pairs.items()}

        return Ledger(
            move(self.gain),
            move(self.turn),
            move(self.averaged_gain),
            move(self.averaged_turn),
            move(self.level),
            move(self.score_with),
            tuple(
                {place[v]: Base(tuple(place[u] for u in base.parents), base.score) for v, base in level.items()}
                for level in self.bases
            ),
            self.limit[to],
            moved(self.barred),
            moved(self.required),
        )

    def explain(self, dag: DAG, tail: str, head: str, stop_reason: str) -> Explanation:
        """Why `tail` -> `head` is in the graph, or why it is not."""
        u, v = dag.index(tail), dag.index(head)
        if u == v:
            return Explanation(tail, head, False, "barred", f"{tail} -> {head}: no variable is its own parent.", {})
        kind, text, numbers = self._judge(dag, u, v, stop_reason)
        present = kind in ("present", "required")
        where = "is in the graph" if present else "is not in the graph"
        return Explanation(tail, head, present, kind, f"{tail} -> {head} {where}: {text}.", numbers)

    def _judge(self, dag: DAG, u: int, v: int, stop_reason: str) -> tuple[str, str, dict[str, float]]:
        parents = dag.parent_sets
        if u in parents[v]:
            return self._judge_present(u, v)
        if (u, v) in self.barred:
            return "barred", self.barred[u, v], {}
        opposite = v in parents[u]
        if self.level is not None and 0 < self.level[u, v] < BARRED:
            return self._judge_pruned(dag, u, v, opposite)
        if opposite:
            return self._judge_opposite(dag, u, v)
        path = find_path(parents, v, u)
        if path is not None:
            shown = " -> ".join(dag.names[i] for i in path)
            return "cycle", f"it would close a cycle with {shown}", {}
        if len(parents[v]) >= self.limit[v]:
            return (
                "full",
                f"{dag.names[v]} has {len(parents[v])} parents, its most",
                {"limit": float(self.limit[v])},
            )
        return self._judge_legal(u, v, stop_reason)

    def _judge_present(self, u: int, v: int) -> tuple[str, str, dict[str, float]]:
        strength = -float(self.gain[u, v])
        text = f"removing it would cost {strength:.4f} of score"
        if strength < 0:
            text = f"removing it would gain {-strength:.4f} of score"
        if (u, v) in self.required:
            return "required", f"{self.required[u, v]}; {text}", {"strength": strength}
        if self.averaged_gain is not None and not np.isnan(self.averaged_gain[u, v]):
            text += f" and change the averaged score by {self.averaged_gain[u, v]:+.4f}"
        return "present", text, {"strength": strength}

    def _judge_pruned(self, dag: DAG, u: int, v: int, opposite: bool) -> tuple[str, str, dict[str, float]]:
        assert self.level is not None
        assert self.score_with is not None
        level = int(self.level[u, v])
        base = self.bases[level - 1][v]
        parents = "{" + ", ".join(sorted(dag.names[i] for i in base.parents)) + "}"
        with_it = float(self.score_with[u, v])
        text = (
            f"pruned at level {level}: {dag.names[v]} with parents {parents} scores {base.score:.4f}, with "
            f"{dag.names[u]} as well only {with_it:.4f}"
        )
        if opposite:
            text += f"; the arc {dag.names[v]} -> {dag.names[u]} is there instead"
        return "pruned", text, {"level": float(level), "base_score": base.score, "score": with_it}

    def _judge_opposite(self, dag: DAG, u: int, v: int) -> tuple[str, str, dict[str, float]]:
        text = f"the arc {dag.names[v]} -> {dag.names[u]} is there instead"
        if (v, u) in self.required:
            return "opposite", f"{text} ({self.required[v, u]})", {}
        turn = float(self.turn[v, u])
        if np.isnan(turn):
            return (
                "opposite",
                f"{text}, and turning it round is not legal (a cycle or an in-degree limit)",
                {},
            )
        text += f", and turning it round would change the score by {turn:+.4f}"
        if self.averaged_turn is not None and not np.isnan(self.averaged_turn[v, u]):
            text += f" and the averaged score by {self.averaged_turn[v, u]:+.4f}"
        return "opposite", text, {"turn": turn}

    def _judge_legal(self, u: int, v: int, stop_reason: str) -> tuple[str, str, dict[str, float]]:
        gain = float(self.gain[u, v])
        if np.isnan(gain):
            return "unexamined", f"the search ended ({stop_reason}) before it was examined", {}
        numbers = {"gain": gain}
        text = f"legal, and it would change the score by {gain:+.4f}"
        deciding = gain
        if self.averaged_gain is not None and not np.isnan(self.averaged_gain[u, v]):
            deciding = float(self.averaged_gain[u, v])
            numbers["averaged_gain"] = deciding
            text += f" and the averaged score, which decides, by {deciding:+.4f}"
        if deciding > 0 and stop_reason != "converged":
            return "stopped", f"{text}; the search ended ({stop_reason}) before taking it", numbers
        return "not_improving", f"{text}: no improvement", numbers


def find_path(parents: Sequence[Sequence[int]], start: int, goal: int) -> list[int] | None:
    """A shortest directed path from start to goal, or None."""
    before = {goal: goal}
    layer = [goal]
    while layer and start not in before:
        following = []
        for node in layer:
            for parent in parents[node]:
                if parent not in before:
                    before[parent] = node
                    following.append(parent)
        layer = following
    if start not in before or start == goal:
        return None
    path = [start]
    while path[-1] != goal:
        path.append(before[path[-1]])
    return path


def pruning_columns(
    pruning: Pruning | None,
) -> tuple[NDArray[np.uint8] | None, NDArray[np.float64] | None, tuple[dict[int, Base], ...]]:
    """The parts of a pruning that the ledger keeps."""
    return (None, None, ()) if pruning is None else (pruning.level, pruning.score, pruning.bases)
