"""The arithmetic of the figures and tables, on rows made up for one rule each."""

from __future__ import annotations

import pytest

from mahc.errors import DataError
from mahc.lab.outline import TRUTH, ContestantInfo, Outline, Row
from mahc.lab.paper.accuracy_figures import above_truth, relative, relative_figure
from mahc.lab.paper.case_tables import normalised, normalised_table
from mahc.lab.paper.comparisons import change, verdict, wins_table
from mahc.lab.paper.findings import Finding, findings
from mahc.lab.paper.numbers import raw_rows
from mahc.lab.paper.phase_figures import pruned_share, pruning_figure
from mahc.lab.paper.results import Experiment, Results
from mahc.lab.paper.runtime import runtime_ratio, total_seconds
from mahc.lab.report.table import Estimate

pytestmark = pytest.mark.long

MAHC, HC = ContestantInfo("MAHC"), ContestantInfo("HC")
HERE = Experiment("asia", "clean", 100, 1)


def _row(who: str, outcome: str = "done", **more: object) -> Row:
    return Row(who, "asia", "clean", 100, 1, outcome, **more)  # type: ignore[arg-type]


def test_the_examples_of_section_3_2() -> None:
    results = Results(raw_rows())
    hc = results.by_paper_name("HC")
    assert hc is not None
    assert relative(results, Experiment("asia", "clean", 100, 0), hc, "shd") == pytest.approx(80 - 100)
    assert relative(results, Experiment("asia", "clean", 1000, 0), hc, "shd") == pytest.approx(0)


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        (_row("MAHC", measures={"f1": 0.5}), _row("HC", measures={"f1": 0.5}), "same"),
        (_row("MAHC", measures={"f1": 0.6}), _row("HC", measures={"f1": 0.5}), "better"),
        (_row("MAHC", measures={"f1": 0.1}), _row("HC", "time_limit"), "better"),
        (_row("MAHC", "crashed"), _row("HC", measures={"f1": 0.1}), "worse"),
        (_row("MAHC", "memory_limit"), _row("HC", "time_limit"), "same"),
        (_row("MAHC", measures={"f1": 0.1}), _row("HC", "unavailable"), None),
    ],
)
def test_a_failure_loses_and_what_is_not_installed_does_not_count(mine: Row, theirs: Row, expected: str | None) -> None:
    assert verdict(Results([mine, theirs]), MAHC, HC, HERE, "f1") == expected


def test_a_lower_shd_is_better() -> None:
    rows = [_row("MAHC", measures={"shd": 3.0}), _row("HC", measures={"shd": 4.5})]
    assert verdict(Results(rows), MAHC, HC, HERE, "shd") == "better"


def test_a_cell_that_was_not_run_counts_nowhere() -> None:
    rows = [_row("MAHC", measures={"f1": 0.1}), Row("HC", "asia", "clean", 1000, 1, "done", measures={"f1": 1.0})]
    results = Results(rows)
    assert verdict(results, MAHC, HC, HERE, "f1") is None
    assert len(results.missing) == 2
    cells = [cell for line in wins_table(results, "clean").blocks[0].lines for cell in line.cells]
    assert {cell.note for cell in cells} == {"not run"}


def test_a_ratio_to_nothing_is_left_out() -> None:
    rows = [_row("MAHC", measures={"bsf": 0.0}), _row("HC", measures={"bsf": 0.4})]
    assert relative(Results(rows), HERE, HC, "bsf") is None
    rows = [_row("MAHC", measures={"bsf": -0.1}), _row("HC", measures={"bsf": 0.4})]
    assert relative(Results(rows), HERE, HC, "bsf") is None
    rows = [_row("MAHC", measures={"bsf": 0.2}), _row("HC", measures={"bsf": -0.1})]
    assert relative(Results(rows), HERE, HC, "bsf") == pytest.approx(-150)


def test_a_class_is_the_mean_of_its_members() -> None:
    measures = {"MAHC": 0.5, "HC": 0.4, "TABU": 0.7}
    table = relative_figure(Results([_row(who, measures={"f1": value}) for who, value in measures.items()])).table
    f1 = {line.heads[0]: line.cells[2].ours for line in table.blocks[0].lines}
    assert {name: round(value.mean, 6) for name, value in f1.items() if value} == {
        "HC": -20.0,
        "TABU": 40.0,
        "Score-based": 10.0,
    }


