"""What the report does for its reader: words explained, warnings given, names that fit."""

from __future__ import annotations

import pytest
from lab_rows import made_up_rows

from mahc.lab.outline import Row
from mahc.lab.paper.results import Results, paper_case, title_of
from mahc.lab.report.writing import report_files

pytestmark = pytest.mark.long


def test_the_report_explains_its_words_and_what_cannot_be_compared() -> None:
    whole, other = (
        report_files(Results(made_up_rows((1,)))),
        report_files(Results([Row("HC", "asia", "clean", 100, 1, "done")])),
    )
    for name in ("report.md", "index.html"):
        assert "Youden" in whole[name]
        assert "comes from what was averaged" not in whole[name]
        assert "There is no reference" not in whole[name]
        assert "numbers are left out: this run has other cases, or another reference" in other[name].replace(
            "&#x27;", "'"
        )
        assert "There is no reference" in other[name]
        assert "1 contestant on 1 case (Asia), 100 rows, clean data, 1 seed." in other[name]
        assert "not run won" not in other[name]
    assert "learning class" in whole["figure-3.svg"]
    assert "learning class" not in other["relative-accuracy.svg"]


def test_a_long_name_is_cut_in_drawings_and_whole_in_the_tooltip() -> None:
    long = "an algorithm of mine, " * 3
    files = report_files(Results([Row(who, "asia", "clean", 100, 1, "done") for who in ("MAHC", long.strip())]))
    assert "an algorithm of…<title>" in files["relative-accuracy.svg"]


def test_only_the_paper_s_cases_are_compared_with_it() -> None:
    assert paper_case("asia_without_smoking") == title_of("asia_without_smoking") == "asia_without_smoking"
