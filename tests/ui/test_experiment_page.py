"""The report of an experiment in a real browser: wide tables scroll, the page does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lab_rows import made_up_rows
from ui.browsing import SKIPPED, WAIT

from mahc.lab.paper.results import Results, outline_of_rows
from mahc.lab.report.writing import report_files

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")
# The elements that reach beyond the window, unless they are inside one that scrolls by itself, as the contents do.
BEYOND = """() => [...document.querySelectorAll("body *")]
    .filter((each) => !each.closest(".scroll, nav") && each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.tagName + "." + each.className)"""


@pytest.fixture(scope="module", params=["paper", "own"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = made_up_rows()
    outline = replace(outline_of_rows(rows), plan_name=request.param)
    path = tmp_path_factory.mktemp("report") / "index.html"
    path.write_text(report_files(Results(rows, outline))["index.html"], encoding="utf-8")
    return Path(path).as_uri()


@pytest.mark.parametrize("width", [400, 1300])
def test_the_page_fits_the_window(browser: Any, report: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    try:
        page.set_default_timeout(WAIT)
        page.goto(report, timeout=WAIT)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert page.evaluate(BEYOND) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        wide = page.evaluate(
            "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth).length"
        )
        assert wide > 0 or width > 400  # a narrow window scrolls its wide tables
    finally:
        page.close()
