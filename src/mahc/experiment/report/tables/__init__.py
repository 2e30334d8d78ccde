"""The paper's tables, one file each, computed from rows."""

from __future__ import annotations

from mahc.experiment.report.tables.networks import networks_table
from mahc.experiment.report.tables.normalised import normalised_table
from mahc.experiment.report.tables.phases import phase_seconds_table, phases_table
from mahc.experiment.report.tables.raw import raw_table
from mahc.experiment.report.tables.wins import wins_table

__all__ = ["networks_table", "normalised_table", "phase_seconds_table", "phases_table", "raw_table", "wins_table"]
