"""The worked example "Add a panel" of CONTRIBUTING.md: its module and one line are enough for report and server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ui.browsing import SKIPPED, click_box, details, opened, until
from ui.serving import serving

import mahc
from mahc.networks import load_network, sample
from mahc.ui import bundle

pytestmark = [pytest.mark.browser, SKIPPED]
pytest.importorskip("playwright")

TEXT = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
SCRIPT = "text/javascript"
SECTION = TEXT[TEXT.index("## Add a panel") :]


def example() -> dict[str, str]:
    """The files of `static/` that differ after the example, by name."""
    module = re.search(r"Create `src/mahc/ui/static/(\w+\.js)`:\n\n```js\n(.*?)```", SECTION, re.DOTALL)
    line = re.search(r'add the line `(import "\./\w+\.js";)` to `src/mahc/ui/static/(\w+\.js)`', SECTION)
    assert module
    assert line
    return {module[1]: module[2], line[2]: bundle.read_static(line[2]) + line[1] + "\n"}


def test_the_new_panel_is_in_a_report(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, read_static = example(), bundle.read_static
    monkeypatch.setattr(bundle, "read_static", lambda name: files[name] if name in files else read_static(name))
    bundle.bundle.cache_clear()
    data = sample(load_network("asia"), 3000, 1)
    mahc.learn(data).report(tmp_path / "asia.html", data)
    bundle.bundle.cache_clear()
    with opened(browser, (tmp_path / "asia.html").as_uri()) as page:
        assert "Ancestors" not in details(page)
        click_box(page, "asia")
        assert details(page).endswith("Ancestors\n\nnone")
        click_box(page, "dysp")
        shown = details(page).rsplit("Ancestors\n\n", 1)[1].split(", ")
        assert {"bronc", "either", "lung"} <= set(shown)
        page.keyboard.press("Escape")
        assert "Ancestors" not in details(page)


def test_the_new_panel_is_on_the_page_of_the_server(browser: Any) -> None:
    with serving("asia") as server:
        context = browser.new_context()
        page = context.new_page()
        changed = example()
        answer = lambda route: route.fulfill(body=changed[route.request.url.rsplit("/", 1)[1]], content_type=SCRIPT)  # noqa: E731
        for name in changed:
            page.route(f"**/static/{name}", answer)
        page.goto(server.url)
        page.wait_for_selector("html[data-ready]")
        page.locator("#learn").click()
        until(page, "document.querySelectorAll('.arc').length > 0")
        click_box(page, "dysp")
        assert "Ancestors" in details(page)
        context.close()
