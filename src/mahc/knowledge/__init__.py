"""What the user knows about the graph: required, forbidden and ordered arcs, and whether an arc is legal."""

from mahc.knowledge.knowledge import Knowledge

__all__ = ["Knowledge"]
