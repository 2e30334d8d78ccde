"""Knowledge that the orientation rules cannot take into account."""

from __future__ import annotations

from mahc.errors import KnowledgeError
from mahc.graphs import Mark, MixedGraph
from mahc.knowledge.constraints import Constraints


def refuse_path_to_earlier_tier(algorithm: str, graph: MixedGraph, constraints: Constraints) -> None:
    """Raise KnowledgeError for a directed path of the PAG that leads to an earlier tier.

    The rules check single arcs; a path through variables in no tier may still lead back.
    """
    if not constraints.tier_of:
        return
    back = constraints.tier_order.find_path_back(graph.where(Mark.ARROW, Mark.TAIL))
    if back is not None:
        late, early = constraints.names[back[0]], constraints.names[back[-1]]
        raise KnowledgeError(
            f"{algorithm} found a directed path from {late} to {early}, which is in an earlier tier, through variables "
            "that are in no tier: put all variables into tiers"
        )
