"""What the user knows about the graph, and which arcs it allows: `legality` decides on every move."""

from mahc.knowledge.knowledge import Knowledge

__all__ = ["Knowledge"]
