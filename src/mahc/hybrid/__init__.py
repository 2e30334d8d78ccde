"""Algorithms that first ask what depends on what, then search by score."""
