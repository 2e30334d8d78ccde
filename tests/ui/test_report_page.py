"""The report file in a real browser: everything that a person can do without a server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui.browsing import SKIPPED, click_arc, click_box, details, drag, middle, opened, transform, until

import mahc
from mahc.networks import load_network, sample

pytestmark = [pytest.mark.browser, SKIPPED]
playwright = pytest.importorskip("playwright")

ODD = "<script>alert(1)</script>"
RTL = "عمر المريض"


@pytest.fixture(scope="module")
def asia(tmp_path_factory: pytest.TempPathFactory) -> str:
    data = sample(load_network("asia"), 3000, 1)
    learned = mahc.learn(
        data, knowledge={"required_arcs": [["smoke", "bronc"]], "tiers": [["asia", "smoke"], ["xray"]]}
    )
    learned = learned.with_confidence(mahc.bootstrap(data, knowledge=learned.knowledge, resamples=20))
    path = tmp_path_factory.mktemp("report") / "asia.html"
    learned.report(path, data)
    return path.as_uri()


@pytest.fixture
def page(browser: Any, asia: str) -> Iterator[Any]:
    with opened(browser, asia) as found:
        yield found


def test_it_asks_the_network_for_nothing(browser: Any, asia: str) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(asia)
    page.wait_for_selector("html[data-ready]")
    click_box(page, "xray")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def test_pan_zoom_fit_and_search(page: Any) -> None:
    before = transform(page)
    drag(page, (400, 640), (460, 600))
    panned = transform(page)
    assert panned != before
    page.mouse.move(600, 400)
    page.mouse.wheel(0, -300)
    zoomed = transform(page)
    assert float(zoomed.split("scale(")[1][:-1]) > float(panned.split("scale(")[1][:-1])
    page.get_by_role("button", name="Fit").click()
    assert transform(page) == before
    page.get_by_role("searchbox", name="Search variables").fill("XR")
    assert page.locator(".variables button").all_inner_texts()[0].startswith("xray")
    page.locator(".variables button").first.click()
    assert details(page).startswith("xray")


def test_a_variable_shows_states_blanket_parents_and_children(page: Any) -> None:
    click_box(page, "either")
    text = details(page)
    for part in ("States and frequencies", "Parents", "lung", "Children", "bits", "Markov blanket"):
        assert part in text
    shown = {each.locator("title").text_content() for each in page.locator(".box.blanket").all()}
    assert {"lung", "xray", "dysp"} <= shown


def test_an_arc_shows_strength_confidence_direction_reason_and_table(page: Any) -> None:
    click_arc(page, "bronc", "dysp")
    text = details(page)
    for part in (
        "Strength",
        "bits of score would be lost",
        "of 20 resamples",
        "bronc → dysp",
        "Why",
        "removing it would lower",
        "Probabilities of dysp",
    ):
        assert part in text
    click_arc(page, "smoke", "bronc")
    assert "required arc smoke → bronc" in details(page)
    assert page.locator(".arc .lock").count() == 1


def test_why_there_is_no_arc_in_both_directions(page: Any) -> None:
    click_box(page, "asia")
    click_box(page, "xray", shift=True)
    until(page, "document.querySelectorAll('.details .reason').length === 2")
    until(page, "[...document.querySelectorAll('.details .reason')].every((e) => e.textContent.length > 5)")
    text = details(page)
    assert "asia → xray is not in the graph" in text
    assert "xray → asia is not in the graph: tiers" in text


def test_sliders_hide_arcs(page: Any) -> None:
    total = page.locator(".arc").count()
    page.locator("#slider-strength").fill("4")
    assert page.locator(".arc:not(.hidden)").count() == total - 4
    page.locator("#slider-strength").fill("0")
    page.locator("#slider-confidence").fill("100")
    assert 0 < page.locator(".arc:not(.hidden)").count() <= total


def test_dag_and_cpdag(page: Any) -> None:
    directed = page.locator(".arc .head").count()
    page.get_by_role("button", name="DAG", exact=True).click()
    assert page.locator(".arc .head").count() == page.locator(".arc").count() > directed


def test_a_variable_can_be_dragged_and_put_back(page: Any) -> None:
    before = middle(page, "asia")
    drag(page, before, (before[0] + 80, before[1] + 50))
    assert middle(page, "asia") == pytest.approx((before[0] + 80, before[1] + 50), abs=3)
    page.keyboard.press("Control+z")
    assert middle(page, "asia") == pytest.approx(before, abs=1)
    page.keyboard.press("Control+Shift+z")
    assert middle(page, "asia")[0] > before[0] + 60
    page.get_by_role("button", name="Restore places").click()
    assert middle(page, "asia") == pytest.approx(before, abs=1)


def test_the_table_of_arcs_sorts_and_filters(page: Any) -> None:
    page.get_by_role("tab", name="Arcs").click()
    read = lambda: page.locator("table.arcs tbody tr td:nth-child(4)").all_inner_texts()  # noqa: E731
    strengths = [float(text.replace(",", "")) for text in read()]
    assert strengths == sorted(strengths, reverse=True)
    page.get_by_role("button", name="Strength").click()
    assert [float(text.replace(",", "")) for text in read()] == sorted(strengths)
    page.get_by_role("searchbox", name="Filter arcs by name").fill("dysp")
    assert page.locator("table.arcs tbody tr").count() == 2
    page.locator("table.arcs tbody button").first.click()
    assert "Strength" in details(page)


def test_everything_about_the_run(page: Any) -> None:
    page.get_by_role("tab", name="About this run").click()
    text = page.locator("#pane-about").inner_text()
    for part in (
        "Methods", "[1] ", "Constantinou", "Schwarz", "Data", "can be used", "Settings", "search_in_degree", "Pruning",
        "level 1", "Steps", "Knowledge", "required arc smoke → bronc", "Confidence", "20 bootstrap resamples",
        "mahc learn data.csv", "import mahc", "knowledge.json", "Fingerprint", mahc.__version__,
    ):  # fmt: skip
        assert part.replace("[1] ", "[1]") in text, part
    assert page.locator(".curve path.line").count() == 1


def test_the_picture_can_be_saved(page: Any) -> None:
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Picture as SVG").click()
    assert "xray" in Path(saved.value.path()).read_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Picture as PNG").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_by_keyboard_alone(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("bronc")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert details(page).startswith("bronc")
    page.locator("svg.graph .box[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert details(page).startswith("dysp")
    page.keyboard.press("+")
    page.keyboard.press("0")
    page.keyboard.press("Escape")
    assert details(page).startswith("Result")
    page.locator("[role=tab][aria-selected=true]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("table.arcs").is_visible()


def test_a_pag_has_its_marks(browser: Any, tmp_path: Path) -> None:
    learned = mahc.learn(sample(load_network("asia"), 3000, 1), "fci")
    learned.report(tmp_path / "pag.html")
    marks = [mark for edge in learned.edges or () for mark in edge.mark]
    with opened(browser, (tmp_path / "pag.html").as_uri()) as page:
        assert page.locator(".arc .ring").count() == marks.count("o")
        assert page.locator(".arc .head").count() == marks.count(">") + marks.count("<")
        assert page.get_by_role("button", name="CPDAG").count() == 0


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> str:
    columns = {
        ODD: ["n", "y"] * 90,
        RTL: ["<b>", "&amp;"] * 90,
        "'\"><img src=x onerror=alert(1)>": ["x", "x", "y"] * 60,
    }
    path = tmp_path_factory.mktemp("odd") / "odd.html"
    mahc.learn(columns, "hc").report(path, columns)
    return path.as_uri()


def test_names_are_text_whatever_they_hold(browser: Any, odd: str) -> None:
    with opened(browser, odd) as page:
        titles = [each.text_content() for each in page.locator(".box title").all()]
        assert ODD in titles
        assert RTL in titles
        click_box(page, ODD)
        assert ODD in details(page)
        click_box(page, RTL)
        assert "<b>" in details(page)
        for tab, pane in (("Arcs", "#pane-arcs"), ("About this run", "#pane-about")):
            page.get_by_role("tab", name=tab).click()
            page.wait_for_selector(f"{pane} table, {pane} h2, {pane} h3", state="visible")
            assert page.locator("img").count() == 0


def test_dark_and_phone(browser: Any, asia: str) -> None:
    with opened(browser, asia, color_scheme="dark", viewport={"width": 390, "height": 780}, has_touch=True) as page:
        colour = page.evaluate("getComputedStyle(document.querySelector('.mahc')).backgroundColor")
        assert colour == "rgb(20, 25, 31)"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not page.locator("aside").is_visible()
        x, y = middle(page, "xray")
        page.touchscreen.tap(x, y)
        page.wait_for_selector("aside", state="visible")
        assert details(page).startswith("xray")
        page.get_by_role("button", name="Lists").click()
        assert page.locator("nav").is_visible()


def axe_source() -> str:
    """axe-core from npm, kept in a folder that MAHC_NPM names, otherwise in a temporary one."""
    folder = Path(os.environ.get("MAHC_NPM", "/tmp/mahc-npm"))
    script = folder / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core@4"]
        subprocess.run(command, check=True, timeout=900)
    return script.read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Violations of any level in the page as it is."""
    page.evaluate(axe_source())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(browser: Any, asia: str, scheme: str) -> None:
    with opened(browser, asia, color_scheme=scheme, bypass_csp=True) as page:
        assert violations(page) == []
        click_box(page, "either")
        assert violations(page) == []
        click_arc(page, "bronc", "dysp")
        assert violations(page) == []
        for tab in ("Arcs", "About this run"):
            page.get_by_role("tab", name=tab).click()
            assert violations(page) == []