def test_the_truth_takes_part_in_the_normalisation_and_its_absence_voids_it() -> None:
    rows = [_row("MAHC", score=-90.0), _row("HC", score=-80.0), _row(TRUTH, score=-100.0)]
    assert normalised(Results(rows), HERE) == {"MAHC": 50.0, "HC": 100.0, TRUTH: 0.0}
    assert normalised(Results(rows[:2]), HERE) == {}
    same = [_row("MAHC", score=-90.0), _row(TRUTH, score=-90.0)]
    assert normalised(Results(same), HERE) == {"MAHC": 100.0, TRUTH: 100.0}


def test_the_ablations_do_not_move_the_scale_of_table_6() -> None:
    rows = [_row("MAHC", score=-90.0), _row(TRUTH, score=-100.0), _row("MAHC_onlyPruning", score=-500.0)]
    assert [column.name for column in normalised_table(Results(rows)).columns] == ["MAHC", TRUTH]
    assert normalised(Results(rows), HERE) == {"MAHC": 100.0, TRUTH: 0.0}


def test_discrepancy_is_relative_to_the_size_of_the_true_score() -> None:
    results = Results([_row("HC", score=-90.0), _row(TRUTH, score=-100.0)])
    assert above_truth(results, HC, "asia", "clean", 100, 1) == pytest.approx(10)


def test_averages_are_compared_over_what_both_finished() -> None:
    rows = [_row("MAHC", edges=6), _row("HC", edges=8)]
    rows += [Row("MAHC", "alarm", "clean", 100, 1, "done", edges=1000), Row("HC", "alarm", "clean", 100, 1, "crashed")]
    assert change(Results(rows), MAHC, ("clean",), "edges", 1) == pytest.approx(-25)


def test_pruning_is_a_share_of_all_arcs_and_the_paper_s_asia_stands_beside_ours() -> None:
    row = Row("MAHC", "asia", "clean", 1000, 1, "done", variables=8, pruned_per_level=(28, 12, 5))
    results = Results([row])
    assert pruned_share(results, "asia", "clean", 1000, 1, 1) == pytest.approx(50)
    assert pruned_share(results, "asia", "clean", 1000, 0, 1) == pytest.approx(100 * 45 / 56)
    cells = pruning_figure(results).table.blocks[0].lines[0].cells
    assert [round(cell.difference, 9) for cell in cells if cell.difference is not None] == [0, 0, 0, 0]


def test_cases_are_ordered_by_their_lowest_total_pruning() -> None:
    rows = [
        Row("MAHC", case, "clean", 100, 1, "done", variables=8, pruned_per_level=(count,))
        for case, count in (("asia", 30), ("sports", 10), ("alarm", 20))
    ]
    lines = pruning_figure(Results(rows)).table.blocks[0].lines
    assert [line.heads[0] for line in lines] == ["Sports", "Alarm", "Asia"]


def test_a_failure_costs_the_time_limit() -> None:
    rows = [_row("MAHC", seconds=2.0), _row("HC", "time_limit")]
    outline = Outline("x", (MAHC, HC), ("asia",), (100,), ("clean",), (1,), seconds_limit=60.0)
    results = Results(rows, outline)
    assert total_seconds(results, HC, ("clean",), 1) == 60.0
    assert runtime_ratio(results, MAHC, HC, ("clean",), 1) == pytest.approx(2 / 60)


def test_two_rows_for_one_cell_are_refused() -> None:
    with pytest.raises(DataError, match="two rows for HC on asia, clean, 100 rows, seed 1"):
        Results([_row("HC"), _row("HC")])


def test_every_finding_of_the_paper_holds_in_the_paper_s_own_rows() -> None:
    found = findings(Results(raw_rows()))
    assert {finding.verdict for finding in found} == {"holds", "not tested"}
    assert sum(finding.verdict == "holds" for finding in found) == 18
    assert all(finding.paper == finding.ours for finding in found if finding.verdict == "holds")


def test_a_smaller_run_is_compared_with_the_paper_on_the_same_cases_and_sizes() -> None:
    rows = [row for row in raw_rows() if row.case == "asia" and row.rows <= 1000]
    found = findings(Results(rows))
    assert all(
        finding.printed_here == finding.ours for finding in found if finding.printed_here and finding.margin is not None
    )
    assert any(finding.printed_here != finding.paper for finding in found)
    lines = relative_figure(Results(rows)).table.blocks[0].lines
    assert {round(cell.difference, 9) for line in lines for cell in line.cells if cell.difference is not None} == {0}


def test_a_draw_is_undecided() -> None:
    assert Finding("", "", "", Estimate(0.0, None, 1)).verdict == "undecided"
    assert Finding("", "", "", Estimate(-1.0, 0.5, 3)).verdict == "does not hold"
    assert Finding("", "", "", None).verdict == "not tested"
