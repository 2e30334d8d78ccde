"""Run what the README and the pages of the site show, and compare the outputs shown.

python tools/run_docs.py [PAGE ...]

The blocks of a page run in its order, in one empty folder that holds the data files of docs/data:
- `console`: each line that begins with `$ ` is run; the lines below it, if any, must be its output. If the output shown
  has a refusal (a line that begins with `mahc: `), the command must fail with exit code 2.
- `python`: runs in one session for the page; a `text` block right below it must be what it prints.
- `pycon`: an interactive session, compared as a doctest.
- `r`: runs after the other R of the page, with reticulate on this Python; left out, with a line that says so, where
  there is no R, unless MAHC_R is `required`.
- any block with `title="NAME"` is written to the file NAME first.

In an output shown, `...` stands for any text.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "docs" / "data"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.M | re.S)
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
REFUSAL = re.compile(r"^mahc: (?!note: |warning: )", re.M)
RUNS = ("console", "python", "pycon", "r")
R_MARK = "-- the block begins --"


class DocsError(Exception):
    """A page shows something that does not happen."""


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    language: str
    title: str
    text: str
    line: int


def pages() -> list[Path]:
    """The README and all pages with blocks that run."""
    candidates = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    made = ROOT / "docs" / "reference" / "python"
    return [page for page in candidates if made not in page.parents and any(b.language in RUNS for b in blocks(page))]


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        title = re.search(r'title="([^"]+)"', found[2])
        yield Block(found[1], title[1] if title else "", found[3], text.count("\n", 0, found.start()) + 1)


def run_page(page: Path, then: Callable[[Path], object] = lambda folder: None) -> int:
    """Run the blocks of a page; return how many ran. `then` sees the folder in which they ran."""
    os.environ.update(COLUMNS="80", NO_COLOR="1", TERM="dumb")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    session: dict[str, Any] = {"__name__": "__main__"}
    count, every = 0, list(blocks(page))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for file in sorted(DATA.glob("*")) if DATA.is_dir() else []:
            shutil.copy(file, folder)
        for block, following in zip(every, [*every[1:], None], strict=False):
            if block.title:
                Path(block.title).write_text(block.text, encoding="utf-8")
            if block.language not in RUNS:
                continue
            count += 1
            shown = following.text if following is not None and following.language == "text" else None
            try:
                run_block(block, shown, session)
            except Exception as problem:
                raise DocsError(f"{page.relative_to(ROOT)}, block at line {block.line}: {problem}") from problem
        then(Path(folder))
    return count


def run_block(block: Block, shown: str | None, session: dict[str, Any]) -> None:
    """Run one block, and compare its output."""
    if block.language == "console":
        for command, output in console_lines(block.text):
            run_command(command, output)
    elif block.language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, "<page>", "exec"), session)
        if shown is not None:
            check(shown, printed.getvalue())
    elif block.language == "r":
        run_r(block.text, shown, session)
    else:
        run_session(block.text, session)


def run_r(text: str, shown: str | None, session: dict[str, Any]) -> None:
    """Run R after the blocks of R before it, whose output does not count."""
    if shutil.which("Rscript") is None and os.environ.get("MAHC_R") != "required":
        print("there is no Rscript: a block of R is left out", flush=True)
        return
    before = session.setdefault("_r", "")
    session["_r"] = before + text
    Path("block.R").write_text(f'{before}\ncat("\\n{R_MARK}\\n")\n{text}', encoding="utf-8")
    variables = {**os.environ, "RETICULATE_PYTHON": sys.executable, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["Rscript", "block.R"], capture_output=True, text=True, env=variables, check=False)
    if done.returncode:
        raise DocsError(f"R ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    if shown is not None:
        check(shown, done.stdout.partition(R_MARK)[2])


def console_lines(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown; a command goes on after a backslash.

    >>> console_lines("$ a\\n1\\n$ b\\n")
    [('a', '1\\n'), ('b', '')]
    """
    found = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", text, flags=re.M)
    return [(command, output) for command, output in found]


def run_command(command: str, shown: str) -> None:
    """Run a command and compare what it prints."""
    done = subprocess.run(
        ["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    expected = 2 if REFUSAL.search(shown) else 0
    if done.returncode != expected:
        raise DocsError(f"`{command}` ended with {done.returncode}:\n{done.stdout}")
    if shown.strip():
        check(shown, done.stdout)


def run_session(text: str, session: dict[str, Any]) -> None:
    """Run an interactive session as a doctest, in the page's session."""
    test = doctest.DocTestParser().get_doctest(text, {}, "page", None, 0)
    test.globs = session
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=LOOSE)
    runner.run(test, out=report.write, clear_globs=False)
    if runner.failures:
        raise DocsError(report.getvalue())


def check(shown: str, printed: str) -> None:
    """Compare an output with what the page shows."""
    if not doctest.OutputChecker().check_output(shown.strip() + "\n", printed.strip() + "\n", LOOSE):
        raise DocsError(f"the page shows\n{shown}\nbut the output is\n{printed}")


def main() -> None:
    """Run the pages named, or all."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        try:
            print(f"{page.relative_to(ROOT)}: {run_page(page)} blocks ran", flush=True)
        except DocsError as problem:
            sys.exit(str(problem))


if __name__ == "__main__":
    main()
