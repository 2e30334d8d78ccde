"""DAGs, mixed graphs, and conversions between DAG, CPDAG, MAG and PAG."""

from __future__ import annotations

from mahc.graphs.conversions.cpdag import dag_to_cpdag
from mahc.graphs.conversions.extension import cpdag_to_dag
from mahc.graphs.conversions.mag import check_mag, dag_to_mag, mag_to_dag
from mahc.graphs.conversions.pag import dag_to_pag, mag_to_pag, pag_to_mag
from mahc.graphs.dag import DAG
from mahc.graphs.marks import Edge, Mark
from mahc.graphs.mixed import MixedGraph

__all__ = [
    "DAG",
    "Edge",
    "Mark",
    "MixedGraph",
    "check_mag",
    "cpdag_to_dag",
    "dag_to_cpdag",
    "dag_to_mag",
    "dag_to_pag",
    "mag_to_dag",
    "mag_to_pag",
    "pag_to_mag",
]
