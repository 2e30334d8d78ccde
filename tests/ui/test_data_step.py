"""The data step of the page on real messy files: read, repaired by clicks, undone, and shown as command and Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui.browsing import SKIPPED, details, drag, opened, until, wait_for
from ui.messy_files import european_csv, spreadsheet, spss_file
from ui.serving import Served
from ui.test_server_page import card, expect_table, learn, pane, status, step, upload

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")
pytest.importorskip("starlette")


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    with opened(browser, server.url + "#data=none", viewport={"width": 1400, "height": 860}) as found:
        yield found


def changes(page: Any) -> list[str]:
    return [text.removesuffix(" Undo") for text in page.locator(".changes li").all_inner_texts()]


def expect_change(page: Any, part: str, there: bool = True) -> None:
    wait_for(page, lambda: any(part in each for each in changes(page)) is there, f"{part} {there}: {changes(page)}")


def test_a_european_csv_is_read_and_its_settings_can_be_changed(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    assert page.locator("#encoding").input_value() == "cp1252"
    assert page.locator("#decimal").input_value() == ","
    assert "found: semicolon" in page.locator("#separator").inner_text()
    assert "Größe" in page.locator(".preview").inner_text()
    assert card(page, "Größe").locator("select").input_value() == "automatic"
    assert "number" in card(page, "Größe").inner_text()
    page.locator("#encoding").select_option("utf-8")
    expect_table(page, "cannot be read")
    assert "is not UTF-8" in pane(page)
    assert "/tmp" not in pane(page)
    assert "Gr" in page.locator("#pane-table pre").inner_text()  # the first lines are still shown
    page.get_by_role("button", name="Read as cp1252").click()
    expect_table(page, "300 rows")
    page.locator("#header").click()
    expect_table(page, "column1")


def test_each_problem_is_solved_by_a_click_and_undone(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    assert page.locator("#learn").is_disabled()
    first = page.locator(".card").first
    assert first.get_attribute("data-column") == "Patient_ID"  # problems come first
    card(page, "Patient_ID").get_by_role("button", name="Leave it out").click()
    expect_change(page, "Patient_ID is left out")
    card(page, "Alter").get_by_role("button", name="Treat “99” as missing").click()
    expect_change(page, "“99” means missing in Alter")

    def merged() -> bool:  # the answer to the click before may draw the card anew under this one
        offered = card(page, "Raucher").get_by_role("button", name="Merge these spellings")
        if offered.count():
            offered.first.click()
        return "nein" in card(page, "Raucher").inner_text() and "Merge" not in card(page, "Raucher").inner_text()

    wait_for(page, merged, "merged")
    card(page, "Aufnahme").get_by_role("button", name="Leave it out").click()
    expect_change(page, "Aufnahme is left out")
    card(page, "Husten").locator("summary").click()
    card(page, "Husten").get_by_role("button", name="“k.A.” means missing").click()
    expect_change(page, "“k.A.” means missing in Husten")
    assert page.locator(".missing-values .badge").inner_text() == "recommended"
    page.locator("#missing-impute").check()
    expect_table(page, "can be used")
    until(page, "!document.querySelector('#learn').disabled")
    page.get_by_role("button", name="Undo: “99” means missing in Alter").click()
    expect_change(page, "“99” means missing in Alter", there=False)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect_change(page, "“99” means missing in Alter")
    card(page, "Patient_ID").get_by_role("button", name="Use it: Patient_ID").click()
    expect_table(page, "problem")
    page.keyboard.press("Control+z")
    expect_table(page, "can be used")
    page.locator(".details summary", has_text="As command").click()
    text = details(page)
    for part in (
        "mahc audit messung.csv",
        "--decimal ,",
        "--missing-token Alter=99",
        "merge_states=True",
        "mahc.audit(",
    ):
        assert part in text
    learn(page)
    assert page.locator(".box").count() == 6


def test_all_recommended_fixes_at_once(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    page.locator("#fix-all").click()
    expect_table(page, "can be used")
    assert len(changes(page)) >= 6
    page.keyboard.press("Control+z")
    expect_table(page, "to solve")
    assert len(changes(page)) == 2  # encoding and decimal mark


def test_kinds_orders_and_cut_points(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    page.locator("#fix-all").click()
    expect_table(page, "can be used")
    card(page, "Schweregrad").locator("select").select_option("ordered")
    order = card(page, "Schweregrad").locator(".order li bdi")
    wait_for(page, lambda: order.count() == 3, "the order")
    page.get_by_role("button", name="Move schwer up").click()
    wait_for(page, lambda: order.all_inner_texts() == ["leicht", "schwer", "mittel"], "the new order")
    expect_change(page, "Schweregrad is ordered: leicht < schwer < mittel")
    page.keyboard.press("Control+z")
    wait_for(page, lambda: order.all_inner_texts() == ["leicht", "mittel", "schwer"], "the order before")
    card(page, "Größe").locator("select").select_option("cut")
    points = page.get_by_label("Cut points of Größe")
    points.wait_for()
    wait_for(page, lambda: points.input_value().count(",") == 2, "three cut points")
    before = points.input_value()
    handle = card(page, "Größe").locator(".handle").first.bounding_box()
    start = (handle["x"] + handle["width"] / 2, handle["y"] + 20)
    drag(page, start, (start[0] - 40, start[1]))
    wait_for(page, lambda: points.input_value() != before, "the dragged cut point")
    points.fill("1.6, 1.8")
    points.press("Enter")
    expect_change(page, "Größe is cut at 1.6, 1.8")
    learn(page)
    assert page.locator(".variables").inner_text().count("states") >= 5


def test_numbers_are_cut_from_the_graph(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    page.locator("#fix-all").click()
    expect_table(page, "can be used")
    card(page, "Größe").locator("select").select_option("cut")
    page.get_by_role("button", name="Cut Größe into thirds").click()
    expect_change(page, "Größe is cut by quantile 3")
    page.get_by_role("button", name="Cut Größe from the graph").click()
    expect_change(page, "Columns of numbers: cut them from the graph")
    expect_change(page, "Größe is cut", there=False)
    page.locator(".details summary", has_text="As command").click()
    wait_for(page, lambda: "--numbers cuts" in details(page) and "numbers='cuts'" in details(page), "the texts")
    learn(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    step(page, "Judge")
    page.get_by_role("tab", name="About this run").click()
    assert "--numbers cuts" in page.locator("main").inner_text()
    step(page, "Data")
    page.get_by_role("button", name="Undo: Columns of numbers").click()
    expect_change(page, "Columns of numbers", there=False)


def test_a_spreadsheet_has_sheets(page: Any, tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    pytest.importorskip("xlsxwriter")
    spreadsheet(tmp_path / "study.xlsx")
    upload(page, "study.xlsx", (tmp_path / "study.xlsx").read_bytes())
    page.locator("#sheet").select_option("Rows")
    expect_table(page, "Patient_ID")
    page.locator("#pane-table").get_by_role("button", name="Apply all recommended fixes").click()
    expect_table(page, "can be used")


def test_a_sheet_of_notes_is_left_by_a_click(page: Any, tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    pytest.importorskip("xlsxwriter")
    spreadsheet(tmp_path / "study.xlsx")
    upload(page, "study.xlsx", (tmp_path / "study.xlsx").read_bytes())
    assert "the sheet 'Notes' has no rows below its first line" in pane(page)
    page.get_by_role("button", name="Read the sheet “Rows”").click()
    expect_table(page, "300 rows")


def test_codes_for_no_answer_are_missing_by_a_click(page: Any) -> None:
    rows = [("k.A." if i % 5 == 0 else "ab"[i % 2], "keine Angabe" if i % 7 == 0 else "uv"[i % 2]) for i in range(60)]
    upload(page, "codes.csv", "\n".join(["one,two", *map(",".join, rows)]).encode())
    card(page, "one").get_by_role("button", name="Treat “k.A.” as missing").click()
    card(page, "two").get_by_role("button", name="Treat “keine Angabe” as missing").click()
    expect_change(page, "“k.A.” means missing in one")
    expect_change(page, "“keine Angabe” means missing in two")


def test_no_field_is_wider_than_its_frame_on_a_phone(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    page.set_viewport_size({"width": 390, "height": 800})
    frame = page.locator(".file-settings").bounding_box()
    for field in page.locator(".file-settings .row select, .file-settings .row input").all():
        place = field.bounding_box()
        assert place["x"] + place["width"] <= frame["x"] + frame["width"] - 2, field.get_attribute("id")


@pytest.mark.parametrize("name", ["study.sav", "study.dta"])
def test_labels_of_statistics_programs_are_states(page: Any, tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyreadstat")
    spss_file(tmp_path / name, stata=name.endswith("dta"))
    upload(page, name, (tmp_path / name).read_bytes())
    expect_table(page, "smoke")
    assert "yes" in card(page, "cough").inner_text()
    missing = "10 missing" if name.endswith("sav") else "none missing"
    assert missing in card(page, "cough").inner_text()


def test_a_file_that_cannot_be_read_leaves_no_trace_of_another(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    upload(page, "broken.xlsx", b"this is no spreadsheet")
    expect_table(page, "cannot be read")
    assert "Patient_ID" not in pane(page)
    assert "/tmp" not in pane(page) + status(page)
    assert page.locator("#learn").is_disabled()


def test_no_word_is_broken_and_no_control_wraps(page: Any) -> None:
    upload(page, "messung.csv", european_csv())
    broken = page.evaluate(
        """() => [...document.querySelectorAll('.card h3, .preview th, .card select, button')].filter((each) => {
            const style = getComputedStyle(each);
            const line = parseFloat(style.lineHeight) || 20;
            const words = each.innerText.trim().split(/\\s+/).length;
            return each.offsetHeight && each.clientHeight > line * (words + 0.9);
        }).map((each) => each.innerText)"""
    )
    assert broken == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
