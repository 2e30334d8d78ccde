"""Learning a graph from data with missing values; docs/explanation/missing.md describes the methods."""
