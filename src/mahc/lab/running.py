"""A plan is run: checked first, then cell by cell, with an estimate of the time left."""

from __future__ import annotations

import difflib
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from mahc.errors import InvalidSettingError, MahcError, SettingError, UnknownNameError
from mahc.lab.cell_process import CellProcess
from mahc.lab.cells import Cell, is_still_valid, make_cells
from mahc.lab.outline import TRUTH, Row
from mahc.lab.plan import Case, Plan
from mahc.lab.plan_file import read_plan
from mahc.lab.plan_tables import PlanSpelling
from mahc.lab.processes import Limits
from mahc.lab.store import Store, StoredRow
from mahc.plurals import count

MISSPELT = 0.75  # of the similarity of two names; a name further away is that of a network that is not here
OVERHEAD = 1.0  # seconds of a cell apart from learning, until a cell has been timed
STEEPEST = 1.5  # with ten times the rows a learner takes between once and 10^1.5 times as long
WORK = "running"  # the folder in the store for running cells
TICK, REPORT_EVERY = 0.02, 0.2  # seconds
MOST_JOBS = 1024


def check_cases(plan: Plan) -> None:
    """Refuse misspelt networks and data sets that cannot be read; networks that are absent are left to their rows."""
    for case in plan.cases:
        if case.file:
            _check_data_set(case)
        else:
            _check_network(case, plan)


def unavailable_sentences(cells: tuple[Cell, ...]) -> list[str]:
    """How many cells cannot run on this machine, with each reason; none where all can."""
    reasons = Counter(cell.unavailable_reason for cell in cells if cell.unavailable_reason is not None)
    total = count(len(cells), "cell")
    return [f"{number:,} of {total} cannot run here: {reason}" for reason, number in reasons.items()]


def _check_network(case: Case, plan: Plan) -> None:
    from mahc.networks import find_network

    try:
        find_network(case.network, plan.networks)
    except UnknownNameError as mistake:
        if mistake.near and difflib.SequenceMatcher(None, mistake.name, mistake.near).ratio() >= MISSPELT:
            _refuse(case, str(mistake))
    except MahcError:
        return  # the rows of the case say why


def _check_data_set(case: Case) -> None:
    from mahc.data import ReadSettings, audit

    try:
        audit(case.file, ReadSettings(**case.reading)).require()
    except MahcError as mistake:
        _refuse(case, mistake.render(PlanSpelling(table="reading")))


def _refuse(case: Case, sentence: str) -> NoReturn:
    raise SettingError(f"case '{case.name}': {sentence}")


@dataclass(frozen=True)
class Estimate:
    """The least and the most seconds that are left.

    >>> str(Estimate(70, 80)), str(Estimate(70, 8000)), str(Estimate(0, 30))
    ('about 1 min left', '1 min to 2.2 h left', 'less than a minute left')
    """

    low: float
    high: float

    def __str__(self) -> str:
        if self.high < 60:
            return "less than a minute left"
        if self.high <= 1.5 * self.low:
            return f"about {_duration((self.low + self.high) / 2)} left"
        return f"{_duration(self.low)} to {_duration(self.high)} left"


class Estimator:
    """Estimates the time of a cell from the rows of similar cells."""

    def __init__(self, limits: Limits, jobs: int, rows: Iterable[Row] = ()) -> None:
        self._most = limits.seconds + OVERHEAD
        self._jobs = jobs
        self._seen: dict[tuple[str, str], list[tuple[int, float]]] = {}
        self._ranges: dict[tuple[str, str, int], tuple[float, float]] = {}
        for row in rows:
            self.record(row, OVERHEAD + (row.seconds if row.seconds is not None else limits.seconds))

    def record(self, row: Row, seconds: float) -> None:
        """Record the seconds of a row; a cell that could not run is ignored."""
        if row.outcome != "unavailable":
            self._seen.setdefault((row.contestant, row.case), []).append((row.rows, min(seconds, self._most)))
            self._ranges.clear()

    def estimate(self, waiting: Iterable[Cell], running: Iterable[tuple[Cell, float]]) -> Estimate:
        """The time for the waiting cells and the rest of the running ones."""
        low = high = longest = last = 0.0
        for cell, elapsed in (*((cell, 0.0) for cell in waiting if cell.unavailable_reason is None), *running):
            least, most = self._range(cell)
            low += max(0.0, least - elapsed)
            high += max(0.0, most - elapsed)
            longest = max(longest, least - elapsed)
            last = max(last, most - elapsed)
        # In the worst case the longest cell starts when all others are done.
        return Estimate(max(low / self._jobs, longest), high / self._jobs + last * (1 - 1 / self._jobs))

    def _range(self, cell: Cell) -> tuple[float, float]:
        like = (cell.contestant.label, cell.case.name, cell.rows)
        if like not in self._ranges:
            self._ranges[like] = self._compute_range(*like)
        return self._ranges[like]

    def _compute_range(self, label: str, case: str, rows: int) -> tuple[float, float]:
        seen = self._seen.get((label, case), [])
        if not seen:
            return OVERHEAD, 10 * OVERHEAD if label == TRUTH else self._most  # the true graph is scored, not learned
        near = min({size for size, _ in seen}, key=lambda size: max(size / rows, rows / size))
        took = [seconds for size, seconds in seen if size == near]
        low, high = min(took), max(took)
        if near < rows:
            high *= (rows / near) ** STEEPEST
        elif near > rows:
            low = min(low, OVERHEAD)
        return min(low, self._most), min(high, self._most)


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


