"""The files of a report: complete, harmless, the same every time, and free of seconds where they say so."""

from __future__ import annotations

import csv
import io
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from lab_rows import made_up_rows

from mahc.errors import SettingError
from mahc.lab.outline import ContestantInfo, Outline, Row
from mahc.lab.paper.results import Results, outline_of_rows
from mahc.lab.report import writing
from mahc.lab.report.writing import TIMES_BEGIN, TIMES_END, report_files

pytestmark = pytest.mark.long

EXPECTED = {
    *(
        "report.md",
        "index.html",
        "failed.csv",
        "times/times.md",
        "times/leaderboard.md",
        "times/leaderboard.csv",
        "times/leaderboard-by-case.csv",
        "times/runtime-claim.csv",
        "times/table-7-seconds.csv",
    ),
    *(f"table-{key}.csv" for key in ("2", "4", "5", "6", "7", "b1")),
    *(f"figure-{key}.{kind}" for key in "34578" for kind in ("csv", "svg")),
    *(f"times/figure-{key}.{kind}" for key in ("6a", "6b", "8-seconds") for kind in ("csv", "svg")),
}


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    rows = made_up_rows((1, 2))
    return report_files(Results(rows, replace(outline_of_rows(rows, "made up"), seconds_limit=60.0)))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _page(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


def test_every_table_and_figure_of_the_paper_is_there(files: Mapping[str, str]) -> None:
    assert set(files) == EXPECTED


def test_the_page_is_whole_and_fetches_and_runs_nothing(files: Mapping[str, str]) -> None:
    page = _page(files["index.html"])
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "object", "embed"})
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "style")
        assert name != "href" or (value or "").startswith("#")
    assert "url(" not in files["index.html"]
    assert "@import" not in files["index.html"]


def test_every_link_of_the_contents_has_its_place(files: Mapping[str, str]) -> None:
    page = _page(files["index.html"])
    places = [value for name, value in page.attributes if name == "id"]
    assert len(places) == len(set(places))
    assert {f"#{place}" for place in places} >= {value for name, value in page.attributes if name == "href"}


