"""Malformed requests to `mahc ui`: none may crash it, show a traceback, or read a file outside its folder.

usage: python tools/attack_server.py [--requests 10000] [--seed 1]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from ui.serving import Served, serving  # type: ignore[import-not-found]

METHODS = ["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "TRACE", "get", "", "A" * 300, "POST\x00"]
PATHS = [
    "/", "/api/about", "/api/data", "/api/sample", "/api/data/d1/audit", "/api/knowledge/check", "/api/knowledge/read",
    "/api/data/d2", "/api/data/d1/project", "/api/data/d1/project?rows=no", "/api/data/%2e%2e/project", "/api/projects",
    "/api/runs/1/effect",
    "/api/jobs", "/api/jobs/1", "/api/jobs/999", "/api/runs", "/api/runs/1", "/api/runs/1/reason?from=asia&to=tub",
    "/api/runs/1/compare", "/api/runs/1/compare-file?name=x.csv", "/api/runs/1/query", "/api/runs/1/export/svg",
    "/static/app.js", "/static/../../../../etc/passwd", "/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/api/runs/1/export/..%2f..%2fetc%2fpasswd", "/api/data?name=..%2f..%2fevil.csv", "//etc/passwd", "*",
    "/api/runs/99999999999999999999999999", "/api/runs/-1", "/%00", "/%ff%fe", "/?token=" + "x" * 5000,
]  # fmt: skip
VALUES: list[object] = [
    None, True, -1, 1e308, "", "/etc/passwd", "../../etc/passwd", [], {}, [[]], {"a": {}}, "x" * 3000, "\x00", "d1", 1,
    [1], 2.5, {"encoding": "cp1252"}, {"header": False}, {"sheet": "1"}, {"missing_tokens": {"asia": ["no"]}},
    "posterior",
    {"drop": ["asia"]}, {"ordinal": {"asia": ["no", "yes"]}}, "smoke", ["no", "yes"],
    {"time_limit": -1}, {"data": "d1"}, "bootstrap", "learn",
    ["asia", "tub"], {"required_arcs": [["asia", "tub"], ["tub", "asia"]]}, {"missing": "state"}, {"asia": "yes"},
]  # fmt: skip
KEYS = [
    "kind",
    "data",
    "run",
    "reading",
    "knowledge",
    "names",
    "algorithm",
    "settings",
    "given",
    "do",
    "path",
    "result",
    "objective",
    "time_limit",
    "resamples",
    "samples",
    "cause",
    "target",
    "contrast",
    "state",
    "seed",
]
BAD = (b"Traceback", b'File "', b"root:x:", b"/site-packages/", b"import annotations")


def make_body(generator: random.Random) -> bytes:
    """A body: JSON of odd values, damaged JSON, or bytes."""
    kind = generator.randrange(4)
    if kind == 0:
        return generator.randbytes(generator.randrange(200))
    text = json.dumps({generator.choice(KEYS): generator.choice(VALUES) for _ in range(generator.randrange(5))})
    if kind == 1:
        return text[: generator.randrange(len(text) + 1)].encode()
    return text.encode()


def make_request(generator: random.Random, server: Served) -> bytes:
    """One request, wrong in one or several ways, most of them with the right token."""
    method, path = generator.choice(METHODS[: generator.choice([2, 3, len(METHODS)])]), generator.choice(PATHS)
    body = make_body(generator)
    if path == "/" and generator.random() < 0.5:
        path += f"?token={server.token}"
    host = generator.choice([f"127.0.0.1:{server.port}"] * 8 + ["evil.example", ""])
    lines = [f"{method} {path} HTTP/{generator.choice(['1.1'] * 8 + ['1.0', '9.9', 'x'])}", f"Host: {host}"]
    if generator.random() < 0.85:
        lines.append(f"Authorization: Bearer {server.token}")
    extra = [
        "Origin: http://evil.example",
        "Sec-Fetch-Site: cross-site",
        "Content-Type: multipart/form-data",
        ": x",
        "A: \x01",
    ]
    extra += [
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Expect: 100-continue",
        "Range: bytes=0-99999999",
        "X: " + "y" * 9000,
    ]
    if generator.random() < 0.3:
        lines.append(generator.choice(extra))
    length = generator.choice([len(body)] * 8 + [len(body) + 1, -1, 10**30, 0])
    lines.append(generator.choice([f"Content-Length: {length}"] * 9 + ["Transfer-Encoding: chunked"]))
    lines.append("Connection: close")
    text = "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body
    return text if generator.random() < 0.93 else text[: generator.randrange(len(text))]


def send(server: Served, request: bytes) -> bytes:
    """The answer to raw bytes, as far as it comes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection, contextlib.suppress(OSError):
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65536):
            answer += part
    return answer


def main() -> int:
    """Attack, print what was answered, and return 1 if something must not have been."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    generator = random.Random(words.seed)
    tally: Counter[str] = Counter()
    faults: list[bytes] = []
    began = time.perf_counter()
    with serving("asia") as server:
        server.learn("d1")
        server.json("POST", "/api/sample")  # d2, which requests may delete
        for _ in range(words.requests):
            request = make_request(generator, server)
            answer = send(server, request)
            code = answer[9:12].decode("latin-1") or "closed"
            tally[code] += 1
            program = b"/static/app.js" in request.split(b"\r\n")[0]
            if code.startswith("5") or (not program and any(bad in answer for bad in BAD)):
                faults.append(request[:300] + b" ==> " + answer[:300])
        for job in server.json("GET", "/api/jobs")["jobs"]:
            server.ask("DELETE", f"/api/jobs/{job['id']}")
            ended = server.wait(job["id"])
            if "bug in mahc" in (ended["message"] or ""):
                faults.append(json.dumps(ended).encode())
        alive = server.ask("GET", "/api/about")[0] == 200 and server.process.poll() is None
        again = server.learn("d1") > 0
    print(f"{words.requests:,} requests in {time.perf_counter() - began:.0f} s: {dict(sorted(tally.items()))}")
    print(f"alive and learning after them: {alive and again}; faults: {len(faults)}")
    for fault in faults[:5]:
        print(fault)
    return 0 if alive and again and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
