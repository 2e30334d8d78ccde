"""The settings of all algorithms and scores as a part of a docstring."""

from __future__ import annotations

import textwrap

from mahc.learning.catalogue import CatalogueEntry, algorithm_settings, score_settings

WIDTH = 100


def describe_settings() -> str:
    """Each setting with the values it accepts, its defaults, who has it and its help.

    >>> print(describe_settings().splitlines()[0])
    prune_in_degree : a whole number from 1 to 100, default 3
    """
    entries = [*algorithm_settings().items(), *score_settings().items()]
    return "\n".join(_describe(name, entry) for name, entry in entries)


def _describe(name: str, entry: CatalogueEntry) -> str:
    default = f", default {entry.default_text}" if entry.default_text else ", optional"
    text = f"{entry.declaration.help} For {', '.join(entry.defaults)}."
    head = f"{name} : {entry.declaration.allowed}{default}"
    return (
        head
        + "\n"
        + textwrap.fill(text, WIDTH, break_on_hyphens=False, initial_indent="    ", subsequent_indent="    ")
    )
