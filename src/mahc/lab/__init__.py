"""The laboratory: plans of experiments, each cell in a process of its own, every row in a store, and the report.

Nothing but the commands `mahc experiment` imports it. Names are loaded when first used: the process of a cell imports
this package too, and needs little of it.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mahc.lab.outline import ContestantInfo, Outline, Row, Selection
    from mahc.lab.plan import Plan
    from mahc.lab.plan_file import read_plan
    from mahc.lab.report.writing import write_report
    from mahc.lab.running import Progress, Summary, run
    from mahc.lab.store import read_outline, read_rows, read_store

_MODULES = {
    "outline": ("ContestantInfo", "Outline", "Row", "Selection"),
    "plan": ("Plan",),
    "plan_file": ("read_plan",),
    "report.writing": ("write_report",),
    "running": ("Progress", "Summary", "run"),
    "store": ("read_outline", "read_rows", "read_store"),
}

__all__ = [
    "ContestantInfo",
    "Outline",
    "Plan",
    "Progress",
    "Row",
    "Selection",
    "Summary",
    "read_outline",
    "read_plan",
    "read_rows",
    "read_store",
    "run",
    "write_report",
]


def __getattr__(name: str) -> object:
    import importlib

    for module, names in _MODULES.items():
        if name in names:
            found: object = getattr(importlib.import_module(f"mahc.lab.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'mahc.lab' has no attribute '{name}'")


def plans_folder() -> Traversable:
    """The folder of the plans that ship with the package."""
    return files("mahc").joinpath("lab", "plans")


def shipped_plans() -> list[str]:
    """The names of the shipped plans, in alphabetical order.

    >>> "paper" in shipped_plans()
    True
    """
    names = [entry.name for entry in plans_folder().iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
