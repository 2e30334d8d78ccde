"""Graphs and networks in and out of files, one format a file."""

from __future__ import annotations

from mahc.formats.graph_format import FORMATS, GraphFormat
from mahc.formats.graphs import format_graph, graph_suffixes, read_dag, read_graph, write_graph

__all__ = ["FORMATS", "GraphFormat", "format_graph", "graph_suffixes", "read_dag", "read_graph", "write_graph"]
