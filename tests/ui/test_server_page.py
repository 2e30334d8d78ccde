"""The page of the server in a real browser: data, knowledge, runs, jobs, several tabs."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slow_data import MOST_KICKS, slow_csv
from ui.browsing import (
    SKIPPED,
    click_arc,
    click_box,
    details,
    drag,
    draw_arc,
    middle,
    opened,
    until,
    wait_for,
)
from ui.serving import Served
from ui.test_report_page import violations

from mahc.networks import load_network, sample_path

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")
pytest.importorskip("starlette")


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    with opened(browser, server.url, permissions=["clipboard-read", "clipboard-write"]) as found:
        upload(found, "asia.csv", sample_path("asia").read_bytes())
        yield found


def upload(page: Any, name: str, content: bytes) -> None:
    step(page, "Data")
    if page.locator("#new-project").is_enabled():
        page.locator("#new-project").click()
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    until(page, "(name) => document.querySelector('#pane-table').innerText.includes(name)", arg=name)
    until(page, "document.querySelector('#pane-table .conclusion') !== null")


def step(page: Any, name: str) -> None:
    page.locator(".steps button", has_text=name).click()
    until(page, f"document.querySelector('.steps [aria-current]').textContent.includes('{name}')")


def pane(page: Any) -> str:
    return str(page.locator("#pane-table").inner_text())


def card(page: Any, column: str) -> Any:
    return page.locator(f".card[data-column='{column}']")


def expect_table(page: Any, part: str) -> None:
    wait_for(page, lambda: part in pane(page), f"the data step says {part}")


def status(page: Any) -> str:
    return str(page.locator("footer [role=status]").inner_text())


def learn(page: Any) -> None:
    run = "new URLSearchParams(location.hash.slice(1)).get('run')"
    before = page.evaluate(run)
    page.locator("#learn").click()
    wait_for(page, lambda: page.evaluate(run) not in (None, before), "a new run")
    page.wait_for_selector("#cancel", state="detached")
    until(page, "document.querySelector('.mahc').dataset.step === 'judge'")


def statements(page: Any) -> list[str]:
    return [text.removesuffix(" Remove") for text in page.locator(".statements li").all_inner_texts()]


def expect_statements(page: Any, *expected: str) -> None:
    """Wait until the panel lists exactly these statements."""
    wait_for(page, lambda: statements(page) == [*expected], f"statements {expected}")


def expect_copied(page: Any, part: str) -> None:
    """Wait until the clipboard holds a text with this part."""
    wait_for(page, lambda: part in page.evaluate("navigator.clipboard.readText()"), f"copied {part}")


def test_the_start_teaches_and_the_sample_works(browser: Any, server: Served) -> None:
    with opened(browser, server.url + "#data=none") as page:
        assert "Drop a file here" in page.locator("#pane-start").inner_text()
        page.get_by_role("button", name="Try the sample").click()
        expect_table(page, "1,000 rows, 8 columns: can be used")
        step(page, "Learn")
        assert page.locator("#algorithm-best").is_checked()
        learn(page)
        assert "7 arcs" in page.locator(".runs").inner_text()
        assert "7 arcs among 8 variables" in details(page)


def test_arcs_are_confirmed_and_forbidden_and_undone(page: Any) -> None:
    learn(page)
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Confirm").click()
    expect_statements(page, "bronc → dysp is required")
    click_arc(page, "either", "xray")
    page.keyboard.press("Delete")
    expect_statements(page, "bronc → dysp is required", "either → xray is forbidden")
    page.get_by_role("button", name="Undo").click()
    expect_statements(page, "bronc → dysp is required")
    page.keyboard.press("Control+Shift+z")
    expect_statements(page, "bronc → dysp is required", "either → xray is forbidden")
    learn(page)
    assert page.locator(".arc .lock").count() == 1
    assert page.locator(".arc.ghost").count() >= 1
    page.get_by_role("button", name="Hide removed arcs").click()
    assert page.locator(".arc.ghost").count() == 0
    click_box(page, "either")
    click_box(page, "xray", shift=True)
    until(page, "document.querySelector('.details').innerText.includes('forbidden arc either → xray')")


def test_variables_keep_their_places_after_learning_again(page: Any) -> None:
    learn(page)
    before = {name: middle(page, name) for name in ("asia", "xray", "dysp")}
    click_arc(page, "either", "xray")
    page.get_by_role("button", name="Forbid any edge").click()
    learn(page)
    for name, place in before.items():
        assert middle(page, name) == pytest.approx(place, abs=1)


def test_an_arc_is_drawn_and_a_contradiction_is_shown(page: Any) -> None:
    learn(page)
    draw_arc(page, "asia", "tub")
    page.get_by_role("menuitem", name="Require asia → tub").click()
    expect_statements(page, "asia → tub is required")
    draw_arc(page, "tub", "asia")
    page.get_by_role("menuitem", name="Require tub → asia").click()
    clash = page.locator("[role=alert]")
    clash.get_by_text("contradict each other").wait_for()
    assert "asia → tub is required" in clash.inner_text()
    page.locator("#learn").click()
    until(page, "document.querySelector('footer').innerText.includes('contradict each other')")
    clash.get_by_role("button", name="Remove tub → asia is required").click()
    until(page, "document.querySelector('[role=alert]').innerText === ''")


def test_tiers_are_lanes_into_which_variables_are_dragged(page: Any) -> None:
    step(page, "Knowledge")
    lane = lambda title: page.locator(".lane").filter(has_text=title).locator("rect").bounding_box()  # noqa: E731
    target = lane("new tier")
    drag(page, middle(page, "smoke"), (target["x"] + target["width"] / 2, target["y"] + 150))
    expect_statements(page, "smoke is in tier 1")
    page.get_by_role("button", name="Fit").click()
    target = lane("new tier")
    drag(page, middle(page, "lung"), (target["x"] + target["width"] / 2, target["y"] + 150))
    expect_statements(page, "smoke is in tier 1", "lung is in tier 2")
    page.get_by_role("button", name="Fit").click()
    target = lane("no tier")
    drag(page, middle(page, "lung"), (target["x"] + target["width"] / 2, target["y"] + 150))
    expect_statements(page, "smoke is in tier 1")
    page.keyboard.press("Control+z")
    expect_statements(page, "smoke is in tier 1", "lung is in tier 2")
    learn(page)
    page.get_by_role("tab", name="About this run").click()
    assert "lung is in tier 2" in page.locator("#pane-about").inner_text()


def test_knowledge_files_are_loaded_and_saved(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text('required_arcs = [["smoke", "lung"]]\ntiers = [["asia"], ["xray"]]\n')
    step(page, "Knowledge")
    with page.expect_file_chooser() as chooser:
        page.locator("#load-knowledge").click()
    chooser.value.set_files(str(file))
    until(page, "document.querySelectorAll('.statements li').length === 3")
    with page.expect_download() as saved:
        page.locator("#save-knowledge").click()
    found = json.loads(Path(saved.value.path()).read_text())
    assert found["required_arcs"] == [["smoke", "lung"]]
    assert found["tiers"] == [["asia"], ["xray"]]


def test_runs_are_compared_with_each_other_and_with_a_graph(page: Any, tmp_path: Path) -> None:
    learn(page)
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Forbid any edge").click()
    learn(page)
    page.get_by_role("button", name="Compare with run").first.click()
    page.wait_for_selector(".compare h2")
    assert "1 missing" in page.locator(".compare").inner_text()
    assert page.locator(".arc.missing").count() == 1
    assert "F1" in page.locator(".compare .measures").inner_text()
    page.get_by_role("button", name="End the comparison").click()
    assert page.locator(".arc.missing").count() == 0
    truth = tmp_path / "truth.csv"
    truth.write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in load_network("asia").arcs))
    with page.expect_file_chooser() as chooser:
        page.locator("#compare-file").click()
    chooser.value.set_files(str(truth))
    until(page, "document.querySelector('.compare').innerText.includes('truth.csv')")
    assert page.locator(".arc.missing").count() >= 1


def test_a_bootstrap_shows_confidence(page: Any) -> None:
    learn(page)
    page.locator("#resamples").fill("10")
    page.locator("#bootstrap").click()
    page.wait_for_selector("#slider-confidence")
    click_arc(page, "bronc", "dysp")
    assert "of 10 resamples" in details(page)
    assert page.locator(".arc[stroke-opacity]").count() == page.locator(".arc:not(.ghost)").count()


def test_what_if(page: Any) -> None:
    learn(page)
    click_box(page, "xray")
    page.get_by_role("button", name="Observe xray = yes").click()
    until(page, "document.querySelector('.box.observed') !== null")
    click_box(page, "lung")
    until(page, "document.querySelector('.details').innerText.includes('was ')")
    observed = details(page)
    click_box(page, "xray")
    page.get_by_role("button", name="Set xray to yes").click()
    until(page, "document.querySelector('.box.set')?.textContent.includes('set to yes')")
    click_box(page, "lung")
    assert details(page) != observed
    page.get_by_role("button", name="Clear what is supposed").click()
    until(page, "document.querySelector('.box.set') === null")


def test_everything_is_shared_once(page: Any) -> None:
    learn(page)
    step(page, "Share")
    titles = [text.split("\n")[0] for text in page.locator(".export").all_inner_texts()]
    assert titles == ["Project", "Report", "Picture", "Methods", "Repeat it", "For other programs"]
    with page.expect_download() as saved:
        page.locator("#save-report").click()
    assert "mahc-view" in Path(saved.value.path()).read_text()
    for wanted, start in (("folder", b"PK"), ("network-bif", b"network"), ("graph-dot", b"digraph")):
        page.locator("#format").select_option(wanted)
        with page.expect_download() as saved:
            page.locator("#save-format").click()
        assert Path(saved.value.path()).read_bytes().startswith(start)
    listed = page.locator("#format option").all_inner_texts()
    assert not [text for text in listed if "SVG" in text or "Report" in text]
    page.get_by_role("button", name="Copy as command").click()
    expect_copied(page, "mahc learn asia.csv")
    page.get_by_role("button", name="Copy as Python").click()
    expect_copied(page, "mahc.learn(data")
    page.get_by_role("button", name="Copy the methods paragraph").click()
    expect_copied(page, "[1] ")


def test_pictures_have_the_size_that_was_asked_for(page: Any) -> None:
    learn(page)
    step(page, "Share")
    with page.expect_download() as saved:
        page.locator("#save-svg").click()
    assert b"xray" in Path(saved.value.path()).read_bytes()
    page.locator("#picture-width").fill("10")
    with page.expect_download() as saved:
        page.locator("#save-png").click()
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    wide = struct.unpack(">I", content[16:20])[0]
    assert wide == round(10 / 2.54 * 300)
    density = content.index(b"pHYs")
    assert struct.unpack(">I", content[density + 4 : density + 8])[0] == round(300 / 0.0254)


def start_slow(page: Any) -> None:
    upload(page, "slow.csv", slow_csv())
    step(page, "Learn")
    page.locator("#pane-learn summary", has_text="Settings").click()
    page.locator("[data-key=kicks]").fill(str(MOST_KICKS))
    page.locator("[data-key=kicks]").press("Tab")
    page.locator("#learn").click()
    until(page, "document.querySelector('.progress')?.innerText.includes(' s')")


def test_a_run_survives_a_reload_and_is_cancelled(page: Any) -> None:
    start_slow(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    until(page, "document.querySelector('.progress')?.innerText.includes(' s')")
    page.locator("#cancel").click()
    page.wait_for_selector(".runs li button.link")
    assert "interrupted" in page.locator(".runs").inner_text()
    wait_for(page, lambda: "best graph so far" in status(page), "the message at the end")


def test_progress_neither_replaces_nor_moves_the_cancel_button(page: Any) -> None:
    start_slow(page)
    page.evaluate("() => { window.cancelButton = document.querySelector('#cancel'); window.texts = new Set(); }")
    left = "window.cancelButton.getBoundingClientRect().left"
    before = page.evaluate(left)
    until(page, "window.texts.add(document.querySelector('.progress').innerText).size > 3")
    assert page.evaluate("document.querySelector('#cancel') === window.cancelButton")
    assert page.evaluate(left) == before
    page.locator("#cancel").click()
    page.wait_for_selector(".runs li button.link")


def test_two_tabs_do_not_disturb_each_other(browser: Any, server: Served, page: Any) -> None:
    learn(page)
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Confirm").click()
    with opened(browser, server.url + "#data=none") as other:
        upload(other, "other.csv", b"a,b\n" + b"x,x\ny,y\n" * 50)
        learn(other)
        assert other.locator(".box").count() == 2
        assert "Nothing stated yet" in other.locator(".statements").inner_text()
        assert page.locator(".box").count() == 8
        expect_statements(page, "bronc → dysp is required")
        learn(page)
        assert other.locator(".box").count() == 2
        other.reload()
        other.wait_for_selector("html[data-ready]")
        assert other.locator(".box").count() == 2


def test_by_keyboard_alone(browser: Any, server: Served) -> None:
    with opened(browser, server.url + "#data=none") as page:
        page.get_by_role("button", name="Try the sample").focus()
        page.keyboard.press("Enter")
        until(page, "!document.querySelector('#learn').disabled")
        page.locator("#learn").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".runs li button.link")
        page.wait_for_selector(".arc")
        page.keyboard.press("/")
        page.keyboard.type("smoke")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.locator("#tier").focus()
        page.keyboard.press("ArrowDown")
        until(page, "document.querySelector('.statements').innerText.includes('smoke is in tier 1')")
        page.locator("#other").select_option(label="lung")
        page.get_by_role("button", name="Require arc to it").focus()
        page.keyboard.press("Enter")
        expect_statements(page, "smoke → lung is required", "smoke is in tier 1")
        page.keyboard.press("Control+z")
        expect_statements(page, "smoke is in tier 1")


def test_names_from_a_file_are_text(page: Any) -> None:
    odd = '"<script>alert(1)</script>","عمر","<img src=x onerror=alert(1)>"\n' + "x,<b>,1\ny,&lt;,2\n" * 60
    upload(page, "<b>odd.csv", odd.encode())
    learn(page)
    click_box(page, "<script>alert(1)</script>")
    assert "<script>alert(1)</script>" in details(page)
    draw_arc(page, "عمر", "<img src=x onerror=alert(1)>")
    page.get_by_role("menuitem").first.click()
    wait_for(page, lambda: "onerror" in "".join(statements(page)), "the statement")
    assert len(statements(page)) == 1
    assert page.locator("img").count() == 0


def test_axe_finds_no_violation(browser: Any, server: Served) -> None:
    with opened(browser, server.url + "#data=none", bypass_csp=True) as page:
        assert violations(page) == []
        page.get_by_role("button", name="Try the sample").click()
        until(page, "!document.querySelector('#learn').disabled")
        assert violations(page) == []
        learn(page)
        click_arc(page, "bronc", "dysp")
        page.get_by_role("button", name="Confirm").click()
        assert violations(page) == []
        for name in ("Data", "Knowledge", "Learn", "Share"):
            step(page, name)
            assert violations(page) == [], name


def test_without_the_token_the_page_says_what_to_do(browser: Any, server: Served) -> None:
    page = browser.new_page()
    page.goto(server.url.split("?")[0])
    assert "open the address that mahc ui printed" in page.content()
    page.close()


def test_a_number_that_is_none_is_refused_by_the_name_of_its_field(page: Any) -> None:
    def expect(part: str) -> None:
        wait_for(page, lambda: part in status(page), f"{part}: {status(page)}")

    step(page, "Learn")
    page.locator("#algorithm-hc").check()
    page.locator("summary", has_text="Settings").click()
    page.locator("#limit").fill("1,5")
    page.locator("#learn").click()
    expect("“Time limit”: “1,5” is not a number. Type a number, with a point as decimal mark.")
    page.locator("#limit").fill("")
    page.locator("[data-key=search_in_degree]").fill("three")
    page.locator("#learn").click()
    expect("“Search in degree”: “three” is not a whole number. Type a whole number.")
    page.locator("[data-key=search_in_degree]").fill("3")
    page.locator("[data-key=memory_mebibytes]").fill("much")
    page.locator("#learn").click()
    expect("memory")
    page.locator("[data-key=memory_mebibytes]").fill("1 GiB")
    learn(page)
    page.locator("#resamples").fill("many")
    page.locator("#bootstrap").click()
    expect("“resamples”: “many” is not a whole number from 1 on.")
    step(page, "Share")
    page.locator("#picture-width").fill("wide")
    page.get_by_role("button", name="PNG").click()
    expect("“Width in cm”: “wide” is not a number from 2 to 100.")
    step(page, "Knowledge")
    page.get_by_label("Relation").select_option("belief")
    page.locator("#belief-percent").fill("80 %")
    page.locator("#add-statement").click()
    expect("“Likely, in percent”: “80 %” is not a number from 1 to 99.")


def test_messages_name_the_file_and_draw_their_arrows(page: Any) -> None:
    learn(page)
    graphs = page.locator("input[aria-label='Graph file']")
    for name, content, expected in (
        ("mine.csv", b"from,to\nsmoke,lung\nlung,smoke\n", "mine.csv, line 3: the arcs smoke → lung and lung → smoke"),
        ("mine.bif", b"network x {", "mine.bif, line 1: the file ends"),
    ):
        graphs.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
        wait_for(page, lambda: expected in status(page), f"{expected}: {status(page)}")  # noqa: B023


def test_observed_and_set_look_different(page: Any) -> None:
    learn(page)
    click_box(page, "bronc")
    page.get_by_role("button", name="Observe bronc = yes").click()
    wait_for(
        page, lambda: page.locator(".box.observed .evidence").all_text_contents() == [" observed: yes"], "observed"
    )
    assert page.locator(".box.set, .arc.cut").count() == 0
    page.get_by_role("button", name="Set bronc to yes").click()
    wait_for(page, lambda: page.locator(".box.set .evidence").all_text_contents() == [" set to yes"], "set")
    assert page.locator(".box.observed").count() == 0
    assert all("bronc" in text for text in page.locator(".arc.cut title").all_text_contents())
    click_box(page, "either")
    page.get_by_role("button", name="Set either to yes").click()
    wait_for(page, lambda: page.locator(".arc.cut").count() >= 2, "its causes play no part")


def test_signs_of_a_comparison_do_not_cover_each_other(page: Any) -> None:
    learn(page)
    frame = page.locator("svg.graph").bounding_box()
    left, right, bottom = frame["x"] + 60, frame["x"] + frame["width"] - 60, frame["y"] + frame["height"]
    for name, place in {
        "smoke": (left, bottom - 110), "bronc": (right, bottom - 30),
        "lung": (right, bottom - 110), "either": (left, bottom - 30),
    }.items():  # fmt: skip
        drag(page, middle(page, name), place)  # two arcs cross in their middles
    names = ["asia", "bronc", "dysp", "either", "lung", "smoke", "tub", "xray"]
    graph = json.dumps({"names": names, "arcs": []}).encode()
    graphs = page.locator("input[aria-label='Graph file']")
    graphs.set_input_files({"name": "other.json", "mimeType": "text/json", "buffer": graph})
    wait_for(page, lambda: page.locator(".sign").count() == page.locator(".arc").count() > 5, "signs")
    places = [sign.bounding_box() for sign in page.locator(".sign").all()]
    close = [
        (a, b) for i, a in enumerate(places) for b in places[:i] if abs(a["x"] - b["x"]) + abs(a["y"] - b["y"]) < 12
    ]
    assert close == []
