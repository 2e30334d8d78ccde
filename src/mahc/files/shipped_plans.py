"""The plans that ship with the package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def shipped_plans_folder() -> Traversable:
    """The folder of the shipped plans."""
    return files("mahc").joinpath("experiment", "plans")  # without loading mahc.experiment


def shipped_plans() -> list[str]:
    """Their names, in the order of the alphabet.

    >>> "paper" in shipped_plans()
    True
    """
    names = [entry.name for entry in shipped_plans_folder().iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
