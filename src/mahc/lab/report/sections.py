"""The sections of a report, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mahc.lab.paper.accuracy_figures import discrepancy_figure, relative_figure
from mahc.lab.paper.case_tables import networks_table, normalised_table, raw_table
from mahc.lab.paper.comparisons import phase_seconds_table, phases_table, wins_table
from mahc.lab.paper.leaderboard import agreement_table, leaderboard, leaderboard_by_case, leaderboard_of_partial
from mahc.lab.paper.phase_figures import ablation_figure, ablation_seconds_figure, pruning_figure
from mahc.lab.paper.results import Results, covers_paper
from mahc.lab.paper.runtime import cumulative_figure, runtime_claim, total_figure
from mahc.lab.report.charts import Figure
from mahc.lab.report.table import Table

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


@dataclass(frozen=True)
class Section:
    """Tables and figures under a heading; `timed` sections depend on the speed of the machine."""

    key: str
    title: str
    parts: tuple[Table | Figure, ...]
    timed: bool = False


def sections(results: Results) -> tuple[Section, ...]:
    """The leaderboard, data sets without a true graph, then every table and figure of the paper, from the rows."""
    partial = (leaderboard_of_partial(results),) if results.partial else ()
    boards = (leaderboard(results), *partial, leaderboard_by_case(results))
    first = [Section("leaderboard", "Leaderboard", boards, timed=True)]
    if results.outline.data_sets:
        first.append(Section("agreement", "Data sets", (agreement_table(results),)))
    return (*first, *(_of_paper(results.on_networks) if results.on_networks.outline.cases else ()))


def _of_paper(results: Results) -> tuple[Section, ...]:
    data = results.outline.data
    with_mahc = results.by_paper_name("MAHC") is not None
    found = (
        Section("accuracy", "Graphical accuracy", (relative_figure(results), *(wins_table(results, d) for d in data))),
        Section("bic", "BIC", (*(discrepancy_figure(results, kind) for kind in data), normalised_table(results))),
        Section("pruning", "Pruning", (pruning_figure(results),)),
        Section("phases", "The phases of MAHC", (phases_table(results), ablation_figure(results))),
        Section(
            "times",
            "Runtime",
            (
                runtime_claim(results),
                cumulative_figure(results),
                total_figure(results),
                phase_seconds_table(results),
                ablation_seconds_figure(results),
            ),
            timed=True,
        ),
        Section("cases", "Case studies", (networks_table(results),)),
        Section("raw", "Raw scores", (raw_table(results),)),
    )
    shown = tuple(one for one in found if with_mahc or one.key not in ("pruning", "phases"))
    if is_of_paper(results):
        return shown
    return tuple(replace(one, parts=tuple(map(with_own_name, one.parts))) for one in shown)
