"""Packages whose names are loaded when they are first used, so that a program loads only what it needs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def load_on_demand(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package, from the names it offers and the modules that define them.

    >>> load, names = load_on_demand("mahc", {"DAG": "mahc.graphs.dag"})
    >>> load("DAG"), "DAG" in names()
    (<class 'mahc.graphs.dag.DAG'>, True)
    """

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(importlib.import_module(places[name]), name)

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return load, names
