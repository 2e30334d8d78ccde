"""Exact learning: the best graph, or the best found with a bound on how much better one could be."""
