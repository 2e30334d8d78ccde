"""What a DAG implies: an independence for each pair that is not adjacent, a dependence for each arc."""

from __future__ import annotations

from collections.abc import Iterator

from mahc.graphs import DAG
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.names import rank_by_name
from mahc.graphs.separation import MSeparation

Question = tuple[int, int, tuple[int, ...]]  # two variables, and the conditions


def implied_independences(dag: DAG, basis: str) -> Iterator[Question]:
    """For each pair that is not adjacent, the earlier one, the later one, and a set that separates them."""
    separation = MSeparation(dag.parent_bitsets, dag.child_bitsets, (0,) * len(dag.names), (0,) * len(dag.names))
    rank = rank_by_name(dag.names)
    for place, later in enumerate(dag.order):
        parents = dag.parent_bitsets[later]
        for earlier in dag.order[:place]:
            if parents >> earlier & 1:
                continue
            given = parents
            if basis == "separators":
                for v in sorted(members(parents), key=rank.__getitem__):
                    if not separation.connected(1 << earlier, 1 << later, given & ~(1 << v)):
                        given &= ~(1 << v)
            yield earlier, later, tuple(sorted(members(given), key=rank.__getitem__))


def needed_arcs(dag: DAG) -> Iterator[Question]:
    """Each arc, given the other parents of its head."""
    rank = rank_by_name(dag.names)
    for child in dag.order:
        parents = sorted(dag.parent_sets[child], key=rank.__getitem__)
        for parent in parents:
            others = to_bitset(parents) & ~(1 << parent)
            yield parent, child, tuple(sorted(members(others), key=rank.__getitem__))
