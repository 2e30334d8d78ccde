"""Running a plan: cells in parallel, each in its own process, every row stored as soon as it is known."""

from __future__ import annotations

import shutil
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mahc.errors import InvalidSettingError
from mahc.experiment.cell_process import CellProcess
from mahc.experiment.cells import Cell, is_still_valid, make_cells
from mahc.experiment.estimate import Estimate, Estimator
from mahc.experiment.plan.plan import Plan
from mahc.experiment.plan.reading import read_plan
from mahc.experiment.preflight import check_cases
from mahc.experiment.store import Store, StoredRow

WORK = "running"  # the folder in the store for running cells
TICK, REPORT_EVERY = 0.02, 0.2  # seconds
MOST_JOBS = 1024


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
