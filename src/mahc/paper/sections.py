"""The sections of a report, in order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mahc.paper.figures import (
    Figure,
    ablation_figure,
    ablation_seconds_figure,
    cumulative_figure,
    discrepancy_figure,
    pruning_figure,
    relative_figure,
    total_figure,
)
from mahc.paper.own_names import is_of_paper, with_own_name
from mahc.paper.results import Results
from mahc.paper.table import Table
from mahc.paper.tables import (
    agreement_table,
    leaderboard,
    leaderboard_by_case,
    leaderboard_of_partial,
    networks_table,
    normalised_table,
    phase_seconds_table,
    phases_table,
    raw_table,
    wins_table,
)
from mahc.paper.tables.runtime_claim import runtime_claim


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
