"""Names of tables and figures in the report of a plan that is not the paper's: without the paper's numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from mahc.paper.figures import Figure
from mahc.paper.printed_subset import covers_paper
from mahc.paper.results import Results
from mahc.paper.table import Table

PAPER_PLAN = "paper"
OWN_NAMES = {
    "table-2": "case-studies",
    "table-4": "wins-clean",
    "table-5": "wins-noisy",
    "table-6": "normalised-bic",
    "table-7": "phases",
    "table-b1": "raw-scores",
    "figure-3": "relative-accuracy",
    "figure-4": "bic-clean",
    "figure-5": "bic-noisy",
    "figure-6a": "cumulative-runtime",
    "figure-6b": "total-runtime",
    "figure-7": "pruning",
    "figure-8": "ablation",
}
_NUMBER = re.compile(r"(table|figure)-\w+")
_NUMBERED = re.compile(r"(Table|Figure) \w+(\.\d+)?\. ")


def is_of_paper(results: Results) -> bool:
    """Whether the report is one of the paper's own experiments, and names its parts as the paper does."""
    networks = results.on_networks
    return covers_paper(networks) or (networks.follows_paper and results.outline.plan_name == PAPER_PLAN)


def with_own_name(part: Table | Figure) -> Table | Figure:
    """A table or figure under a name that says what it shows.

    >>> table = Table("table-b1", "Table B.1. Raw scores", "", (), (), ())
    >>> (with_own_name(table).key, with_own_name(table).title)
    ('raw-scores', 'Raw scores')
    """
    if isinstance(part, Figure):
        table = _rename(part.table)
        return Figure(replace(part.drawing, title=_NUMBERED.sub("", part.drawing.title)), table)
    return _rename(part)


def _rename(table: Table) -> Table:
    number = _NUMBER.match(table.key)
    known = OWN_NAMES.get(number[0]) if number else None
    key = table.key if number is None or known is None else known + table.key[number.end() :]
    return replace(table, key=key, title=_NUMBERED.sub("", table.title))
