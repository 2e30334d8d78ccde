"""Bayesian networks in files, one format per module."""
