"""Four journeys through the page, from a file to what is shared, each stage looked at in several windows.

`MAHC_SCREENSHOTS=FOLDER python -m pytest -n 0 tests/ui/test_journeys.py` keeps a picture of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui.browsing import SKIPPED, click_arc, click_box, details, draw_arc, opened, until, wait_for
from ui.messy_files import european_csv
from ui.serving import Served
from ui.test_data_step import changes, expect_change
from ui.test_judge import OVERLAPS, SHOWN_TEXT, chain
from ui.test_report_page import violations
from ui.test_server_page import card, expect_table, learn, pane, step, upload

from mahc.networks import load_network, sample, sample_path

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")
pytest.importorskip("starlette")

PICTURES = os.environ.get("MAHC_SCREENSHOTS")
WINDOWS = [(1400, 860), (1000, 800), (390, 780)]
# Controls of one line whose text has a second line, words that are cut, and controls that others cover.
FLAWS = """() => {
    const found = [];
    const name = (each) => `${each.tagName} ${(each.innerText || each.ariaLabel || each.id || "").slice(0, 40)}`;
    const lines = (each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const words = [...range.getClientRects()].filter((rect) => rect.width > 0);
        return new Set(words.map((rect) => Math.round(rect.top / 6))).size;
    };
    for (const place of ["header", ".tools", ".tabs", ".corner", "footer", ".zoom"])
    for (const each of document.querySelectorAll(`${place} button`)) {
        if (!each.checkVisibility() || !each.offsetHeight) continue;
        if (each.querySelectorAll("*").length === 0 && lines(each) > 1) found.push(`two lines: ${name(each)}`);
        const { left, top, width, height } = each.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const there = x < innerWidth && y < innerHeight && x > 0 && document.elementFromPoint(x, y);
        const covered = there && !each.contains(there) && !there.closest(".left, .right");
        if (covered) found.push(`covered: ${name(each)} by ${name(there)}`);
    }
    for (const each of document.querySelectorAll(".left, .right, .pane")) {
        const hidden = each.offsetHeight ? each.scrollWidth - each.clientWidth : 0;
        if (hidden > 2) found.push(`cut: ${each.className} ${hidden}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
    return found;
}"""


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    with opened(browser, server.url + "#data=none", viewport={"width": 1400, "height": 860}, bypass_csp=True) as found:
        yield found


def look(page: Any, name: str, axe: bool = False) -> None:
    """What must hold at every stage, in every window, light and dark."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(150)
            where = f"{name} {width} {scheme}"
            if PICTURES:
                page.screenshot(path=str(Path(PICTURES) / f"{where.replace(' ', '-')}.png"))
            assert page.evaluate(FLAWS) == [], where
            assert min(page.evaluate(SHOWN_TEXT), default=9) >= 8.99, where
            assert page.evaluate(OVERLAPS) == 0, where
            if axe and width != 1000:
                assert violations(page) == [], where
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1400, "height": 860})


def go_to(page: Any, name: str) -> None:
    step(page, name)
    page.mouse.move(0, 400)


def test_a_messy_file_becomes_a_shared_report(page: Any, browser: Any, tmp_path: Path) -> None:
    look(page, "file 0 start", axe=True)
    for name in ("Knowledge", "Learn", "Judge", "Share"):  # every step can be entered, and says what it lacks
        go_to(page, name)
        assert "Choose a file first" in page.locator("main").inner_text()
    upload(page, "messung.csv", european_csv())
    look(page, "file 1 problems", axe=True)
    go_to(page, "Knowledge")
    assert page.locator(".box").count() == 8  # knowledge can be stated before all problems are solved
    go_to(page, "Judge")
    assert "no run yet" in details(page)
    go_to(page, "Data")
    page.locator("#fix-all").click()
    expect_table(page, "can be used")
    card(page, "Schweregrad").locator("select").select_option("ordered")
    page.get_by_role("button", name="Merge with the next: leicht").click()
    expect_change(page, "Schweregrad is ordered: leicht or mittel < schwer")
    wait_for(page, lambda: "2 values" in card(page, "Schweregrad").inner_text(), "the merged states")
    assert not [text for text in changes(page) if "impute" in text or "cp1252:" in text]
    look(page, "file 2 mended", axe=True)
    for name in ("Knowledge", "Learn"):
        go_to(page, name)
        look(page, f"file 3 {name}", axe=True)
    learn(page)
    assert page.locator("footer [role=status]").inner_text().startswith("Run ")
    assert "kick" not in page.locator("footer").inner_text()
    look(page, "file 4 judge", axe=True)
    page.locator("#next-posterior").click()
    wait_for(page, lambda: "doubtful" in details(page), "how sure the arcs are")
    look(page, "file 5 sure")
    go_to(page, "Share")
    look(page, "file 6 share", axe=True)
    with page.expect_download() as saved:
        page.locator("#save-report").click()
    (tmp_path / "report.html").write_bytes(Path(saved.value.path()).read_bytes())
    with opened(browser, (tmp_path / "report.html").as_uri(), bypass_csp=True) as report:
        assert "Schweregrad" in report.locator(".variables").inner_text()
        look(report, "file 7 report", axe=True)


def test_long_names_are_whole_on_the_screen_and_for_screen_readers(page: Any) -> None:
    names = ["Familienstand der Patientin bzw. des Patienten", "systolic_blood_pressure_at_admission", "Klinik"]
    flips = [f"{k % 2},{(k // 2) % 2 if k % 5 else k % 2},{(k // 3) % 2}" for k in range(120)]
    upload(page, "long.csv", "\n".join([",".join(names), *flips, ""]).encode())
    go_to(page, "Knowledge")
    shown = page.evaluate("[...document.querySelectorAll('.box')].map((each) => each.textContent)")
    assert all(f"{name}{name}" == text for name, text in zip(names, shown, strict=True))  # tooltip and lines
    look(page, "long 0 draft", axe=True)
    learn(page)
    look(page, "long 1 judge", axe=True)


def test_an_expert_states_tiers_and_mends_a_contradiction(page: Any) -> None:
    upload(page, "asia.csv", sample_path("asia").read_bytes())
    go_to(page, "Knowledge")
    page.locator("summary", has_text="Paste as text").click()
    tiers = [["asia", "smoke"], ["tub", "lung", "bronc"], ["either"], ["xray", "dysp"]]
    page.get_by_label("Knowledge as text").fill(f"tiers = {tiers!r}")
    page.locator("#use-text").click()
    until(page, "document.querySelectorAll('.lane').length === 6")
    look(page, "expert 0 tiers", axe=True)
    draw_arc(page, "xray", "smoke")
    page.get_by_role("menuitem", name="require").first.click()
    wait_for(page, lambda: "contradict" in page.locator(".left").inner_text(), "the contradiction")
    page.locator(".steps .badge").wait_for()
    look(page, "expert 1 clash", axe=True)
    page.locator(".left [role=alert]").get_by_role("button", name="Remove xray → smoke is required").click()
    wait_for(page, lambda: "contradict" not in page.locator(".left").inner_text(), "no contradiction")
    learn(page)
    look(page, "expert 2 judge", axe=True)
    go_to(page, "Knowledge")
    look(page, "expert 3 lanes with arcs")


def test_two_runs_are_compared(page: Any) -> None:
    upload(page, "asia.csv", sample_path("asia").read_bytes())
    learn(page)
    click_arc(page, "either", "xray")
    look(page, "compare 0 arc", axe=True)
    page.get_by_role("button", name="Forbid any edge").click()
    learn(page)
    page.get_by_role("button", name="Compare with run").first.click()
    page.wait_for_selector(".compare h2")
    assert "Compared as CPDAGs" in page.locator(".compare").inner_text()
    look(page, "compare 1 runs", axe=True)
    page.get_by_role("button", name="End the comparison").click()
    page.locator(".runs li").last.locator("button").first.click()
    wait_for(
        page, lambda: "Nothing stated yet" in page.locator(".statements").inner_text(), "the knowledge of the first"
    )


def test_what_if_and_an_effect(page: Any) -> None:
    upload(page, "asia.csv", sample_path("asia").read_bytes())
    learn(page)
    page.get_by_role("button", name="Bars").click()
    click_box(page, "smoke")
    page.get_by_role("button", name="Observe smoke = yes").click()
    until(page, "document.querySelectorAll('.written .bar-before').length === 16")
    look(page, "what-if 0 observed", axe=True)
    page.get_by_role("button", name="Set smoke to yes").click()
    wait_for(page, lambda: "set from outside" in details(page), "the intervention")
    look(page, "what-if 1 set")
    page.keyboard.press("Escape")
    page.locator("#cause").select_option("smoke")
    page.locator("#target").select_option("dysp")
    page.locator("#estimate").click()
    wait_for(page, lambda: "% interval:" in details(page), "the effect")
    look(page, "what-if 2 effect", axe=True)


@pytest.mark.parametrize("many", [8, 37, 109, 500])
def test_any_number_of_variables_in_any_window(page: Any, many: int) -> None:
    if many > 37:
        table = chain(many)
    else:
        data = sample(load_network("asia" if many == 8 else "alarm"), 500, 1)
        table = {
            name: [column.labels[code] for code in column.codes]
            for name, column in zip(data.names, data.columns, strict=True)
        }
    names, rows = list(table), zip(*table.values(), strict=True)
    content = "\n".join([",".join(names), *(",".join(row) for row in rows)]) + "\n"
    upload(page, f"variables{many}.csv", content.encode())
    assert "can be used" in pane(page)
    look(page, f"many {many} data")
    go_to(page, "Learn")
    page.locator("#algorithm-hc").check()
    learn(page)
    look(page, f"many {many} judge")
    go_to(page, "Knowledge")
    look(page, f"many {many} knowledge")
