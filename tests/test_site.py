"""The site: every page is listed, nothing is downloaded when a page is viewed, and the picture is the one learned."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": ([\w/-]+\.md)$", NAVIGATION, re.M))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert not pages - listed, "add a line to nav in mkdocs.yml"


def test_every_listed_page_exists_or_is_made_when_the_site_is_built() -> None:
    made = ("reference/commands.md", "reference/json.md", "reference/schemas.md", "reference/python/")
    for page in re.findall(r": ([\w/-]+\.md)$", NAVIGATION, re.M):
        assert page.startswith(made) or (ROOT / "docs" / page).is_file(), page


def test_pages_load_nothing_from_elsewhere() -> None:
    assert "font: false" in NAVIGATION
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"!\[[^\]]*\]\(https?:|<(script|link|iframe)|src=[\"']https?:", text), page


@pytest.mark.parametrize("page", ["README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/*.md"))])
def test_relative_links_lead_to_files(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"(?:\]\(|src=\")([^)\"#:]+)(?:#[^)\"]*)?[)\"]", text):
        made = re.search(r"reference/(commands|json|schemas|python/)", link)
        assert made or ((ROOT / page).parent / link).exists(), f"{page}: {link}"


@pytest.mark.long
def test_the_picture_is_what_the_command_draws(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mahc", "learn", "asia", "--out", str(tmp_path / "run")]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "run" / "graph.svg").read_text() == (ROOT / "docs" / "images" / "asia.svg").read_text(), (
        "run `mahc learn asia --out run` and copy run/graph.svg to docs/images/asia.svg"
    )


def test_versions_are_joined_and_the_newest_release_comes_first(tmp_path: Path) -> None:
    for name in ("dev", "old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(name)
    command = [sys.executable, str(ROOT / "tools/join_sites.py"), "out", "dev=dev", "0.9.0=old", "0.10.0=new"]
    subprocess.run(command, check=True, cwd=tmp_path)
    out = tmp_path / "out"
    assert [each["version"] for each in json.loads((out / "versions.json").read_text())] == ["0.10.0", "0.9.0", "dev"]
    assert "url=0.10.0/" in (out / "index.html").read_text()
    assert (out / "0.9.0/index.html").read_text() == "old"


def test_the_pictures_of_the_gallery_are_those_its_code_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "tools/make_gallery.py"), str(tmp_path)], check=True)
    kept = ROOT / "docs/images/gallery"
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in kept.iterdir())
    for name in made:
        assert (tmp_path / name).read_bytes() == (kept / name).read_bytes(), f"{name}: run tools/make_gallery.py"
