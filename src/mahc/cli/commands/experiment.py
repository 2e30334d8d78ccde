"""`mahc experiment`: a plan run into a store, and the store as tables and figures."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App

from mahc.cli.options.groups import DATA, LIMITS, OUTPUT, argument, flag, option
from mahc.cli.printing import say, tell
from mahc.errors import SettingError
from mahc.lab import shipped_plans
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.lab.outline import Row
    from mahc.lab.running import Progress, Summary


MAX_REASONS = 5

command = App(name="experiment", help="Run a plan of experiments, and report what it found.")

SILENCE, LOG_WIDTH = 60.0, 100_000  # seconds between two lines of a log, which are not cut
MOST_SHOWN = 4  # running cells in one line
MOST_SEEDS, MOST_DIGITS = 10_000, 18  # SQLite holds numbers of 18 digits


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


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """A reporter for `run_plan`: on a terminal one line, elsewhere a line now and then; None where nobody listens."""
    if sys.stderr is None:
        yield None
        return
    if not sys.stderr.isatty():
        yield _now_and_then()
        return
    from mahc.cli.progress import rewriting_line  # here: it loads numpy

    with rewriting_line(write_line) as report:
        yield report


def _now_and_then() -> Callable[[Progress], None]:
    printed = time.monotonic()

    def report(progress: Progress) -> None:
        nonlocal printed
        if time.monotonic() - printed >= SILENCE:
            printed = time.monotonic()
            tell(write_line(progress, LOG_WIDTH))

    return report


def write_line(progress: Progress, width: int) -> str:
    """Cells done of all, the time left, and what runs; never as long as the terminal is wide.

    >>> from mahc.lab.running import Estimate
    >>> from mahc.lab.running import Progress
    >>> write_line(Progress(12, 40, ("MAHC asia 100 clean",), Estimate(600, 700)), 80)
    '12/40 cells, about 11 min left, running MAHC asia 100 clean'
    """
    text = f"{progress.done:,}/{count(progress.total, 'cell')}, {progress.estimate}"
    if progress.running:
        more = len(progress.running) - MOST_SHOWN
        others = f" and {more:,} more" if more > 0 else ""
        text += f", running {'; '.join(progress.running[:MOST_SHOWN])}{others}"
    return text[: max(0, width - 1)]


def parse_seeds(text: str) -> tuple[int, ...]:
    """Seeds separated by commas, ranges with a dash.

    >>> parse_seeds("1-3, 7")
    (1, 2, 3, 7)
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise SettingError(f"--seeds '{text}' is not a list of whole numbers: write 1,2,3 or 1-5")
        if max(len(first), len(last)) > MOST_DIGITS:
            raise SettingError(f"--seeds: '{part.strip()[:40]}' has more than {MOST_DIGITS} digits: give a smaller one")
        span = range(int(first), int(last or first) + 1)
        if not span:
            raise SettingError(f"--seeds '{text}': the range {part.strip()} is empty: write {last}-{first}")
        if len(span) > MOST_SEEDS:
            raise SettingError(f"--seeds '{text}': '{part.strip()}' has more than {MOST_SEEDS:,} seeds: give fewer")
        if any(seed in seeds for seed in span):
            raise SettingError(f"--seeds '{text}': a seed of '{part.strip()}' is given twice: give it once")
        seeds += span
    return tuple(seeds)
