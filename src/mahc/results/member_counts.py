"""Counts of the edges of many DAGs and of their CPDAGs, made at once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mahc.engine import _native
from mahc.graphs import DAG
from mahc.graphs.edge_counts import EdgeCounts, count_arcs
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.connecting import parents_of
from mahc.learning.experiments import ExperimentsRecord
from mahc.results.outcomes.dag import find_pattern

Arcs = tuple[tuple[int, int], ...]


def count_members(
    names: tuple[str, ...],
    weights: Mapping[Arcs, int],
    knowledge: Knowledge,
    experiments: ExperimentsRecord | None = None,
) -> tuple[EdgeCounts, EdgeCounts]:
    """The counts of the edges of DAGs, given by their sorted arcs with weights, and of those of their CPDAGs.

    >>> graphs, patterns = count_members(("a", "b"), {((0, 1),): 2, (): 1}, Knowledge())
    >>> graphs.counts, patterns.counts
    ({(0, 1): {'-->': 2}}, {(0, 1): {'---': 2}})
    """
    total = sum(weights.values())
    sizes = [len(arcs) for arcs in weights]
    flat = np.array([arc for arcs in weights for arc in arcs], np.int64).reshape(-1, 2)
    tails, heads = np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1])
    times = np.repeat(np.array([*weights.values()], np.int64), sizes)
    graphs = count_arcs(names, total, tails, heads, times)
    if not knowledge.empty or experiments is not None:  # they may direct edges
        patterns = EdgeCounts(names)
        for arcs, weight in weights.items():
            dag = DAG.from_parents(names, parents_of(len(names), arcs))
            patterns.add(find_pattern(dag, knowledge, experiments), weight)
        return graphs, patterns
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    compelled = _native.find_compelled(offsets, tails.astype(np.int32), heads.astype(np.int32), len(names))
    return graphs, count_arcs(names, total, tails, heads, times, compelled == 0)
