"""Adjustment sets, front-door sets and instruments: what identifies an effect in a graph.

The criterion is in `criterion.py`, minimal sets are in `separators.py`, and `sets.py` puts both together.
"""
