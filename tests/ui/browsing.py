"""Chromium for tests: finding it, and gestures on the graph."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = os.environ.get("MAHC_BROWSER") == "required"  # in CI a missing browser is a failure
SKIPPED = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED, reason="there is no chromium here: apt-get install chromium"
)
WAIT = 120_000  # milliseconds: a loaded machine may need many times what an idle one does


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Any, url: str, **options: Any) -> Iterator[Any]:
    """A page in a context of its own, ready; an error in it fails the test."""
    settings = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
    context = browser.new_context(**settings)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: errors.append(f"dialog {dialog.message}"))
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    page.errors = errors
    try:
        yield page
        expected = [error for error in errors if "status of 4" not in error]  # refusals that tests provoke
        assert expected == []
    finally:
        context.close()


def until(page: Any, expression: str, arg: object = None) -> None:
    """Wait until an expression holds; Playwright's own waiting needs `eval`, which the page's policy forbids."""
    wait_for(page, lambda: bool(page.evaluate(expression, arg)), expression)


def wait_for(page: Any, holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds; `what` is named if it never does."""
    end = time.monotonic() + WAIT / 1000
    while not holds():
        assert time.monotonic() < end, f"never became true: {what}"
        page.wait_for_timeout(50)


def box(page: Any, name: str) -> Any:
    """The box of a variable."""
    found = page.locator(".box").filter(has=page.locator("title", has_text=name))
    return next(each for each in found.all() if each.locator("title").text_content() == name)


def middle(page: Any, name: str) -> tuple[float, float]:
    """The middle of a box on the screen."""
    place = box(page, name).locator(":scope > rect").bounding_box()
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


def click_box(page: Any, name: str, shift: bool = False) -> None:
    """Click a variable."""
    x, y = middle(page, name)
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(x, y)
    if shift:
        page.keyboard.up("Shift")


def click_arc(page: Any, first: str, second: str) -> None:
    """Click the line between two variables."""
    place = page.evaluate(
        """([a, b]) => {
            const arc = [...document.querySelectorAll(".arc:not(.ghost)")].find((each) => {
                const text = each.querySelector("title").textContent;
                return text.startsWith(`${a} `) && text.split(" (")[0].endsWith(` ${b}`);
            });
            const line = arc.querySelector(".touch");
            const point = line.getPointAtLength(line.getTotalLength() * 0.5).matrixTransform(line.getScreenCTM());
            return [point.x, point.y];
        }""",
        [first, second],
    )
    page.mouse.click(*place)


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place to another."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def draw_arc(page: Any, first: str, second: str) -> None:
    """Drag from the border of a variable to the middle of another."""
    place = box(page, first).locator(":scope > rect").bounding_box()
    drag(page, (place["x"] + place["width"] / 2, place["y"] + 1.5), middle(page, second))


def transform(page: Any) -> str:
    """How the graph is moved and scaled."""
    return str(page.locator(".world").get_attribute("transform"))


def details(page: Any) -> str:
    """The text of the right panel."""
    return str(page.locator(".details").inner_text())
