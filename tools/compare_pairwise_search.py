"""Our scores for incomplete rows beside the search of Liu and Constantinou (2022): mean F1 of hill climbing.

    python tools/compare_pairwise_search.py --sizes 1000 10000 --seeds 1 2 3

Their HC-pairwise and HC-aIPW compare the two graphs of a move on the rows that are complete in all families that the
move changes, and never return to an earlier graph. This is a slow program of them after their paper; ties go to the
first move in the order of the columns. The weights of HC-aIPW are those of `missing="weighted"`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.engine.incomplete import LOG_STEPS
from mahc.graphs import DAG, dag_to_cpdag
from mahc.learn import learn
from mahc.learning.incomplete.weights import weigh_rows
from mahc.measures.comparison import compare
from mahc.networks import load_network, simulate
from mahc.networks.noise import parse_noise

Parents = frozenset[int]


class MoveScores:
    """BIC of families on the rows that are complete in some variables, weighted where HC-aIPW weights."""

    def __init__(self, data: Dataset, weighted: bool) -> None:
        self.data = data
        self._weights = weigh_rows(data) if weighted else None
        self._missing = [data.columns[v].missing for v in range(len(data.names))]
        self._sizes = [len(labels) for labels in data.labels]
        self._rows: dict[Parents, tuple[NDArray[np.intp], NDArray[np.float64] | None]] = {}
        self._known: dict[tuple[int, Parents, Parents], float] = {}

    def change(self, families: list[tuple[int, Parents, Parents]]) -> float:
        """By how much a move from the first to the second parents of each family raises the score."""
        within = frozenset(
            v for child, old, new in families for v in (child, *old, *new) if self.data.missing_counts[v]
        )
        return sum(self._score(child, new, within) - self._score(child, old, within) for child, old, new in families)

    def _score(self, child: int, parents: Parents, within: Parents) -> float:
        key = (child, parents, within)
        if key not in self._known:
            rows, weights = self._select(within)
            configurations = 1
            code = np.zeros(len(rows), np.int64)
            for p in sorted(parents):
                code = code * self._sizes[p] + self.data.discrete[p].codes[rows]
                configurations *= self._sizes[p]
            occurring, place = np.unique(code, return_inverse=True)
            cells = place.ravel() * self._sizes[child] + self.data.discrete[child].codes[rows]
            counts = np.bincount(cells, weights, len(occurring) * self._sizes[child]).astype(np.float64)
            sums = counts.reshape(-1, self._sizes[child]).sum(axis=1)
            likelihood = sum(float((n[n > 0] * np.log(n[n > 0])).sum()) * sign for n, sign in ((counts, 1), (sums, -1)))
            penalty = 0.5 * np.log(max(1, len(rows))) * (self._sizes[child] - 1) * configurations
            self._known[key] = likelihood - float(penalty)
        return self._known[key]

    def _select(self, within: Parents) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
        if within not in self._rows:
            lost = np.zeros(self.data.rows, np.bool_)
            for v in within:
                lost |= self._missing[v]
            rows = np.flatnonzero(~lost)
            self._rows[within] = rows, self._weigh(within, rows)
        return self._rows[within]

    def _weigh(self, within: Parents, rows: NDArray[np.intp]) -> NDArray[np.float64] | None:
        if self._weights is None:
            return None
        logs = {v: mine for v in within if (mine := self._weights.logs[v]) is not None}
        causes = {cause for v in logs for cause in self._weights.causes[v]}
        if not logs or any(self.data.missing_counts[cause] and cause not in within for cause in causes):
            return None
        total = np.sum([mine[rows] for mine in logs.values()], axis=0) / LOG_STEPS
        found: NDArray[np.float64] = np.exp2(np.clip(total, -5, 5))
        found *= len(found) / found.sum()
        return found


def climb(scores: MoveScores) -> DAG:
    """Hill climbing from the empty graph, by the best move that leads to a graph not seen before."""
    n = len(scores.data.names)
    parents: list[Parents] = [frozenset()] * n
    seen = {tuple(parents)}
    known: dict[tuple[tuple[int, Parents, Parents], ...], float] = {}
    while True:
        moves = []
        for u in range(n):
            for v in range(n):
                if u == v or u in parents[v]:
                    continue
                move = [(v, parents[v], parents[v] | {u})]
                if v in parents[u]:  # the arc v -> u is reversed, or removed
                    removal = (u, parents[u], parents[u] - {v})
                    moves.append([removal])
                    move.append(removal)
                moves.append(move)
        for move in moves:
            if tuple(move) not in known:
                known[tuple(move)] = scores.change(move)
        for move in sorted(moves, key=lambda move: -known[tuple(move)]):
            if known[tuple(move)] <= 1e-9:
                return DAG.from_parents(scores.data.names, [sorted(mine) for mine in parents])
            found = list(parents)
            for child, _, new in move:
                found[child] = new
            if tuple(found) not in seen and _acyclic(found):
                parents = found
                seen.add(tuple(found))
                break
        else:
            return DAG.from_parents(scores.data.names, [sorted(mine) for mine in parents])


def _acyclic(parents: list[Parents]) -> bool:
    left = set(range(len(parents)))
    while free := {v for v in left if not parents[v] & left}:
        left -= free
    return not left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=["alarm", "insurance", "child"])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--noises", nargs="+", default=["mar:0.3", "mnar:0.3"])
    given = parser.parse_args()
    found: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for rows in given.sizes:
        for noise in given.noises:
            for name in given.networks:
                for seed in given.seeds:
                    made = simulate(load_network(name), rows, seed, parse_noise(noise))
                    for method in ("pairwise", "weighted"):
                        ours = learn(made.data, "hc", threads=1, missing=method).pattern
                        theirs = dag_to_cpdag(climb(MoveScores(made.data.state_as_missing(), method == "weighted")))
                        for who, graph in (("ours", ours), ("theirs", theirs)):
                            found[f"{who}, {method}", noise, rows].append(float(compare(graph, made.truth())["f1"]))
            for who in dict.fromkeys(key[0] for key in found):
                print(f"{rows:,} rows, {noise}, {who}: {np.mean(found[who, noise, rows]):.3f}", flush=True)


if __name__ == "__main__":
    main()
