"""Small plans of functions run as cells, for the tests of contestants."""

from __future__ import annotations

from pathlib import Path

from mahc.lab.outline import Row
from mahc.lab.plan_file import read_plan
from mahc.lab.running import run as run_plan
from mahc.lab.store import read_rows

HEAD = """
sizes = [50]
cases = ["cancer"]
[limits]
seconds = {seconds}
memory_mebibytes = {memory}
"""


def run_cells(folder: Path, contestants: str, seconds: float = 300, memory: int = 256) -> dict[str, Row]:
    """The rows of these contestants by their labels; the folder holds what they name."""
    (folder / "plan.toml").write_text(HEAD.format(seconds=seconds, memory=memory) + contestants)
    run_plan(read_plan(folder / "plan.toml"), folder / "store", jobs=2)
    return {row.contestant: row for row in read_rows(folder / "store")}


def list_functions(*names: str) -> str:
    """A contestant for each of these functions of functions.py."""
    return "".join(f'[[contestants]]\nlabel = "{name}"\ncallable = "functions.py:{name}"\n' for name in names)
