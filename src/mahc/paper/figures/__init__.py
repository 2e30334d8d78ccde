"""The paper's figures, one file each, computed from rows."""

from __future__ import annotations

from mahc.paper.figures.ablation import ablation_figure, ablation_seconds_figure
from mahc.paper.figures.discrepancy import discrepancy_figure
from mahc.paper.figures.figure import Figure
from mahc.paper.figures.pruning import pruning_figure
from mahc.paper.figures.relative import relative_figure
from mahc.paper.figures.runtime import cumulative_figure, total_figure

__all__ = [
    "Figure",
    "ablation_figure",
    "ablation_seconds_figure",
    "cumulative_figure",
    "discrepancy_figure",
    "pruning_figure",
    "relative_figure",
    "total_figure",
]
