"""The README, the tutorial and the how-to pages do what they show."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import run_docs  # noqa: E402

NEEDS_R = pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R here: apt-get install r-base-core")
PAGES = [str(page.relative_to(ROOT)) for page in run_docs.pages()]


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_page_runs(page: str) -> None:
    command = [sys.executable, str(ROOT / "tools" / "run_docs.py"), str(ROOT / page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_that_users_follow_are_run() -> None:
    assert "README.md" in PAGES


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("```console\n$ echo one\ntwo\n```\n", "but the output is"),
        ("```console\n$ exit 3\n```\n", "ended with 3"),
        ("```console\n$ echo fine\nmahc: refused\n```\n", "ended with 0"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "but the output is"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Got:"),
        pytest.param("```r\nprint(1)\n```\n```text\n[1] 2\n```\n", "but the output is", marks=NEEDS_R),
        pytest.param("```r\nstop()\n```\n", "ended with 1", marks=NEEDS_R),
        ('```toml title="a.txt"\nx\n```\n```console\n$ cat a.txt\ny\n```\n', "but the output is"),
    ],
)
def test_a_wrong_output_is_found(block: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{block}", encoding="utf-8")
    monkeypatch.setattr(run_docs, "ROOT", tmp_path)
    monkeypatch.setattr(run_docs, "DATA", tmp_path / "none")
    with pytest.raises(run_docs.DocsError, match=shown):
        run_docs.run_page(page)


def test_a_right_output_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 2\n```\n```pycon\n>>> x\n2\n```\n```console\n$ echo a 1.23 s\na ... s\n```\n")
    monkeypatch.setattr(run_docs, "ROOT", tmp_path)
    monkeypatch.setattr(run_docs, "DATA", tmp_path / "none")
    assert run_docs.run_page(page) == 3
