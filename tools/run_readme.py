"""Runs what the README shows: its Python example, and its `mahc` commands in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


def run(command: list[str], folder: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"README: {' '.join(command)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")


def main() -> None:
    scripts = Path(sys.executable).parent
    os.environ["PATH"] = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        examples = blocks("python")
        for example in examples:
            run([sys.executable, "-c", example], folder)
        commands = [line for block in blocks("console") for line in block.splitlines() if line.startswith("$ mahc ")]
        for line in commands:
            run(["sh", "-c", line.removeprefix("$ ")], folder)
    if not examples or not commands:
        sys.exit("README: no examples were found")
    print(f"README: {len(examples)} Python examples and {len(commands)} commands ran")


if __name__ == "__main__":
    main()
