"""Write docs/reference/commands.md, the help of every command, from the command line itself.

`tools/build_site.py` calls this; the page is not kept in the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from mahc.cli.main import COMMANDS, make_app

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"
INTRODUCTION = """\
# Commands

`mahc COMMAND --help` prints what stands here. `tools/make_command_page.py` writes this page from the commands' own help
whenever the site is built. Exit codes and what is promised about bad input: [reliability](reliability.md).
"""


def write_page() -> int:
    """Write the page; return the number of commands."""
    commands = [(), *every_command()]
    sections = [f"## `{' '.join(('mahc', *words))}`\n\n```text\n{help_of(words)}\n```\n" for words in commands]
    PAGE.write_text("\n".join([INTRODUCTION, *sections]), encoding="utf-8", newline="\n")
    return len(commands)


def every_command() -> list[tuple[str, ...]]:
    """All commands, and the commands within them."""
    app = make_app()
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        inner = [word for word in app[name] if not word.startswith("-")]
        found += [(name,), *((name, word) for word in inner)]
    return found


def help_of(words: tuple[str, ...]) -> str:
    """The help of a command, 80 columns wide."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    command = [sys.executable, "-m", "mahc", *words, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, encoding="utf-8")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())


if __name__ == "__main__":
    print(f"{write_page()} commands in {PAGE}")
