"""A Spark job in a thread, so that it can be stopped and its progress be shown."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable
from typing import Any

from mahc.cluster.meter import PassMeter
from mahc.errors import MahcError

WAIT = 0.1  # seconds between two looks at the job


class SparkJob:
    """Runs an action of a data frame under a job group of its own.

    Parameters
    ----------
    context : pyspark.SparkContext or None
        Where it runs; None for a session of Spark Connect, whose jobs show no progress.
    action : callable
        What gives the rows, such as the `collect` of a data frame.
    """

    def __init__(self, context: Any, action: Callable[[], Any]) -> None:
        self._context, self._action = context, action
        self._group = f"mahc-{secrets.token_hex(4)}"
        self._rows: Any = None
        self._problem: BaseException | None = None

    def wait(self, meter: PassMeter) -> Any:
        """The rows; None when the meter stops the run. A failure of Spark is one sentence."""
        from pyspark import InheritableThread

        thread = InheritableThread(target=self._run, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                done = 0
                with contextlib.suppress(Exception):  # a context that is gone: the thread has the error
                    done = self._finished()
                if meter.finish(done):
                    self._cancel(thread)
                    return None
                thread.join(WAIT)
        except BaseException:
            self._cancel(thread)
            raise
        if self._problem is not None:
            said = (str(self._problem).splitlines() or [type(self._problem).__name__])[0][:200]
            raise MahcError(f"the Spark job failed ({said}): see Spark's log") from None
        return self._rows

    def _run(self) -> None:
        try:
            if self._context is not None:
                self._context.setJobGroup(self._group, "mahc", interruptOnCancel=True)
            self._rows = self._action()
        except BaseException as problem:  # Py4J and Java errors have no common type
            self._problem = problem

    def _finished(self) -> int:
        """How many tasks of the first stage that runs are done."""
        if self._context is None:
            return 0
        tracker = self._context.statusTracker()
        for job in tracker.getJobIdsForGroup(self._group):
            found = tracker.getJobInfo(job)
            stages = [tracker.getStageInfo(stage) for stage in sorted(found.stageIds)] if found is not None else []
            done = [stage.numCompletedTasks for stage in stages if stage is not None and stage.numTasks]
            if done:
                return int(done[0])
        return 0

    def _cancel(self, thread: threading.Thread) -> None:
        if self._context is not None:
            with contextlib.suppress(Exception):
                self._context.cancelJobGroup(self._group)
            thread.join(10)