@dataclass(frozen=True)
class Progress:
    """How far a run of an experiment has come.

    Parameters
    ----------
    done : int
        Number of finished cells.
    total : int
        Number of all cells.
    running : tuple of str
        The cells that run now.
    estimate : Estimate
        How long the rest will take.

    Examples
    --------
    >>> str(Progress(12, 40, ("MAHC asia 100 clean",), Estimate(60, 90)).estimate)
    'about 1 min left'
    """

    done: int
    total: int
    running: tuple[str, ...]
    estimate: Estimate


@dataclass(frozen=True)
class Summary:
    """The cells of a finished run.

    Parameters
    ----------
    outcomes : tuple of (outcome, number)
        How many cells ended in each way.
    total : int
        Number of all cells.
    kept : int
        Number of cells that were stored before.
    ran : int
        Number of cells that ran now.

    Examples
    --------
    >>> Summary((("done", 8),), total=8, kept=6, ran=2).ran
    2
    """

    outcomes: tuple[tuple[str, int], ...]
    total: int
    kept: int
    ran: int


def run(
    plan: Plan | str | Path, store: str | Path, *, jobs: int = 1, progress: Callable[[Progress], None] | None = None
) -> Summary:
    """Run the cells of a plan that are not in the store yet, each in its own process, within the limits.

    Parameters
    ----------
    plan
        A plan, the path of a plan file, or the name of a plan that ships with mahc (`"paper"`). A plan can name
        functions and programs, which are then run: use plans that you trust.
    store
        The folder of the results; it is made if it does not exist. A run continues where an earlier one stopped.
    jobs
        How many cells run at the same time.
    progress
        Called a few times a second with how far the run is.

    Returns
    -------
    How many cells ended in which way, how many ran now and how many were kept from before.

    Raises
    ------
    SettingError
        If `jobs` is out of range, the store cannot be used, the name of a network is misspelt, or a data set cannot
        be read.
    FormatError
        If the plan has a mistake.
    KeyboardInterrupt
        Ends the cells that run; all finished rows are kept.

    Examples
    --------
    >>> import tempfile
    >>> plan = Path(tempfile.mkdtemp()) / "plan.toml"
    >>> _ = plan.write_text('sizes = [50]\\ncases = ["asia"]\\n[[contestants]]\\nlabel = "HC"\\nalgorithm = "hc"\\n')
    >>> run(plan, plan.with_name("store")).outcomes
    (('done', 2),)
    >>> shutil.rmtree(plan.parent)
    """
    if not isinstance(plan, Plan):
        plan = read_plan(plan)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise InvalidSettingError("jobs", jobs, f"give a whole number from 1 to {MOST_JOBS:,}")
    check_cases(plan)
    cells = make_cells(plan)
    with Store.open(Path(store)) as opened:
        return _Run(plan, opened, cells, jobs, progress).finish()


class _Run:
    def __init__(
        self,
        plan: Plan,
        store: Store,
        cells: tuple[Cell, ...],
        jobs: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        known = store.results()
        self._plan, self._store, self._jobs, self._progress = plan, store, jobs, progress
        valid = {key: stored for key, stored in known.items() if is_still_valid(stored, plan.limits)}
        # What was missing while a cell ran (SCIP) may have been installed since: such a cell runs again.
        self._kept = {
            cell.key: valid[cell.key]
            for cell in cells
            if cell.key in valid
            and not (valid[cell.key].row.outcome == "unavailable" and cell.unavailable_reason is None)
        }
        self._before = len(self._kept)
        self._cells = cells
        self._waiting = deque(cell for cell in cells if cell.key not in self._kept)
        self._running: list[CellProcess] = []
        self._estimator = Estimator(plan.limits, jobs, [kept.row for kept in self._kept.values()])
        self._ran, self._reported = 0, 0.0
        store.begin(plan.outline(), [cell.key for cell in cells])

    def finish(self) -> Summary:
        """Run until no cell waits or runs."""
        work = self._store.folder / WORK
        shutil.rmtree(work, ignore_errors=True)  # of a run that was killed; the lock shows that no other run is active
        try:
            while self._waiting or self._running:
                self._start_cells(work)
                self._collect()
                self._report_progress()
                time.sleep(TICK)
        finally:
            for process in self._running:
                process.stop()
            shutil.rmtree(work, ignore_errors=True)
        outcomes = Counter(kept.row.outcome for kept in self._kept.values())
        return Summary(tuple(sorted(outcomes.items())), len(self._cells), self._before, self._ran)

    def _start_cells(self, work: Path) -> None:
        while self._waiting and len(self._running) < self._jobs:
            cell = self._waiting.popleft()
            if cell.unavailable_reason is not None:
                self._keep(cell, StoredRow(cell.row("unavailable", cell.unavailable_reason), *self._limits()))
                continue
            folder = work / cell.key[:16]
            self._running.append(CellProcess(cell, self._plan.limits, self._plan.networks, folder))
            self._ran += 1

    def _collect(self) -> None:
        for process in tuple(self._running):
            row = process.poll()
            if row is not None:
                self._running.remove(process)
                self._estimator.record(row, time.monotonic() - process.began)
                self._keep(process.cell, StoredRow(row, *self._limits()))

    def _keep(self, cell: Cell, kept: StoredRow) -> None:
        self._store.add(cell.key, kept, cell.request(self._plan.limits, self._plan.networks))
        self._kept[cell.key] = kept

    def _limits(self) -> tuple[float, int]:
        return self._plan.limits.seconds, self._plan.limits.memory_mebibytes

    def _report_progress(self) -> None:
        now = time.monotonic()
        if self._progress is None or now - self._reported < REPORT_EVERY:
            return
        self._reported = now
        running = [(process.cell, now - process.began) for process in self._running]
        names = tuple(f"{cell.contestant.label} {cell.case.name} {cell.rows:,} {cell.data}" for cell, _ in running)
        estimate = self._estimator.estimate(self._waiting, running)
        self._progress(Progress(len(self._kept), len(self._cells), names, estimate))
