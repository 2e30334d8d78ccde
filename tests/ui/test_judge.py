"""The step Judge: plain words first, readable labels at any size, neighbourhoods, bars, effects, comparisons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui.browsing import (
    SKIPPED,
    box,
    click_arc,
    click_box,
    details,
    draw_arc,
    middle,
    opened,
    transform,
    until,
    wait_for,
)
from ui.serving import Served, serving
from ui.test_server_page import expect_statements, learn, step, upload

import mahc
from mahc.networks import load_network, sample, sample_path
from mahc.ui.document import make_document
from mahc.ui.report import page_of

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")
pytest.importorskip("starlette")

# The height of every letter that is shown in the graph, in pixels of the screen.
SHOWN_TEXT = """() => [...document.querySelectorAll("svg.graph text")].filter((each) => {
    for (let at = each; at; at = at.parentElement) if (getComputedStyle(at).display === "none") return false;
    return each.textContent && each.getBBox().width > 0;
}).map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll(".labels text")].map((each) => each.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
    return boxes.filter((a, i) => boxes.some((b, k) => k > i && meet(a, b))).length;
}"""


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    with opened(browser, server.url + "#data=none", viewport={"width": 1400, "height": 860}) as found:
        upload(found, "asia.csv", sample_path("asia").read_bytes())
        learn(found)
        yield found


def chain(many: int) -> dict[str, list[str]]:
    """Columns of which each depends on one before."""
    draw = random.Random(1)
    columns: dict[str, list[str]] = {}
    for i in range(many):
        before = columns.get(f"variable_{draw.randrange(max(1, i - 12), i) if i > 1 else 0:03d}")
        flip = [draw.random() < 0.12 for _ in range(120)]
        start = before or [draw.choice("ny") for _ in range(120)]
        columns[f"variable_{i:03d}"] = ["yn"[v == "y"] if f else v for v, f in zip(start, flip, strict=True)]
    return columns


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    folder = tmp_path_factory.mktemp("large")
    found = {}
    for many in (37, 109, 500):
        data = sample(load_network("alarm"), 1000, 1) if many == 37 else chain(many)
        learned = mahc.learn(data, "hc", search_in_degree=2)
        document = make_document(learned, mahc.read(data), with_reasons=False)
        (folder / f"{many}.html").write_text(page_of(document))
        found[many] = (folder / f"{many}.html").as_uri()
    return found


@pytest.mark.parametrize("many", [37, 109, 500])
def test_no_shown_label_is_under_nine_pixels_and_none_overlap(browser: Any, large: dict[int, str], many: int) -> None:
    with opened(browser, large[many], viewport={"width": 1400, "height": 860}) as page:
        for _ in range(6):
            page.wait_for_timeout(80)
            sizes = page.evaluate(SHOWN_TEXT)
            assert len(sizes) >= min(many, 20)
            assert min(sizes) >= 8.99
            assert page.evaluate(OVERLAPS) == 0
            page.get_by_role("button", name="Zoom in").click()


OUTSIDE = """() => {
    const frame = document.querySelector("svg.graph").getBoundingClientRect();
    const parts = document.querySelectorAll(".box > rect, .box text, .labels text, .bars rect, .arc .line, .sign");
    const outside = (at) => at.width + at.height > 0 && (
        at.left < frame.left - 1 || at.right > frame.right + 1 || at.top < frame.top - 1 || at.bottom > frame.bottom + 1
    );
    return [...parts].filter((each) => each.checkVisibility() && outside(each.getBoundingClientRect()))
        .map((each) => `${each.getAttribute("class")} ${each.parentElement.textContent.slice(0, 40)}`);
}"""

CROWDED = """() => {
    const boxes = [...document.querySelectorAll(".box > rect")].map((each) => each.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return boxes.filter((a, i) => boxes.some((b, k) => k > i && meet(a, b))).length;
}"""


@pytest.mark.parametrize("many", [37, 109, 500])
def test_nothing_leaves_the_picture_and_no_bar_is_empty(browser: Any, large: dict[int, str], many: int) -> None:
    for width in (1400, 1000, 390):
        with opened(browser, large[many], viewport={"width": width, "height": 800}) as page:
            page.wait_for_timeout(80)
            assert page.evaluate(OUTSIDE) == [], width
            page.get_by_role("button", name="Bars").click()
            page.wait_for_timeout(80)
            assert page.evaluate(OUTSIDE) == [], width
            shown = page.evaluate(
                "[...document.querySelectorAll('.bar-fill')].filter((each) => each.checkVisibility()).length"
            )
            assert shown >= 2 * many, width
            if many == 37:
                assert page.evaluate(CROWDED) == 0, width


@pytest.mark.parametrize("many", [37, 109])
def test_the_picture_uses_its_height_and_width(browser: Any, large: dict[int, str], many: int) -> None:
    with opened(browser, large[many], viewport={"width": 1400, "height": 860}) as page:
        place = page.locator(".boxes").bounding_box()
        whole = page.locator("svg.graph").bounding_box()
        assert place["height"] > 0.7 * whole["height"]
        assert place["width"] > 0.6 * whole["width"]


def test_the_minimap_shows_and_moves_what_is_seen(browser: Any, large: dict[int, str]) -> None:
    with opened(browser, large[109], viewport={"width": 1400, "height": 860}) as page:
        assert not page.locator(".minimap").is_visible()  # all is in the picture
        for _ in range(8):
            page.get_by_role("button", name="Zoom in").click()
        page.locator(".minimap").wait_for(state="visible")
        before = transform(page)
        place = page.locator(".minimap").bounding_box()
        page.mouse.click(place["x"] + 20, place["y"] + 20)
        assert transform(page) != before
        page.get_by_role("button", name="Fit").click()
        page.locator(".minimap").wait_for(state="hidden")


def test_controls_stay_on_one_line(page: Any) -> None:
    page.locator("#resamples").fill("5")
    page.locator("#bootstrap").click()
    page.wait_for_selector("#slider-confidence")
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Forbid any edge").click()
    page.keyboard.press("Escape")
    learn(page)
    page.get_by_role("button", name="Bars").click()
    for holder in (".tools", "header", ".tabs"):
        tops = page.evaluate(
            "(where) => [...document.querySelectorAll(`${where} button`)].filter((each) => each.offsetHeight)"
            ".map((each) => Math.round(each.getBoundingClientRect().top))",
            holder,
        )
        assert max(tops) - min(tops) < 12, (holder, tops)


def test_a_neighbourhood_alone_has_its_own_layout(browser: Any, large: dict[int, str]) -> None:
    with opened(browser, large[37], viewport={"width": 1400, "height": 860}) as page:
        page.get_by_role("searchbox", name="Search variables").fill("VENTLUNG")
        page.locator(".variables button").first.click()
        page.get_by_role("button", name="1 step").click()
        shown = page.locator(".box:not(.away)").count()
        assert 2 < shown < 20
        page.get_by_role("button", name="2 steps").click()
        assert page.locator(".box:not(.away)").count() > shown
        rects = [each.bounding_box() for each in page.locator(".box:not(.away) > rect").all()]
        assert not any(overlap(a, b) for i, a in enumerate(rects) for b in rects[:i])
        page.get_by_role("button", name="Show all").click()
        assert page.locator(".box:not(.away)").count() == 37


@pytest.mark.parametrize("width", [1400, 1000, 390])
@pytest.mark.parametrize("many", [37, 109])
def test_nothing_covers_a_neighbourhood(browser: Any, large: dict[int, str], many: int, width: int) -> None:
    with opened(browser, large[many], viewport={"width": width, "height": 760}) as page:
        page.locator(".box").first.focus()
        page.keyboard.press("Enter")
        for steps in ("1 step", "2 steps"):
            page.get_by_role("button", name=steps).click()
            page.wait_for_timeout(300)
            picture = page.locator("svg.graph").bounding_box()
            panel = page.locator(".right").bounding_box()
            low = panel["y"] if width == 390 else picture["y"] + picture["height"]
            for box in [each.bounding_box() for each in page.locator(".box:not(.away)").all()]:
                assert picture["x"] <= box["x"]
                assert box["x"] + box["width"] <= picture["x"] + picture["width"]
                assert picture["y"] <= box["y"]
                assert box["y"] + box["height"] <= low
            assert min(font_sizes(page)) >= 9


def test_long_states_do_not_push_frequencies_out_of_the_panel(browser: Any, tmp_path: Path) -> None:
    long = ["Granulomatous_lymphadenitis_early", "GLH_plasma_cell_type_or_other"]
    data = mahc.read({"kind": long * 4000, "sign": ["yes", "no"] * 4000})
    mahc.learn(data, "hc").report(tmp_path / "report.html", data)
    with opened(browser, (tmp_path / "report.html").as_uri(), viewport={"width": 1000, "height": 760}) as page:
        page.locator(".box").first.focus()
        page.keyboard.press("Enter")
        panel, table = (page.locator(each).bounding_box() for each in (".right", ".states"))
        assert long[0] in page.locator(".states").inner_text()
        assert table["x"] + table["width"] <= panel["x"] + panel["width"]


def font_sizes(page: Any) -> list[float]:
    found: list[float] = page.evaluate(
        "[...document.querySelectorAll('svg.graph text')].filter((each) => each.getClientRects().length)"
        ".map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"
    )
    return found


def overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
    down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
    return across > 0 and down > 0


def test_the_result_is_told_in_plain_words(page: Any) -> None:
    text = details(page)
    assert text.startswith("Result\n")
    assert "7 arcs among 8 variables." in text
    assert "could point either way" in text
    assert "has not been examined yet" in text
    assert "Connected to nothing: asia" in " ".join(text.split())
    page.locator("#next-posterior").click()
    wait_for(page, lambda: "doubtful" in details(page), "how sure the arcs are")
    assert "of the graphs" in details(page)
    page.locator("#slider-confidence").wait_for()


def test_bars_in_the_boxes_follow_what_is_supposed(page: Any) -> None:
    page.get_by_role("button", name="Bars").click()
    assert page.locator(".written .bar-fill").count() == 16
    assert page.locator(".written .bar-before").count() == 0
    click_box(page, "xray")
    page.get_by_role("button", name="Observe xray = yes").click()
    until(page, "document.querySelectorAll('.written .bar-before').length === 16")
    assert "among those with xray = yes (observed)" in details(page)
    page.get_by_role("button", name="Set xray to yes").click()
    wait_for(page, lambda: "if xray = yes were set from outside" in details(page), "the sentence")


def test_an_effect_has_a_sentence_and_an_interval(page: Any) -> None:
    page.locator("#cause").select_option("smoke")
    page.locator("#target").select_option("dysp")
    page.locator("#estimate").click()
    wait_for(page, lambda: "% interval:" in details(page), "the effect")
    assert "% of the graphs have no such effect" in details(page)
    assert page.locator(".effect-answer .verdict").inner_text()


def test_an_effect_that_no_graph_has_is_said_in_words(page: Any) -> None:
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Confirm").click()
    learn(page)
    page.locator("#cause").select_option("dysp")
    page.locator("#target").select_option("bronc")
    page.locator("#estimate").click()
    wait_for(page, lambda: "In none of the graphs does dysp change bronc." in details(page), "the verdict")
    assert "% interval" not in details(page)


def test_runs_are_compared_by_the_marks_that_are_shown(page: Any) -> None:
    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Confirm").click()
    learn(page)
    page.get_by_role("button", name="Compare with run").first.click()
    page.wait_for_selector(".compare h2")
    counts = {text.split()[1]: int(text.split()[0]) for text in page.locator(".compare .legend li").all_inner_texts()}
    painted = {"added": "extra", "missing": "missing", "reversed": "reversed", "with": "marks"}
    for word, kind in painted.items():
        assert page.locator(f".arc.{kind}").count() == counts[word]
    for arc in page.locator(".arc.marks").all():  # directed in one run, open in the other: never a reversal
        assert "(marks)" in (arc.locator("title").text_content() or "")


def test_beliefs_and_sentences_of_knowledge(page: Any) -> None:
    step(page, "Knowledge")
    page.get_by_label("First variable").select_option("smoke")
    page.get_by_label("Relation").select_option("belief")
    page.locator("#belief-percent").fill("70")
    page.get_by_label("Second variable").select_option("lung")
    page.locator("#add-statement").click()
    expect_statements(page, "smoke → lung: 70 % likely")
    page.get_by_role("button", name="Remove smoke → lung: 70 % likely").click()
    page.get_by_label("Relation").select_option("before")
    page.locator("#add-statement").click()
    wait_for(page, lambda: "lung is in tier 2" in page.locator(".statements").inner_text(), "the tiers")
    page.locator("summary", has_text="Paste as text").click()
    page.get_by_label("Knowledge as text").fill('forbidden_arcs = [["xray", "asia"]]')
    page.locator("#use-text").click()
    expect_statements(page, "xray → asia is forbidden")
    step(page, "Judge")
    draw_arc(page, "asia", "tub")
    page.get_by_role("menuitem", name="likely").click()
    wait_for(page, lambda: "80 % likely" in page.locator(".statements").inner_text(), "the belief")
    learn(page)


STATED = """() => [...document.querySelectorAll(".arc")].flatMap((each) => {
    const stance = [...each.classList].find((name) => name.startsWith("stated-"));
    const text = each.querySelector("title").textContent.split("stated: ").at(-1);
    return stance ? [`${each.dataset.a >= 0 ? "arc" : "line"} ${stance.slice(7)}: ${text}`] : [];
}).sort()"""


def test_statements_are_drawn_in_the_graph_at_once(page: Any) -> None:
    def drawn(*expected: str) -> None:
        wait_for(page, lambda: page.evaluate(STATED) == sorted(expected), f"{expected}: {page.evaluate(STATED)}")

    click_arc(page, "bronc", "dysp")
    page.get_by_role("button", name="Forbid any edge").click()
    forbidden = "arc forbidden: bronc – dysp are not joined"
    drawn(forbidden)
    draw_arc(page, "asia", "xray")  # they are not joined: a line of its own
    page.get_by_role("menuitem", name="require").first.click()
    drawn(forbidden, "line required: asia → xray is required")
    assert page.locator(".stated-required .lock").count() == 1
    assert page.locator(".stated-forbidden .sign").text_content() == "×"
    page.locator(".arc.stated-forbidden").wait_for()
    click_box(page, "smoke")
    page.locator("#tier").select_option("0")
    wait_for(page, lambda: box(page, "smoke").locator(".tier").text_content() == " tier 1", "the tier at the box")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    drawn(forbidden)
    learn(page)
    drawn()  # the result was learned with it
    step(page, "Knowledge")
    drawn("line forbidden: bronc – dysp are not joined")


def test_lines_between_lanes_go_round_boxes(page: Any) -> None:
    step(page, "Knowledge")
    through = page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll(".box > rect")].map((each) => each.getBoundingClientRect());
            const within = (value, low, high) => value > low + 1 && value < high - 1;
            const inside = ({ x, y }, rect) => within(x, rect.left, rect.right) && within(y, rect.top, rect.bottom);
            const found = [];
            for (const arc of document.querySelectorAll(".arc:not(.ghost)")) {
                const line = arc.querySelector(".line");
                const names = arc.querySelector("title").textContent;
                const place = line.getScreenCTM();
                for (let k = 0; k <= 60; k += 1) {
                    const at = line.getPointAtLength((line.getTotalLength() * k) / 60).matrixTransform(place);
                    if (boxes.some((rect) => inside(at, rect))) found.push(names);
                }
            }
            return found;
        }"""
    )
    assert through == []


