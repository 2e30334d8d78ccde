"""DAGs, mixed graphs, and conversions between DAG, CPDAG, MAG and PAG.

The conversions are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mahc.graphs.dag import DAG
from mahc.graphs.marks import Edge, Mark
from mahc.graphs.mixed import MixedGraph
from mahc.on_demand import load_on_demand

if TYPE_CHECKING:
    from mahc.graphs.adjustment.sets import AdjustmentSets, Instrument
    from mahc.graphs.conversions.cpdag import dag_to_cpdag
    from mahc.graphs.conversions.extension import cpdag_to_dag
    from mahc.graphs.conversions.mag import check_mag, dag_to_mag, mag_to_dag
    from mahc.graphs.conversions.pag import dag_to_pag, mag_to_pag, pag_to_mag
    from mahc.graphs.exchange import (
        from_causal_learn,
        from_dagitty,
        from_modelstring,
        from_pcalg,
        to_causal_learn,
        to_dagitty,
        to_modelstring,
        to_pcalg,
    )
else:
    __getattr__, __dir__ = load_on_demand(
        __name__,
        {
            "AdjustmentSets": "mahc.graphs.adjustment.sets",
            "Instrument": "mahc.graphs.adjustment.sets",
            "check_mag": "mahc.graphs.conversions.mag",
            "cpdag_to_dag": "mahc.graphs.conversions.extension",
            "dag_to_cpdag": "mahc.graphs.conversions.cpdag",
            "dag_to_mag": "mahc.graphs.conversions.mag",
            "dag_to_pag": "mahc.graphs.conversions.pag",
            "from_causal_learn": "mahc.graphs.exchange",
            "from_dagitty": "mahc.graphs.exchange",
            "from_modelstring": "mahc.graphs.exchange",
            "from_pcalg": "mahc.graphs.exchange",
            "mag_to_dag": "mahc.graphs.conversions.mag",
            "mag_to_pag": "mahc.graphs.conversions.pag",
            "pag_to_mag": "mahc.graphs.conversions.pag",
            "to_causal_learn": "mahc.graphs.exchange",
            "to_dagitty": "mahc.graphs.exchange",
            "to_modelstring": "mahc.graphs.exchange",
            "to_pcalg": "mahc.graphs.exchange",
        },
    )

__all__ = [
    "AdjustmentSets",
    "DAG",
    "Edge",
    "Instrument",
    "Mark",
    "MixedGraph",
    "check_mag",
    "cpdag_to_dag",
    "dag_to_cpdag",
    "dag_to_mag",
    "dag_to_pag",
    "from_causal_learn",
    "from_dagitty",
    "from_modelstring",
    "from_pcalg",
    "mag_to_dag",
    "mag_to_pag",
    "pag_to_mag",
    "to_causal_learn",
    "to_dagitty",
    "to_modelstring",
    "to_pcalg",
]
