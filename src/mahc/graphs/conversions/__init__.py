"""Conversions between DAG, CPDAG, MAG and PAG."""
