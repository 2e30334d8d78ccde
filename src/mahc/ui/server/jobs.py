"""Long work in the background: its progress, its end, and those who watch it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from mahc.documents import to_plain
from mahc.ui.server.messages import JobAnswer
from mahc.ui.server.workers import TaskFailedError, TaskRefusedError, Workers

MAX_JOBS = 200  # that are remembered


class Job:
    """One job; `state` is queued, running, done, refused or failed."""

    def __init__(self, number: int, kind: str, data: str) -> None:
        self.number = number
        self.kind = kind
        self.data = data
        self.state = "queued"
        self.progress: dict[str, Any] | None = None
        self.message: str | None = None
        self.run: int | None = None
        self.cancelled = asyncio.Event()
        self._changed = asyncio.Condition()
        self.version = 0

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("done", "refused", "failed")

    def describe(self) -> dict[str, Any]:
        """The job as plain values."""
        answer = JobAnswer(
            id=self.number,
            kind=self.kind,
            data=self.data,
            state=self.state,
            cancelled=self.cancelled.is_set(),
            progress=self.progress,
            message=self.message,
            run=self.run,
        )
        plain: dict[str, Any] = to_plain(answer)
        return plain

    async def changed(self) -> None:
        """Tell all watchers that something changed."""
        async with self._changed:
            self.version += 1
            self._changed.notify_all()

    async def watch(self) -> AsyncIterator[dict[str, Any]]:
        """The job now and after every change, until it has ended."""
        while True:
            seen = self.version
            yield self.describe()
            if self.ended:
                return
            async with self._changed:
                await self._changed.wait_for(lambda seen=seen: self.version != seen)  # type: ignore[misc]


class Jobs:
    """All jobs of the server."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.all: dict[int, Job] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._last = 0

    def start(
        self, kind: str, data: str, task: str, given: dict[str, Any], keep: Callable[[dict[str, Any]], int]
    ) -> Job:
        """Begin a job; `keep` gets its result and returns the number of the run that it became."""
        self._last += 1
        job = Job(self._last, kind, data)
        self.all[job.number] = job
        for number in [n for n, old in self.all.items() if old.ended][: max(0, len(self.all) - MAX_JOBS)]:
            del self.all[number]
        running = asyncio.create_task(self._run(job, task, given, keep))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return job

    async def _run(self, job: Job, task: str, given: dict[str, Any], keep: Callable[[dict[str, Any]], int]) -> None:
        loop = asyncio.get_running_loop()
        told: set[asyncio.Task[None]] = set()

        def report(progress: dict[str, Any]) -> None:
            job.progress = progress
            note = loop.create_task(job.changed())
            told.add(note)
            note.add_done_callback(told.discard)

        try:
            async with self.workers.borrow() as worker:
                job.state = "running"
                await job.changed()
                result = await worker.do(task, given, report, job.cancelled)
            job.run, job.state = keep(result), "done"
        except TaskRefusedError as mistake:
            job.state, job.message = "refused", str(mistake)
        except TaskFailedError as problem:
            job.state, job.message = "failed", "cancelled" if job.cancelled.is_set() else str(problem)
        except Exception as problem:
            job.state, job.message = "failed", f"this is a bug in mahc: {type(problem).__name__}"
        await job.changed()

    async def close(self) -> None:
        """Give up all jobs."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
