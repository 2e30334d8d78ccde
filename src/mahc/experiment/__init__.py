"""Experiments: a plan of cells, each run in its own process, kept in a store, and reported."""
