"""Experiments: a plan of cells, each run in a process of its own, with every row kept in a store.

Names are loaded when first used: the process of a cell imports this package too, and needs little of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mahc.experiment.outline import ContestantInfo, Outline, Selection
    from mahc.experiment.plan.plan import Plan
    from mahc.experiment.plan.reading import read_plan
    from mahc.experiment.row import Row
    from mahc.experiment.running import Progress, Summary, run
    from mahc.experiment.store import read_outline, read_rows, read_store

_MODULES = {
    "ContestantInfo": "outline",
    "Outline": "outline",
    "Plan": "plan.plan",
    "Row": "row",
    "Selection": "outline",
    "Progress": "running",
    "Summary": "running",
    "read_outline": "store",
    "read_plan": "plan.reading",
    "read_rows": "store",
    "read_store": "store",
    "run": "running",
}

__all__ = [
    "ContestantInfo",
    "Outline",
    "Plan",
    "Row",
    "Selection",
    "Progress",
    "Summary",
    "read_outline",
    "read_plan",
    "read_rows",
    "read_store",
    "run",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'mahc.experiment' has no attribute '{name}'")
    import importlib

    found: object = getattr(importlib.import_module(f"mahc.experiment.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
