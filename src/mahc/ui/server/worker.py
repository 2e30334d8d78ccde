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
from mahc.ui.page_words import say


def main() -> None:
    """Serve until stdin ends."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not come between the lines
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    tokens: dict[int, CancelToken] = {}  # of the requests that have not ended
    threading.Thread(target=_listen, args=(requests, tokens), daemon=True).start()
    from mahc.ui.server.tasks import TASKS, Context  # imported before the first request comes

    _send(output, {"event": "ready"})
    while True:
        request = requests.get()

        def report(state: dict[str, Any], number: int = request["id"]) -> None:
            _send(output, {"event": "progress", "id": number, "progress": state})

        answer: dict[str, Any] = {"event": "done", "id": request["id"]}
        try:
            answer["result"] = TASKS[request["task"]](request["given"], Context(report, tokens[request["id"]]))
        except MahcError as mistake:
            answer |= {"event": "refused", "message": _name_uploads(say(mistake), request["given"])}
        except MemoryError:
            answer |= {"event": "refused", "message": "the memory of this machine does not suffice for this"}
        except OSError as problem:
            answer |= {"event": "refused", "message": f"the system refused a file: {problem.strerror or 'unknown'}"}
        except Exception as problem:
            answer |= {"event": "failed", "message": f"this is a bug in mahc: {type(problem).__name__}"}
        del tokens[request["id"]]
        _send(output, answer)


def _name_uploads(message: str, given: dict[str, Any]) -> str:
    """The message with the names of uploaded files in place of the paths where they are kept."""
    for path, name in (("path", "name"), ("other", "other_name")):
        if given.get(path):
            message = message.replace(given[path], given.get(name) or "the file")
    return message


def _listen(requests: queue.Queue[dict[str, Any]], tokens: dict[int, CancelToken]) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "cancel" in message:
            token = tokens.get(message["cancel"])  # it may have ended meanwhile
            if token is not None:
                token.cancel()
        else:
            tokens[message["id"]] = CancelToken()
            requests.put(message)
    os._exit(0)  # the server is gone


def _send(output: IO[str], message: dict[str, Any]) -> None:
    output.write(json.dumps(message) + "\n")
    output.flush()


if __name__ == "__main__":
    main()
