"""The pictures of the page in docs/pictures/: taken from the page itself, with Chromium.

usage: python tools/make_page_pictures.py   (extra `browser`)
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import mahc
from mahc.networks import load_network, sample, sample_path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from ui.browsing import chromium, click_arc, click_box, opened, until  # type: ignore[import-not-found]  # noqa: E402
from ui.messy_files import european_csv  # type: ignore[import-not-found]  # noqa: E402
from ui.serving import serving  # type: ignore[import-not-found]  # noqa: E402
from ui.test_server_page import learn, step, upload  # type: ignore[import-not-found]  # noqa: E402

TIERS = 'tiers = [["asia", "smoke"], ["tub", "lung", "bronc"], ["either"], ["xray", "dysp"]]'
PICTURES = ROOT / "docs/pictures"


def report(folder: Path, network: str, rows: int) -> str:
    """The address of a report about a sample of a network."""
    data = sample(load_network(network), rows, 1)
    path = folder / f"{network}.html"
    learned = mahc.learn(data)
    if network == "alarm":
        learned = learned.with_confidence(mahc.bootstrap(data, resamples=50))
    learned.report(path, data)
    return path.as_uri()


def keep(page: Any, name: str) -> None:
    """Save the page as a picture."""
    page.wait_for_timeout(400)
    page.screenshot(path=str(PICTURES / f"{name}.png"))


def take_reports(browser: Any, folder: Path) -> None:
    """Report: light, dark, phone, and a large graph."""
    alarm = report(folder, "alarm", 5000)
    wide = {"viewport": {"width": 1400, "height": 860}}
    with opened(browser, alarm, **wide) as page:
        click_box(page, "VENTLUNG")
        keep(page, "page-light")
    with opened(browser, alarm, color_scheme="dark", **wide) as page:
        click_box(page, "CATECHOL")
        keep(page, "page-dark")
    with opened(browser, alarm, viewport={"width": 390, "height": 760}) as page:
        page.locator("svg.graph").focus()
        click_box(page, "CO")
        keep(page, "page-phone")
    with opened(browser, report(folder, "pathfinder", 5000), **wide) as page:
        keep(page, "page-109")


def take_server(browser: Any) -> None:
    """Server: a messy file, tiers as lanes, a comparison, what if."""
    with serving() as server, opened(browser, server.url, viewport={"width": 1400, "height": 860}) as page:
        upload(page, "messung.csv", european_csv())
        page.locator(".file-settings > summary").click()
        page.locator("#missing-impute").check()
        until(page, "document.querySelector('.missing-values').open === false")
        keep(page, "page-data")
        upload(page, "asia.csv", sample_path("asia").read_bytes())
        learn(page)
        step(page, "Knowledge")
        page.locator("summary", has_text="Paste as text").click()
        page.get_by_label("Knowledge as text").fill(TIERS)
        page.locator("#use-text").click()
        until(page, "document.querySelectorAll('.lane').length === 6")
        page.get_by_role("button", name="Fit").click()
        keep(page, "page-tiers")
        step(page, "Judge")
        click_arc(page, "either", "xray")
        page.get_by_role("button", name="Forbid any edge").click()
        learn(page)
        page.get_by_role("button", name="Compare with run 1").click()
        until(page, "document.querySelector('.compare h2') !== null")
        keep(page, "page-compare")
        page.get_by_role("button", name="End the comparison").click()
        click_box(page, "smoke")
        page.get_by_role("button", name="Bars").click()
        page.get_by_role("button", name="Observe smoke = yes").click()
        until(page, "document.querySelectorAll('.bar-before').length > 0")
        keep(page, "page-what-if")


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        take_reports(browser, Path(folder))
        take_server(browser)


if __name__ == "__main__":
    main()