def test_the_notebook_widget_renders_the_same_view(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    view = mahc.learn(sample(load_network("asia"), 3000, 1)).view()
    traits = view.trait_values()
    module = str(traits["_esm"]).replace("export default", "const widget =")
    page_text = (
        f"<!doctype html><html lang=en><head><style>{traits['_css']}</style></head><body><div id=cell></div>"
        f"<script type='application/json' id='d'>{view.document}</script><script type=module>{module}\n"
        "const model = { get: () => document.getElementById('d').textContent };"
        "widget.render({ model, el: document.getElementById('cell') });"
        "document.documentElement.dataset.ready = 'true';</script></body></html>"
    )
    (tmp_path / "cell.html").write_text(page_text)
    with opened(browser, (tmp_path / "cell.html").as_uri()) as page:
        assert not page.locator(".left").is_visible()  # the graph comes first
        assert not page.locator(".right").is_visible()
        click_box(page, "xray")
        assert "Parents" in details(page)
        assert page.locator(".right").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator(".right").is_visible()
        page.get_by_role("button", name="Show panels").click()
        assert page.locator(".left").is_visible()


def test_numbers_have_histograms_and_arcs_curves(browser: Any, tmp_path: Path) -> None:
    draw = np.random.default_rng(1).normal
    dose = draw(size=300)
    effect = dose + 0.3 * draw(size=300)
    grade = np.where(effect + 0.3 * draw(size=300) > 0, "high", "low")
    columns = {"dose": dose.tolist(), "effect": effect.tolist(), "grade": grade.tolist()}
    order = {"tiers": [["dose"], ["effect"], ["grade"]]}
    learned = mahc.learn(columns, numbers="smooth", knowledge=order)
    learned.report(tmp_path / "numbers.html", columns)
    with opened(browser, (tmp_path / "numbers.html").as_uri()) as page:
        click_box(page, "dose")
        chart = page.get_by_role("img", name="Histogram of dose")
        assert chart.locator("rect").count() == 24
        assert "lower quartile" in details(page)
        click_arc(page, "dose", "effect")
        curve = page.get_by_role("img", name="Mean of effect by dose")
        assert curve.locator("circle").count() == 12
        heights = [float(each.get_attribute("cy")) for each in curve.locator("circle").all()]
        assert heights[0] > heights[-1]  # it rises: the picture's y grows downwards
        assert "effect rises with dose" in details(page)
        click_arc(page, "effect", "grade")
        assert page.get_by_role("img", name="Shares of the states of grade by effect").locator("polyline").count() == 2
        page.get_by_role("tab", name="About this run").click()
        assert page.locator(".small-chart .histogram").count() == 2


def test_a_panel_is_shown_in_a_lane_for_each_slice(browser: Any, tmp_path: Path) -> None:
    pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
    rows = range(240)
    visits = {"id": [row // 4 for row in rows], "day": [row % 4 for row in rows], "pain": pain}
    visits["sex"] = ["f" if row % 8 < 4 else "m" for row in rows]
    mahc.learn_panel(visits, "id", "day", static=["sex"], lags=2).report(tmp_path / "slices.html")
    with opened(browser, (tmp_path / "slices.html").as_uri()) as page:
        assert page.locator(".lane text").all_text_contents() == ["static", "t-2", "t-1", "t"]
