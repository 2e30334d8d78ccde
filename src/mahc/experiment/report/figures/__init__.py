"""The paper's figures, one file each, computed from rows."""

from __future__ import annotations

from mahc.experiment.report.figures.ablation import ablation_figure, ablation_seconds_figure
from mahc.experiment.report.figures.discrepancy import discrepancy_figure
from mahc.experiment.report.figures.figure import Figure
from mahc.experiment.report.figures.pruning import pruning_figure
from mahc.experiment.report.figures.relative import relative_figure
from mahc.experiment.report.figures.runtime import cumulative_figure, total_figure

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
