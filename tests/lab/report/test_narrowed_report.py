"""Reports of plans in which contestants take part in some samples only, and cases have their own sizes and seeds."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from mahc.lab.outline import TRUTH, ContestantInfo, Outline, Row, Selection
from mahc.lab.paper.accuracy_figures import discrepancy_figure
from mahc.lab.paper.case_tables import normalised_table, raw_table
from mahc.lab.paper.comparisons import wins_table
from mahc.lab.paper.leaderboard import leaderboard, leaderboard_by_case, leaderboard_of_partial
from mahc.lab.paper.results import Results, covers_paper, printed_subset
from mahc.lab.paper.runtime import cumulative_figure, total_figure
from mahc.lab.report.table import Table
from mahc.lab.report.writing import report_files

pytestmark = pytest.mark.long

# asia has 100 and 1,000 rows and three seeds, formed has 100 rows and seed 1 and 2; Exact has no formed.
OUTLINE = Outline(
    "mine",
    tuple(
        ContestantInfo(label, selection=Selection(("asia",), (100,)) if label == "Exact" else Selection())
        for label in ("HC", "TABU", "Exact", TRUTH)
    ),
    ("asia", "formed"),
    (100, 1000),
    ("clean",),
    (1, 2, 3),
    seconds_limit=60.0,
    reference="HC",
    narrowed=(Selection(("formed",), (100,), (1, 2)),),
)
F1 = {"HC": 0.5, "TABU": 0.6, "Exact": 0.9, TRUTH: 1.0}


def make_row(label: str, case: str, data: str, size: int, seed: int) -> Row:
    f1 = F1[label] - (0.3 if case == "formed" else 0) + seed / 1000
    measures = dict.fromkeys(("f1", "bsf", "recall", "precision"), f1) | {"shd": 10 - 10 * f1}
    score = -1000.0 * (2 - f1)
    return Row(label, case, data, size, seed, "done", measures=MappingProxyType(measures), score=score, seconds=1.0)


def make_rows(outline: Outline) -> list[Row]:
    cells = [(one.label, sample) for one in outline.contestants for sample in outline.samples()]
    return [make_row(label, *where) for label, where in cells if outline.has_cell(label, *where)]


def make_results(outline: Outline = OUTLINE) -> Results:
    return Results(make_rows(outline), outline)


def labels(table: Table, block: int = 0) -> list[str]:
    return [line.heads[0] for line in table.blocks[block].lines]


@pytest.mark.long
def test_a_cell_that_the_plan_does_not_have_is_neither_missing_nor_failed() -> None:
    results = make_results()
    assert results.outline.cells == 3 * (6 + 2) + 3
    assert results.missing == results.failed == ()
    page = report_files(results)["index.html"]
    assert "All cells have been run (27)." in page
    assert ">not run<" not in page
    assert len(Results(make_rows(OUTLINE)[1:], OUTLINE).missing) == 1


def test_the_leaderboard_leaves_out_who_takes_part_in_some_samples_and_shows_them_on_their_own() -> None:
    results = make_results()
    table = leaderboard(results)
    assert labels(table) == ["TABU", "HC"]
    # Seeds 1 and 2, which both cases have: asia with 100 and 1,000 rows, formed with 100.
    assert "Means over all 6 samples with a seed that all cases have" in table.caption
    mean = table.blocks[0].lines[1].cells[0].ours
    assert mean is not None
    assert round(mean.mean, 6) == round((0.5015 + 0.5015 + 0.2015) / 3, 6)
    own = leaderboard_of_partial(results)
    assert [block.title for block in own.blocks] == ["Exact: 3 of its 3 samples"]
    assert labels(own) == ["Exact", "TABU", "HC"]
    values = [line.cells[0].ours for line in own.blocks[0].lines]
    assert [round(value.mean, 6) for value in values if value] == [0.902, 0.602, 0.502]
    assert [line.cells[0].tone for line in own.blocks[0].lines] == ["better", "better", ""]


def test_each_case_and_size_has_only_those_who_take_part() -> None:
    table = leaderboard_by_case(make_results())
    assert [block.title for block in table.blocks] == [
        "Asia, 100 rows, clean data",
        "Asia, 1,000 rows, clean data",
        "ForMed, 100 rows, clean data",
    ]
    # Exact has no sample among some of the common ones, so it comes last.
    assert [labels(table, block) for block in range(3)] == [["TABU", "HC", "Exact"], ["TABU", "HC"], ["TABU", "HC"]]


def test_the_other_tables_and_figures_have_the_samples_of_the_plan() -> None:
    results = make_results()
    raw = {block.title.split(" (")[0]: [line.heads[:2] for line in block.lines] for block in raw_table(results).blocks}
    assert raw["Exact"] == [("Asia", "100")]
    assert raw["HC"] == raw[TRUTH] == [("Asia", "100"), ("Asia", "1,000"), ("ForMed", "100")]
    assert [column.name for column in normalised_table(results).columns] == ["HC", "TABU", TRUTH]
    assert [column.name for column in cumulative_figure(results).table.columns] == ["HC", "TABU"]
    assert len(cumulative_figure(results).table.blocks[0].lines) == 3
    totals = {line.heads[0]: line.cells[0].ours for line in total_figure(results).table.blocks[0].lines}
    assert {label: total.mean for label, total in totals.items() if total} == {"HC": 3.0, "TABU": 3.0}
    bits = discrepancy_figure(results, "clean").table.blocks[0].lines
    notes = {line.heads: [cell.note for cell in line.cells] for line in bits}
    assert notes == {("Asia", "100"): ["", "", ""], ("Asia", "1,000"): ["", "", "–"], ("ForMed", "100"): ["", "", "–"]}
    wins = wins_table(results, "clean").blocks[0].lines
    assert [line.heads[0] for line in wins] == ["TABU", "Exact"]
    worse = [line.cells[2].ours for line in wins]
    assert [value.mean for value in worse if value] == [100.0, 100.0]


def test_the_report_says_who_takes_part_in_what() -> None:
    page = report_files(make_results())["index.html"]
    assert "Some cases have only some of these sizes or seeds." in page
    assert "Exact (3 of 8) takes part in only some samples of the plan." in page
    assert "means over several cases use only the seeds that all have (1 and 2)" in page
    assert "times/leaderboard-some-samples.csv" in report_files(make_results())


def test_nobody_in_all_samples_and_somebody_in_none() -> None:
    asia, formed, none = (Selection((name,)) for name in ("asia", "formed", "none"))
    selections = dict(zip(("HC", "TABU", "Exact"), (asia, formed, none), strict=True))
    everyone = tuple(ContestantInfo(label, selection=one) for label, one in selections.items())
    results = make_results(replace(OUTLINE, contestants=(*everyone, ContestantInfo(TRUTH))))
    assert results.partial == ()
    assert labels(leaderboard(results)) == ["HC (on 4 of 6 samples)", "TABU (on 2 of 6 samples)"]
    page = report_files(results)["index.html"]
    assert "No contestant takes part in all samples of the plan" in page
    assert "Exact takes part in no sample of this run." in page


def test_the_averages_of_the_paper_belong_to_its_whole_plan_only() -> None:
    from mahc.lab.paper.numbers import CASES, SIZES

    contestants = tuple(ContestantInfo(label) for label in ("MAHC", "HC"))
    whole = Outline("paper", contestants, CASES, SIZES, ("clean",), (1,))
    assert covers_paper(Results((), whole))
    fewer = replace(whole, narrowed=(Selection(("asia",), (100,), (1,)),))
    assert not covers_paper(Results((), fewer))
    printed = printed_subset(Results((), fewer))
    hc = printed.by_paper_name("HC")
    assert hc is not None
    ran = [where for where in printed.experiments(case="asia") if printed.row(hc, where) is not None]
    assert {where.size for where in ran} == {100}
    partly = (contestants[0], replace(contestants[1], selection=Selection(sizes=(100,))))
    assert not covers_paper(Results((), replace(whole, contestants=partly)))


def test_the_sizes_of_a_data_set_do_not_show_in_the_tables_of_the_networks() -> None:
    from mahc.lab.paper.numbers import CASES, SIZES

    contestants = tuple(ContestantInfo(label) for label in ("MAHC", "HC"))
    paper = tuple(Selection((case,), SIZES, ()) for case in CASES)
    outline = Outline(
        *("paper", contestants, (*CASES, "ward"), (20, *SIZES), ("clean",), (1,)),
        data_sets=("ward",),
        narrowed=(*paper, Selection(("ward",), (20,), ())),
    )
    networks = Results((), outline).on_networks
    assert networks.outline == Results((), Outline("paper", contestants, CASES, SIZES, ("clean",), (1,))).outline
    assert covers_paper(networks)
