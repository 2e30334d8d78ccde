"""A `mahc ui` process for tests, and plain requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST = 120  # seconds for what takes one or two on an idle machine
# A shell may start tests with SIGINT ignored; the server then would not hear Ctrl-C.
PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from mahc.cli.main import run; run(sys.argv[1:])"
)


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    url: str
    port: int
    token: str

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        """One request with the token; returns status, body and headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * LONGEST)
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        try:
            connection.request(method, path, content, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def json(self, method: str, path: str, body: object = None) -> Any:
        """The JSON of a request that must succeed."""
        status, content, _ = self.ask(method, path, body)
        assert status < 300, content
        return json.loads(content)

    def wait(self, job: int) -> dict[str, Any]:
        """The last state of a job."""
        _, content, _ = self.ask("GET", f"/api/jobs/{job}/events")
        found: dict[str, Any] = json.loads(content.decode().strip().split("\n\n")[-1].removeprefix("data: "))
        return found

    def learn(self, data: str, **given: object) -> int:
        """Learn and return the number of the run."""
        job = self.json("POST", "/api/jobs", {"kind": "learn", "data": data, **given})
        ended = self.wait(job["id"])
        assert ended["state"] == "done", ended
        return int(ended["run"])

    def children(self) -> list[int]:
        """The processes that the server started."""
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                with contextlib.suppress(OSError), open(f"/proc/{entry}/stat") as file:
                    if int(file.read().rpartition(")")[2].split()[1]) == self.process.pid:
                        found.append(int(entry))
        return found


@contextlib.contextmanager
def serving(*words: str, temporary: Path | None = None) -> Iterator[Served]:
    """Start `mahc ui`, and end it with Ctrl-C; its projects are in a folder of its own unless one is named.

    Its temporary files go into the folder `temporary`, if that is given.
    """
    if "--projects" not in words:
        with (
            tempfile.TemporaryDirectory(prefix="mahc-projects-") as folder,
            serving(*words, "--projects", folder, temporary=temporary) as found,
        ):
            yield found
        return
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "ui", *words, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=None if temporary is None else {**os.environ, "TMPDIR": str(temporary)},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, line + process.stdout.read()
        served = Served(process, found[0], int(found[1]), found[2])
        _wait_until_up(served)
        yield served
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            process.stdout.close()


def _wait_until_up(served: Served) -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if served.ask("GET", "/api/about")[0] == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not answer")