def test_a_reload_keeps_algorithm_settings_and_run(page: Any) -> None:
    step(page, "Learn")
    page.locator("#algorithm-hc").check()
    page.locator("#pane-learn summary", has_text="Settings").click()
    page.locator("#limit").fill("77")
    before = page.evaluate("location.hash")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate("location.hash") == before
    until(page, "document.querySelector('#algorithm-hc')?.checked === true")
    assert page.locator("#limit").input_value() == "77"
    step(page, "Judge")
    assert page.locator(".arc").count() == 7
    assert page.locator(".compare").count() == 0 or not page.locator(".compare").is_visible()


def test_the_other_variable_stays_chosen(page: Any) -> None:
    click_box(page, "smoke")
    page.locator("#other").select_option(label="xray")
    page.get_by_role("button", name="Forbid arc to it").click()
    expect_statements(page, "smoke → xray is forbidden")
    wait_for(page, lambda: page.locator("#other option:checked").inner_text() == "xray", "the choice stays")
    page.get_by_role("button", name="Forbid any edge").click()
    expect_statements(page, "smoke → xray is forbidden", "smoke – xray are not joined")


def test_menus_close(page: Any) -> None:
    page.locator("summary", has_text="Legend").click()
    page.locator(".legend-list").get_by_text("could point either way").wait_for()
    x, y = middle(page, "xray")
    page.mouse.click(x, y)
    assert page.locator("details.save[open]").count() == 0
    draw_arc(page, "asia", "tub")
    page.locator(".menu").wait_for()
    page.mouse.click(x, y)
    assert page.locator(".menu").count() == 0


