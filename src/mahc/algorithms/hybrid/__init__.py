"""Algorithms that first measure dependence, then search by score."""
