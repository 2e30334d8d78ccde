"""`mahc experiment`: a plan run into a store, and the store as tables and figures."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App

from mahc.cli.options.groups import DATA, LIMITS, OUTPUT, argument, flag, option
from mahc.cli.printing import say, tell
from mahc.lab import shipped_plans
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.lab.outline import Row
    from mahc.lab.running import Summary

MAX_REASONS = 5

command = App(name="experiment", help="Run a plan of experiments, and report what it found.")


@command.command
def run(
    plan: Annotated[str, argument("PLAN", f"A plan file (TOML), or a shipped plan: {', '.join(shipped_plans())}.")],
    /,
    *,
    store: Annotated[
        Path, option("--store", "DIR", "Folder for the results; a run continues where it stopped.", OUTPUT)
    ],
    jobs: Annotated[int, option("--jobs", "N", "Cells that run at the same time.", LIMITS, "1")] = 1,
    quick: Annotated[bool, flag("--quick", "Use what the plan's table 'quick' says.", LIMITS)] = False,
    networks: Annotated[
        Path | None, option("--networks", "FOLDER", "Folder with networks that do not ship with mahc.", DATA)
    ] = None,
    seeds: Annotated[str | None, option("--seeds", "LIST", "Seeds in place of the plan's: 1,2,3 or 1-5.", DATA)] = None,
) -> None:
    """Run the cells of a plan that are not in the store yet, each in its own process, within the limits.

    A plan can name functions and programs, which are then run: use plans that you trust.
    """
    from mahc.cli.experiment_progress import parse_seeds, progress_line
    from mahc.lab import read_plan, read_rows
    from mahc.lab import run as run_plan
    from mahc.lab.cells import make_cells
    from mahc.lab.paper.results import check_paper_names
    from mahc.lab.running import check_cases, unavailable_sentences

    chosen = read_plan(plan, quick=quick, networks=networks, seeds=None if seeds is None else parse_seeds(seeds))
    check_paper_names(chosen.contestants)
    check_cases(chosen)
    _warn(jobs * chosen.limits.memory_mebibytes)
    for sentence in unavailable_sentences(make_cells(chosen)):
        tell(f"warning: {sentence}")
    try:
        with progress_line() as progress:
            summary = run_plan(chosen, store, jobs=jobs, progress=progress)
    except KeyboardInterrupt:
        tell(f"interrupted; {_kept(store)}: run the same command again to go on")
        sys.exit(130)
    say(_tell(summary))
    for line in _reasons(read_rows(store)):
        say(line)
    say(f"Next: mahc experiment report {os.fspath(store)} --out DIR")


@command.command
def report(
    store: Annotated[Path, argument("STORE", "The folder of `mahc experiment run`.")],
    /,
    *,
    out: Annotated[Path, option("--out", "DIR", "Folder for the report.", OUTPUT)],
) -> None:
    """Write a leaderboard, tables and figures from a store; the plan 'paper' also has the paper's numbers.

    A report that is in the folder already is replaced.
    """
    from mahc.lab import write_report
    from mahc.lab.report.wording import completeness, failures

    results = write_report(store, out)
    say(f"{completeness(results)} {failures(results, 'in failed.csv')}")
    say(f"Report: {out / 'index.html'}")


def _kept(store: Path) -> str:
    """How much of a plan the store holds."""
    from mahc.errors import MahcError
    from mahc.lab import read_store

    try:
        outline, rows = read_store(store)
    except MahcError:  # interrupted before the store was there
        return "no cell has run"
    return f"{len(rows):,} of {count(outline.cells, 'cell')} are kept in {store}"


def _warn(mebibytes: int) -> None:
    from mahc.lab.processes import can_measure_memory, physical_mebibytes

    there = physical_mebibytes()
    if not can_measure_memory():
        tell("warning: this system does not let memory limits be enforced in full")
    if there is not None and mebibytes > there:
        tell(
            f"warning: the cells may use {mebibytes:,} MiB at a time and this machine has {there:,}: "
            "lower --jobs or the plan's memory_mebibytes"
        )


def _tell(summary: Summary) -> str:
    from mahc.lab.outline import OUTCOME_WORDS

    counts = ", ".join(f"{count:,} {OUTCOME_WORDS[outcome]}" for outcome, count in summary.outcomes)
    return f"{count(summary.total, 'cell')}: {counts} ({summary.ran:,} run now, {summary.kept:,} kept from before)"


def _reasons(rows: Iterable[Row]) -> list[str]:
    """Why cells gave no graph and whose they are, the most common reasons first."""
    from mahc.lab.outline import OUTCOME_WORDS

    found: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        if not row.finished:
            found.setdefault((OUTCOME_WORDS[row.outcome], row.reason), Counter())[row.contestant] += 1
    reasons = sorted(found.items(), key=lambda each: (-each[1].total(), each[0]))
    lines = [
        f"  {who.total():,} {words} ({_some(list(who))}): {reason}" for (words, reason), who in reasons[:MAX_REASONS]
    ]
    return (
        [*lines, f"  and {count(len(reasons) - MAX_REASONS, 'other reason')}"] if len(reasons) > MAX_REASONS else lines
    )


def _some(labels: list[str]) -> str:
    return ", ".join(labels[:MAX_REASONS]) + (", ..." if len(labels) > MAX_REASONS else "")
