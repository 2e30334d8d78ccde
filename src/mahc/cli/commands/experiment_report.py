"""`mahc experiment report`: from a store to the folder of its report."""

from __future__ import annotations

from pathlib import Path

from mahc.cli.printing import say
from mahc.paper import write_report
from mahc.paper.wording import completeness, failures


def report(store: Path, out: Path) -> None:
    """Write the report, and say how complete it is and where it lies."""
    results = write_report(store, out)
    say(f"{completeness(results)} {failures(results, 'in failed.csv')}")
    say(f"Report: {out / 'index.html'}")
