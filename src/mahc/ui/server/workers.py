"""The server's side of the worker processes: starting, asking, cancelling, and noticing that one has died."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

LINE_LIMIT = 2**26
PATIENCE = 60.0  # seconds that a cancelled task has to end by itself


class TaskRefusedError(Exception):
    """The task said why it cannot be done; the message is for the user."""


class TaskFailedError(Exception):
    """The task, or its process, broke; the message is for the user."""


class Worker:
    """One process; it does one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.numbers = itertools.count(1)

    @classmethod
    async def start(cls) -> Worker:
        """Start the process, and wait until it has loaded what it needs."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "mahc.ui.server.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LINE_LIMIT,
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers itself
        )
        worker = cls(process)
        await worker._receive()
        return worker

    async def do(
        self, task: str, given: dict[str, Any], report: Callable[[dict[str, Any]], None], cancelled: asyncio.Event
    ) -> Any:
        """Do a task and return its result; a cancelled one ends with what it has, or is killed after a while."""
        number = next(self.numbers)
        self._send({"id": number, "task": task, "given": given})
        watcher = asyncio.create_task(self._cancel_when(cancelled, number))
        try:
            while True:
                message = await self._receive()
                if message["event"] == "progress":
                    report(message["progress"])
                elif message["event"] == "done":
                    return message["result"]
                elif message["event"] == "refused":
                    raise TaskRefusedError(message["message"])
                elif message["event"] == "failed":
                    raise TaskFailedError(message["message"])
        finally:
            watcher.cancel()

    async def _cancel_when(self, cancelled: asyncio.Event, number: int) -> None:
        await cancelled.wait()
        self._send({"cancel": number})
        await asyncio.sleep(PATIENCE)
        self.kill()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self.process.stdin.write((json.dumps(message) + "\n").encode())

    async def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            code = await self.process.wait()
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise TaskFailedError(
                f"the process that did this ended unexpectedly ({how}): nothing was kept of it; with large data, "
                "this can mean that the memory did not suffice"
            )
        found: dict[str, Any] = json.loads(line)
        return found

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class Workers:
    """Idle workers, and at most `most` busy ones; a worker that died is replaced by a new one."""

    def __init__(self, most: int) -> None:
        self._room = asyncio.Semaphore(most)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()

    async def warm(self) -> None:
        """Start one worker ahead of the first task."""
        async with self.borrow():
            pass

    @contextlib.asynccontextmanager
    async def borrow(self) -> AsyncIterator[Worker]:
        """A worker for one task."""
        async with self._room:
            worker = self._idle.pop() if self._idle else None
            if worker is None or not worker.alive:
                worker = await Worker.start()
                self._all.add(worker)
            try:
                yield worker
            except (TaskRefusedError, TaskFailedError):
                raise
            except BaseException:  # the request was given up: its answer must not reach the next one
                worker.kill()
                raise
            finally:
                if worker.alive and worker.process.returncode is None:
                    self._idle.append(worker)
                else:
                    self._all.discard(worker)

    async def do(self, task: str, given: dict[str, Any]) -> Any:
        """Do a short task."""
        async with self.borrow() as worker:
            return await worker.do(task, given, lambda _: None, asyncio.Event())

    async def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.kill()
        for worker in self._all:
            await worker.process.wait()
