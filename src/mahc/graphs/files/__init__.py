"""Graphs in files, one format per module.

A new format is a file here with a registered subclass of GraphFormat, and its name in the first import.
"""

from __future__ import annotations

from mahc.graphs.files import adjacency, arcs_csv, bayesys, dagitty, dot, graph_json, graphml, tetrad  # noqa: F401
from mahc.graphs.files.graph_files import format_graph, graph_suffixes, read_dag, read_graph, write_graph
from mahc.graphs.files.graph_format import GRAPH_FORMATS, GraphFormat

__all__ = ["GRAPH_FORMATS", "GraphFormat", "format_graph", "graph_suffixes", "read_dag", "read_graph", "write_graph"]
