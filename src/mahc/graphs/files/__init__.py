"""Graphs and networks in and out of files, one format a file."""

from __future__ import annotations

from mahc.graphs.files.graph_files import format_graph, graph_suffixes, read_dag, read_graph, write_graph
from mahc.graphs.files.graph_format import FORMATS, GraphFormat

__all__ = ["FORMATS", "GraphFormat", "format_graph", "graph_suffixes", "read_dag", "read_graph", "write_graph"]
