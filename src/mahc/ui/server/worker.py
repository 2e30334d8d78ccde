"""A worker process: reads requests as lines of JSON, does them one by one, and writes events as lines of JSON.

It is a process of its own so that a crash, or memory that runs out, ends a job and not the server.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import IO, Any

from mahc.engine import CancelToken
from mahc.errors import MahcError
from mahc.ui.audit import PageSpelling


def main() -> None:
    """Serve until stdin ends."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not come between the lines
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    current: dict[str, Any] = {"id": None, "token": None}
    threading.Thread(target=_listen, args=(requests, current), daemon=True).start()
    from mahc.ui.server.tasks import TASKS, Context  # imported before the first request comes

    _send(output, {"event": "ready"})
    while True:
        request = requests.get()
        token = CancelToken()
        current["token"], current["id"] = token, request["id"]

        def report(state: dict[str, Any], number: int = request["id"]) -> None:
            _send(output, {"event": "progress", "id": number, "progress": state})

        answer: dict[str, Any] = {"event": "done", "id": request["id"]}
        try:
            answer["result"] = TASKS[request["task"]](request["given"], Context(report, token))
        except MahcError as mistake:
            answer |= {"event": "refused", "message": mistake.render(PageSpelling())}
        except MemoryError:
            answer |= {"event": "refused", "message": "the memory of this machine does not suffice for this"}
        except OSError as problem:
            answer |= {"event": "refused", "message": f"the system refused a file: {problem.strerror or 'unknown'}"}
        except Exception as problem:
            answer |= {"event": "failed", "message": f"this is a bug in mahc: {type(problem).__name__}"}
        current["id"] = None
        _send(output, answer)


def _listen(requests: queue.Queue[dict[str, Any]], current: dict[str, Any]) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "cancel" in message:
            if message["cancel"] == current["id"] and current["token"] is not None:
                current["token"].cancel()
        else:
            requests.put(message)
    os._exit(0)  # the server is gone


def _send(output: IO[str], message: dict[str, Any]) -> None:
    output.write(json.dumps(message) + "\n")
    output.flush()


if __name__ == "__main__":
    main()
