"""The leaderboard, the plan's reference, contestants that could not run, data sets without a true graph."""

from __future__ import annotations

import pytest

from mahc.lab.outline import ContestantInfo, Outline, Row
from mahc.lab.paper.comparisons import wins_table
from mahc.lab.paper.findings import findings
from mahc.lab.paper.leaderboard import agreement_table, leaderboard, leaderboard_by_case
from mahc.lab.paper.results import Results
from mahc.lab.report.writing import report_files

pytestmark = pytest.mark.long

SEEDS = (1, 2, 3)


def row(who, case, seed, f1, outcome="done", **more):
    measures = {"f1": f1, "shd": 10 - 10 * f1, "bsf": f1, "recall": f1, "precision": f1} if outcome == "done" else {}
    return Row(who, case, "clean", 100, seed, outcome, measures=measures, score=-500.0 * (2 - f1), seconds=f1, **more)


def outline(*labels, reference="", cases=("asia", "insurance"), data_sets=()):
    contestants = tuple(ContestantInfo(label) for label in labels)
    return Outline("mine", contestants, cases, (100,), ("clean",), SEEDS, reference=reference, data_sets=data_sets)


def shown(table, label):
    line = next(line for block in table.blocks for line in block.lines if line.heads[0].startswith(label))
    return dict(zip((column.name for column in table.columns), line.cells, strict=True))


def both(**better):
    rows = []
    for seed in SEEDS:
        for case in ("asia", "insurance"):
            rows += [row(who, case, seed, f1 + seed / 1000) for who, f1 in better.items()]
    return rows


def test_the_best_contestant_comes_first_with_its_means_and_intervals():
    results = Results(both(HC=0.5, Mine=0.8, Worst=0.2), outline("HC", "Mine", "Worst", reference="HC"))
    table = leaderboard(results)
    assert [line.heads[0] for line in table.blocks[0].lines] == ["Mine", "HC", "Worst"]
    mine = shown(table, "Mine")
    assert round(mine["F1"].ours.mean, 3) == 0.802
    assert mine["F1"].ours.margin is not None
    assert (mine["F1"].tone, mine["SHD"].tone, shown(table, "Worst")["F1"].tone) == ("better", "better", "worse")
    assert mine["Seconds"].tone == "worse"  # it took longer
    assert shown(table, "HC")["F1"].tone == ""
    page = report_files(results)["index.html"]
    assert page.index("Leaderboard</h2>") < page.index("Graphical accuracy</h2>")
    assert "<details><summary>insurance, 100 rows, clean data</summary>" in page
    assert '<span class="better">▲ </span>' in page
    assert '<span class="worse">▼ </span>' in page


def test_relative_tables_use_the_reference_and_no_number_of_the_paper():
    results = Results(both(HC=0.5, MAHC=0.8), outline("HC", "MAHC", reference="HC"))
    table = wins_table(results, "clean")
    assert table.title == "Table 4. HC against each algorithm, clean data"
    assert [line.heads[0] for line in table.blocks[0].lines] == ["MAHC"]
    assert not table.has_paper
    assert findings(results) == ()
    assert shown(table, "MAHC")["Worse"].ours.mean == 100.0
    assert "Graphical accuracy relative to HC" in report_files(results)["relative-accuracy.svg"]


def test_a_contestant_that_could_not_run_is_left_out_and_noted():
    rows = both(MAHC=0.5)
    for seed in SEEDS:
        rows.append(row("Exact", "asia", seed, 0.9))
        rows.append(row("Exact", "insurance", seed, 0, "unavailable", reason="needs SCIP"))
    results = Results(rows, outline("MAHC", "Exact"))
    overall = {
        column.name: cell.ours.mean
        for column, cell in zip(
            wins_table(results, "clean").columns, wins_table(results, "clean").blocks[0].lines[0].cells, strict=True
        )
        if column.group == "Overall"
    }
    assert overall == {"Better": 0.0, "Same": 0.0, "Worse": 100.0}
    exact = shown(leaderboard(results), "Exact (on 3 of 6 samples)")
    assert (exact["Failures"].ours.mean, exact["Not available"].ours.mean) == (0.0, 3.0)
    note = "Exact could not run here on 3 of 6 samples and is left out of comparisons there: needs SCIP"
    assert note in report_files(results)["index.html"]


def test_a_failure_counts_and_shows_its_traceback_once():
    trace = 'File "mine.py", line 2, in learn\nKeyError: <b>'
    rows = both(HC=0.5) + [
        row("Mine", case, seed, 0, "crashed", reason="KeyError", traceback=trace)
        for case in ("asia", "insurance")
        for seed in SEEDS
    ]
    results = Results(rows, outline("HC", "Mine", reference="HC"))
    assert shown(leaderboard(results), "Mine")["Failures"].ours.mean == 6.0
    page = report_files(results)["index.html"]
    assert page.count("line 2, in learn") == 1
    assert "KeyError: &lt;b&gt;" in page


def test_a_data_set_has_held_out_bits_and_agreement():
    edges = (("a", "-->", "c"), ("b", "-->", "c"))
    rows = [
        Row(who, "ward", "clean", 100, seed, "done", score=-300.0, edges=2, held_out_bits=bits, pattern=pattern)
        for seed in SEEDS
        for who, bits, pattern in (("A", 3.0, edges), ("B", 2.5, edges), ("C", 4.0, (("a", "---", "c"),)))
    ]
    results = Results(rows, outline("A", "B", "C", "Ground truth", cases=("ward",), data_sets=("ward",)))
    assert results.outline.cells == 9
    assert results.missing == ()
    table = leaderboard(results)
    assert [line.heads[0] for line in table.blocks[0].lines] == ["B", "A", "C"]
    assert "F1" not in [column.name for column in table.columns]
    agreement = agreement_table(results)
    assert shown(agreement, "A")["B"].ours.mean == 1.0
    assert shown(agreement, "A")["C"].ours.mean == shown(agreement, "C")["A"].ours.mean < 1.0
    assert leaderboard_by_case(results).blocks[0].title == "ward, 100 rows, data set"
    files = report_files(results)
    assert "agreement.csv" in files
    assert "wins-clean.csv" not in files