def test_every_drawing_is_well_formed_and_has_a_title(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(text)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            assert "nan" not in text
            assert "inf" not in text.replace("info", "")


def test_every_csv_has_the_same_number_of_fields_in_each_line(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        if name.endswith(".csv"):
            lines = list(csv.reader(io.StringIO(text)))
            assert len({len(line) for line in lines}) == 1, name


def test_names_and_reasons_are_escaped() -> None:
    bad = "<script>alert('x')</script>|*&"
    rows = [Row(bad, bad, "clean", 100, 1, "crashed", reason=bad), Row("MAHC", bad, "clean", 100, 1, "done")]
    files = report_files(Results(rows, outline_of_rows(rows, bad)))
    assert "script" not in _page(files["index.html"]).tags
    assert "<script" not in files["report.md"]
    for name, text in files.items():
        if name.endswith(".svg"):
            ElementTree.fromstring(text)
            assert "<script" not in text


@pytest.mark.long
def test_the_report_does_not_depend_on_the_order_of_the_rows(files: Mapping[str, str]) -> None:
    rows = list(made_up_rows((1, 2)))
    random.Random(1).shuffle(rows)
    assert report_files(Results(rows, replace(outline_of_rows(rows, "made up"), seconds_limit=60.0))) == files


@pytest.mark.long
def test_nothing_depends_on_seconds_but_what_says_so(files: Mapping[str, str]) -> None:
    rows = made_up_rows((1, 2), seconds_factor=3.7)
    others = report_files(Results(rows, replace(outline_of_rows(rows, "made up"), seconds_limit=60.0)))
    changed = {name for name in files if files[name] != others[name]}
    assert changed == {"index.html", *(name for name in files if name.startswith("times/"))}
    timed = re.compile(re.escape(TIMES_BEGIN) + ".*?" + re.escape(TIMES_END), re.DOTALL)
    assert timed.sub("", files["index.html"]) == timed.sub("", others["index.html"])


@pytest.mark.long
def test_the_report_is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    program = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1])\n"
        "from lab_rows import made_up_rows\n"
        "from mahc.lab.paper.results import Results\n"
        "from mahc.lab.report.writing import report_files\n"
        "rows = [row for row in made_up_rows((1,)) if row.case in ('asia', 'sports')]\n"
        "print(hashlib.sha256(repr(sorted(report_files(Results(rows)).items())).encode()).hexdigest())\n"
    )
    tests = str(Path(__file__).resolve().parents[2])
    found = {
        subprocess.run(
            [sys.executable, "-c", program, tests],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.long
def test_an_incomplete_store_says_how_much_is_missing() -> None:
    rows = made_up_rows((1,))
    files = report_files(Results(rows[:-40], outline_of_rows(rows)))
    assert "Incomplete: 40 of 528 cells not run yet" in files["report.md"]
    assert "Incomplete: 40 of 528 cells not run yet" in files["index.html"]


@pytest.mark.long
def test_an_empty_store_still_gives_a_page() -> None:
    outline = Outline("nothing yet", (ContestantInfo("MAHC"),), ("asia",), (100,), ("clean",), (1,))
    files = report_files(Results([], outline))
    assert "Incomplete: 1 of 1 cell not run yet" in files["report.md"]
    _page(files["index.html"])


def test_failed_cells_are_listed_with_their_reasons(files: Mapping[str, str]) -> None:
    assert "stopped at the limit of &lt;6&gt; hours &amp; no graph" in files["index.html"]
    assert "stopped at the limit of <6> hours & no graph" in files["failed.csv"]
    assert "stopped at the limit of &lt;6&gt; hours &amp; no graph" in files["report.md"]


@pytest.mark.long
def test_three_seeds_show_intervals_and_two_show_none() -> None:
    two, three = (report_files(Results(made_up_rows(seeds)))["report.md"] for seeds in ((1, 2), (1, 2, 3)))
    table = re.compile(r"^\| HC \| Score-based .*$", re.MULTILINE)
    assert "±" not in str(table.search(two))
    assert "±" in str(table.search(three))


@pytest.mark.long
def test_a_graph_of_a_learner_that_was_stopped_is_marked() -> None:
    row = Row("Exact", "asia", "clean", 100, 1, "done", stop_reason="time_limit", gap=12.5, measures={"f1": 0.5})
    files = report_files(Results([row]))
    assert "1 cell gave the best graph found" in files["report.md"]
    assert (
        'Exact,Asia,clean,100,1,stopped early,"time_limit, at most 12.5 bits below the optimum"' in files["failed.csv"]
    )
    assert "stopped early" in files["index.html"]


@pytest.mark.long
def test_names_are_neither_formulas_nor_templates_nor_hidden() -> None:
    labels = [r"$\frac$", "_hidden", "{{ 7 * 7 }}", "{% raise %}", "中文"]
    rows = [Row(label, "asia", "clean", 100, 1, "done", measures={"f1": 0.5}, score=-1.0) for label in labels]
    rows += [Row("MAHC", "asia", "clean", 100, 1, "done", measures={"f1": 0.4}, score=-2.0)]
    rows += [Row("Ground truth", "asia", "clean", 100, 1, "done", measures={"f1": 1.0}, score=-3.0)]
    files = report_files(Results(rows))
    page = files["index.html"]
    assert "49" not in {text.strip() for text in re.findall(r">([^<>]*)<", page)}
    legend = ElementTree.fromstring(files["bic-clean.svg"]).itertext()
    assert set(labels) <= {text.strip() for text in legend}
    assert all(label in page for label in labels)


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_without_the_extra_the_report_says_what_to_install(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setattr(writing, "find_spec", lambda name: None if name == package else object())
    with pytest.raises(SettingError, match=rf"a report needs {package}, .*: pip install 'mahc\[lab\]'"):
        report_files(Results([Row("HC", "asia", "clean", 100, 1, "crashed")]))