def test_rows_that_were_never_observed_are_marked(browser: Any, tmp_path: Path) -> None:
    rows = [("n", "n", "u"), ("y", "n", "v"), ("n", "y", "v")] * 60
    columns = {name: [row[k] for row in rows] for k, name in enumerate("abc")}
    known = {"required_arcs": [["a", "c"], ["b", "c"]]}
    mahc.learn(columns, "hc", knowledge=known).report(tmp_path / "r.html", columns)
    with opened(browser, (tmp_path / "r.html").as_uri()) as page:
        click_arc(page, "a", "c")
        assert page.locator(".cpt tr.unseen").count() == 1
        assert "never observed" in details(page)
        assert box(page, "a").count() == 1


def test_a_project_is_reopened_after_a_restart(browser: Any, tmp_path: Path) -> None:
    words = ("--projects", str(tmp_path / "projects"))
    with serving(*words) as served, opened(browser, served.url) as page:
        upload(page, "asia.csv", sample_path("asia").read_bytes())
        learn(page)
        click_arc(page, "bronc", "dysp")
        page.get_by_role("button", name="Confirm").click()
        expect_statements(page, "bronc → dysp is required")
        page.wait_for_timeout(600)  # saved a moment after the last change
    with serving(*words) as served, opened(browser, served.url) as page:
        assert page.locator(".arc").count() == 7
        expect_statements(page, "bronc → dysp is required")
        step(page, "Share")
        with page.expect_download() as saved:
            page.locator("#save-project").click()
        content = Path(saved.value.path()).read_bytes()
    with serving() as served, opened(browser, served.url) as page:
        page.locator("#file").set_input_files({"name": "asia.mahc", "mimeType": "application/zip", "buffer": content})
        until(page, "document.querySelectorAll('.arc').length === 7")
        expect_statements(page, "bronc → dysp is required")


