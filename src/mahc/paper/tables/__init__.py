"""The paper's tables, one file each, computed from rows."""

from __future__ import annotations

from mahc.paper.tables.agreement import agreement_table
from mahc.paper.tables.leaderboard import leaderboard, leaderboard_by_case, leaderboard_of_partial
from mahc.paper.tables.networks import networks_table
from mahc.paper.tables.normalised import normalised_table
from mahc.paper.tables.phases import phase_seconds_table, phases_table
from mahc.paper.tables.raw import raw_table
from mahc.paper.tables.wins import wins_table

__all__ = [
    "agreement_table",
    "leaderboard",
    "leaderboard_by_case",
    "leaderboard_of_partial",
    "networks_table",
    "normalised_table",
    "phase_seconds_table",
    "phases_table",
    "raw_table",
    "wins_table",
]
