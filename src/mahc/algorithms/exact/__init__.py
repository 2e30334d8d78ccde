"""Exact learning: the best graph there is, or the best found with how much better one could be."""

from mahc.algorithms.exact.exact import Exact

__all__ = ["Exact"]