def test_an_effect_colours_its_paths_until_something_else_is_chosen(page: Any) -> None:
    page.locator("#cause").select_option("bronc")
    page.locator("#target").select_option("dysp")
    page.locator("#estimate").click()
    wait_for(page, lambda: "What to adjust for" in details(page), "the adjustment set")
    assert "Effect of bronc on dysp" in details(page)
    assert "bronc → dysp: causal" in details(page)
    assert page.locator(".arc.path-causal").count() == 1
    coloured = page.locator(".arc.path-open, .arc.path-blocked").count()
    listed = page.locator(".paths li.open, .paths li.blocked").count()
    assert (coloured > 0) == (listed > 0)
    click_box(page, "xray")
    until(page, "document.querySelectorAll('.arc.path-causal').length === 0")


def test_answers_to_questions_become_knowledge_and_the_graph_is_learned_again(page: Any) -> None:
    page.locator("#ask").click()
    page.locator(".questions li").first.wait_for()
    assert page.locator(".questions li").count() <= 5
    assert page.locator("#learn-again").is_disabled()
    said = page.locator(".questions li").first.get_by_role("button").first
    left, right = said.inner_text().split(" causes ")
    said.click()
    assert f"Stated: {left} causes {right}." in page.locator("footer").inner_text()
    before = page.evaluate("location.hash")
    page.locator("#learn-again").click()
    until(page, "(before) => location.hash !== before && !location.hash.includes('job=')", before)
    wait_for(page, lambda: f"{left} → {right} is required" in page.locator("body").inner_text(), "the knowledge")


def test_a_context_is_stated_and_marked(page: Any) -> None:
    page.get_by_role("button", name="Knowledge").first.click()
    page.get_by_label("First variable").select_option("asia")
    page.get_by_label("Relation").select_option("contexts")
    assert page.get_by_label("Second variable").is_hidden()
    page.locator("#add-statement").click()
    wait_for(page, lambda: "asia is a context" in page.locator(".statements").inner_text(), "the statement")
    assert page.locator(".box.context").count() == 1
    page.locator(".statements").get_by_role("button", name="Remove asia is a context").click()
    until(page, "document.querySelectorAll('.box.context').length === 0")
