"""DAGs, graphs with end marks, and the ways between DAG, CPDAG, MAG and PAG."""

from __future__ import annotations

from mahc.graphs.cpdag import dag_to_cpdag
from mahc.graphs.dag import DAG
from mahc.graphs.extension import cpdag_to_dag
from mahc.graphs.marks import Edge, Mark
from mahc.graphs.mixed import MixedGraph

__all__ = ["DAG", "Edge", "Mark", "MixedGraph", "cpdag_to_dag", "dag_to_cpdag"]
