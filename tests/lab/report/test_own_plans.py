"""A plan of one's own: its leaderboard first, and no file or heading is numbered as in the paper."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from lab_rows import made_up_rows

from mahc.lab.paper.results import Results, outline_of_rows
from mahc.lab.report.sections import OWN_NAMES
from mahc.lab.report.writing import report_files

pytestmark = pytest.mark.long


def results(plan_name: str) -> Results:
    """Two of the paper's cases, with MAHC: enough for its findings to be looked at."""
    rows = [row for row in made_up_rows() if row.case in ("asia", "sports")]
    return Results(rows, replace(outline_of_rows(rows), plan_name=plan_name))


@pytest.mark.long
def test_the_parts_have_names_of_their_own() -> None:
    files, of_paper = report_files(results("ward")), report_files(results("paper"))
    assert len(files) == len(of_paper)
    assert not [name for name in files if re.search(r"(table|figure)-(\d|b1)", name)]
    assert {f"{name}.csv" for name in OWN_NAMES.values()} <= {name.rpartition("/")[2] for name in files}
    for name in ("report.md", "index.html"):
        headings = re.findall(r"^#+ .*$|<h3>.*?</h3>", files[name], re.MULTILINE)
        assert headings
        assert not [text for text in headings if re.search(r"(Table|Figure) [\dB]", text)]
    assert {"table-4.csv", "table-b1.csv", "figure-3.svg"} <= of_paper.keys()


@pytest.mark.parametrize(("name", "leaderboard"), [("index.html", "Leaderboard</h2>"), ("report.md", "## Leaderboard")])
@pytest.mark.long
def test_the_leaderboard_comes_before_the_findings_of_the_paper(name: str, leaderboard: str) -> None:
    text = report_files(results("ward"))[name]
    assert text.index(leaderboard) < text.rindex("Findings of the paper")
    assert "of the paper's findings hold here" not in text[: text.index(leaderboard)]
    whole = report_files(results("paper"))[name]
    first = "of the paper&#39;s findings hold here" if name == "index.html" else "Findings of the paper"
    assert whole.index(first) < whole.index(leaderboard)
