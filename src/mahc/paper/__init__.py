"""The report of an experiment: the paper's tables and figures from our rows, the paper's numbers beside them."""

from __future__ import annotations

from mahc.paper.outline import Contestant, NetworkFacts, Outline
from mahc.paper.results import Experiment, Results
from mahc.paper.writing import report_files, write_report

__all__ = ["Contestant", "Experiment", "NetworkFacts", "Outline", "Results", "report_files", "write_report"]
