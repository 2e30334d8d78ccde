"""The server: one test for each promise about who may ask it, what it reads, and how it survives."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from slow_data import MOST_KICKS, slow_csv
from ui.serving import LONGEST, Served, serving

from mahc.graphs import DAG
from mahc.graphs.files import format_graph
from mahc.measures import compare

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving("asia") as served:
        yield served


@pytest.fixture(scope="module")
def run(server: Served) -> int:
    return server.learn("d1")


def sentence(content: bytes) -> str:
    found: str = json.loads(content)["error"]["message"]
    assert "Traceback" not in found
    return found


def test_it_listens_on_the_loopback_address_alone(server: Served) -> None:
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    places = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    mine = [place for place in places if int(place.split(":")[1], 16) == server.port]
    assert mine == [f"0100007F:{server.port:04X}"]


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/data", "/api/runs/1", "/api/jobs/1/events"])
def test_without_the_token_nothing_is_answered(server: Served, path: str) -> None:
    for headers in (
        {"Authorization": ""},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {server.token[:-1]}"},
    ):
        status, content, _ = server.ask("GET", path, headers=headers)
        assert status == 403
        assert "token" in sentence(content)
        assert server.token not in content.decode()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"]
)
def test_another_host_name_is_refused(server: Served, host: str) -> None:
    status, content, _ = server.ask("GET", "/api/about", headers={"Host": host})
    assert (status, "own address" in sentence(content)) == (403, True)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_another_origin_is_refused(server: Served, origin: str) -> None:
    for path in ("/api/about", "/static/app.js"):
        assert server.ask("GET", path, headers={"Origin": origin})[0] == 403
    assert server.ask("POST", "/api/sample", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert server.ask("GET", "/api/about", headers={"Origin": f"http://127.0.0.1:{server.port}"})[0] == 200


def test_every_answer_has_the_strict_policy(server: Served, run: int) -> None:
    paths = ["/api/about", f"/api/runs/{run}", "/static/app.js", "/nothing", f"/?token={server.token}"]
    for path in paths:
        headers = server.ask("GET", path)[2]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


@pytest.mark.long
def test_uploads_have_a_limit(tmp_path: Path) -> None:
    with serving("--upload-limit", "1") as served:
        status, content, _ = served.ask("POST", "/api/data?name=a.csv", b"a,b\n" * 400_000)
        assert (status, "larger than 1 MB" in sentence(content)) == (413, True)
        head = f"POST /api/data?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        head += f"Authorization: Bearer {served.token}\r\nTransfer-Encoding: chunked\r\n\r\n"
        with socket.create_connection(("127.0.0.1", served.port), timeout=LONGEST) as connection:
            connection.sendall(head.encode())
            try:
                for _ in range(40):
                    connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                connection.sendall(b"0\r\n\r\n")
            except OSError:
                pass  # the server may close before all is sent
            assert b"413" in connection.recv(100)
        assert served.json("GET", "/api/data") == {"data": []}


@pytest.mark.parametrize(
    "path",
    [
        "/static/../document.py",
        "/static/..%2fdocument.py",
        "/static/%2e%2e/document.py",
        "/static/%2fetc%2fpasswd",
        "/static/index.html",
        "/api/runs/1/export/../../../etc/passwd",
        "/api/runs/1/export/%2fetc%2fpasswd",
        "/api/data/..%2f..%2fetc/audit",
        "//etc/passwd",
    ],
)
def test_nothing_outside_the_folder_is_read(server: Served, run: int, path: str) -> None:
    status, content, _ = server.ask("GET", path)
    assert status in (404, 405)
    assert b"root:" not in content
    assert b"import " not in content


def test_a_request_cannot_name_a_path(server: Served, run: int) -> None:
    secret = {"path": "/etc/passwd", "result": "/etc/passwd", "folder": "/tmp", "data": "/etc/passwd", "kind": "learn"}
    assert server.ask("POST", "/api/jobs", secret)[0] == 404
    assert server.ask("POST", f"/api/runs/{run}/compare", {"run": "/etc/passwd"})[0] == 400
    for name in ("../../../../tmp/evil.csv", "/etc/cron.d/x.csv", "a\x00b.csv", "..", ""):
        from urllib.parse import quote

        found = server.json("POST", f"/api/data?name={quote(name)}", b"a,b\n1,2\n2,1\n")
        assert "/" not in found["name"]
    assert not Path("/tmp/evil.csv").exists()
    reading = {"weights": "/etc/passwd"}
    assert "root:" not in str(server.ask("POST", "/api/data/d1/audit", {"reading": reading})[1])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/jobs", b"{"),
        ("/api/jobs", b"[1]"),
        ("/api/jobs", b"[" * 100_000),
        ("/api/jobs", {"data": "d1", "algorithm": 7}),
        ("/api/jobs", {"kind": "bootstrap", "run": "x"}),
        ("/api/jobs", {"kind": "learn", "data": []}),
        ("/api/jobs", {"kind": [], "data": "d1"}),
        ("/api/jobs", {"data": "d1", "settings": [1]}),
        ("/api/jobs", {"data": "d1", "time_limit": "soon"}),
        ("/api/jobs", {"kind": "bootstrap", "run": 1, "resamples": "many"}),
        ("/api/data/d1/audit", {"reading": []}),
        ("/api/data/d1/audit", {"reading": {"nothing": 1}}),
        ("/api/data/d1/audit", {"reading": {"missing": "sometimes"}}),
        ("/api/knowledge/check", {"knowledge": {"required_arcs": [["a"]]}, "names": ["a"]}),
        ("/api/runs/1/query", {"given": {"nobody": "yes"}}),
        ("/api/runs/1/query", {"given": {"asia": "perhaps"}}),
        ("/api/runs/1/compare", {"run": 99}),
    ],
)
def test_mistakes_are_refused_in_one_sentence(server: Served, run: int, path: str, body: object) -> None:
    status, content, _ = server.ask("POST", path, body)
    if path == "/api/knowledge/check":
        assert (status, json.loads(content)["ok"]) == (200, False)
        return
    assert 400 <= status < 500, content
    assert "bug" not in sentence(content)


def test_a_refused_job_says_why(server: Served) -> None:
    for given in (
        {"algorithm": "none"},
        {"knowledge": {"required_arcs": [["asia", "nobody"]]}},
        {"settings": {"x": 1}},
        {"settings": {"time_limit": -1}},
        {"settings": {"data": "d1"}},
        {"settings": {"knowledge": {}}},
    ):
        job = server.json("POST", "/api/jobs", {"data": "d1", **given})
        ended = server.wait(job["id"])
        assert ended["state"] == "refused", ended
        assert "unknown" in ended["message"] or "no setting" in ended["message"]


def test_a_vanished_file_is_said_so_and_lists_still_work(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("a,b\n" + "x,y\ny,x\n" * 20)
    with serving(str(file)) as served:
        run = served.learn("d1")
        file.unlink()
        (listed,) = served.json("GET", "/api/data")["data"]
        assert (listed["id"], listed["name"], listed["bytes"], listed["runs"]) == ("d1", "rows.csv", None, 1)
        asks = [
            ("POST", "/api/data/d1/audit", {}),
            ("POST", "/api/jobs", {"data": "d1"}),
            ("POST", "/api/jobs", {"kind": "bootstrap", "run": run}),
            ("POST", f"/api/runs/{run}/query", {}),
            ("GET", f"/api/runs/{run}/export/report", None),
        ]
        for method, path, body in asks:
            status, content, _ = served.ask(method, path, body)
            assert (status, sentence(content)) == (
                400,
                "the file of 'rows.csv' is no longer there: choose the file again",
            )


def test_what_the_audit_recommends_works_with_the_best_algorithm(server: Served) -> None:
    rows = "a,b\n" + "x,y\ny,x\n,x\n" * 20
    data = server.json("POST", "/api/data?name=gaps.csv", rows.encode())["id"]
    asked = {"data": data, "algorithm": "best", "reading": {"missing": "structural-em"}}
    assert server.wait(server.json("POST", "/api/jobs", asked)["id"])["state"] == "done"
    refused = server.wait(server.json("POST", "/api/jobs", {"data": data})["id"])
    assert refused["message"].startswith("gaps.csv: values are missing")
    assert "/" not in refused["message"]


def test_exports_at_the_same_time_are_whole(server: Served, run: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(server.ask, "GET", f"/api/runs/{run}/export/folder") for _ in range(24)]
    for each in asked:
        status, content, _ = each.result()
        assert status == 200
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


def test_a_comparison_counts_the_marks_that_were_compared(server: Served, run: int) -> None:
    document = server.json("GET", f"/api/runs/{run}")
    names = [variable["name"] for variable in document["variables"]]
    turned = [arc for arc in document["arcs"] if arc["reversible"]][:1]
    rows = [
        (names[arc["to"]], names[arc["from"]]) if arc in turned else (names[arc["from"]], names[arc["to"]])
        for arc in document["arcs"]
    ]
    mine, other = (
        DAG(names, [(names[arc["from"]], names[arc["to"]]) for arc in document["arcs"]]),
        DAG(names, rows[:-1]),
    )
    found = server.json("POST", f"/api/runs/{run}/compare-file?name=other.json", format_graph(other, "json").encode())
    expected = compare(mine, other)
    assert found["measures"]["shd"] == expected["shd"]
    kinds = Counter(edge["kind"] for edge in found["edges"])
    assert kinds == Counter(edge.difference for edge in expected.edges)
    assert kinds["extra"] == expected.counts.extra
    assert kinds["reversed"] + kinds["marks"] == expected.counts.partial


def test_contradictions_name_their_statements(server: Served) -> None:
    known = {"required_arcs": [["asia", "tub"]], "tiers": [["tub"], ["asia"]]}
    found = server.json("POST", "/api/knowledge/check", {"knowledge": known, "names": ["asia", "tub"]})
    assert (found["ok"], len(found["conflict"])) == (False, 3)
    assert {each["kind"] for each in found["conflict"]} == {"required_arc", "in_tier"}


def test_queries_and_exports_of_a_run(server: Served, run: int) -> None:
    found = server.json("POST", f"/api/runs/{run}/query", {"given": {"smoke": "yes"}})["probabilities"]
    assert all(abs(sum(shares) - 1) < 1e-9 for shares in found.values())
    for each in server.json("GET", "/api/about")["formats"]:
        status, content, headers = server.ask("GET", f"/api/runs/{run}/export/{each['format']}")
        assert (status, len(content) > 20) == (200, True), each
        assert "attachment" in headers["content-disposition"]


@pytest.mark.long
def test_a_bootstrap_adds_confidence(server: Served, run: int) -> None:
    job = server.json("POST", "/api/jobs", {"kind": "bootstrap", "run": run, "resamples": 10})
    ended = server.wait(job["id"])
    document = server.json("GET", f"/api/runs/{ended['run']}")
    assert document["confidence"]["resamples"] == 10
    assert all(0 < arc["confidence"]["either"] <= 1 for arc in document["arcs"] if arc["strength"] > 100)


def start_slow(server: Served) -> int:
    data = server.json("POST", "/api/data?name=slow.csv", slow_csv())["id"]
    options = {"algorithm": "boss", "settings": {"kicks": MOST_KICKS}}
    return int(server.json("POST", "/api/jobs", {"data": data, **options})["id"])


def wait_until_running(server: Served, job: int) -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        found = server.json("GET", f"/api/jobs/{job}")
        if found["progress"] is not None or found["state"] in ("done", "failed", "refused"):
            assert found["state"] == "running", found
            return
        time.sleep(0.1)
    raise AssertionError("the job did not begin")


@pytest.mark.long
def test_cancelling_keeps_the_best_graph_so_far(server: Served) -> None:
    job = start_slow(server)
    wait_until_running(server, job)
    server.ask("DELETE", f"/api/jobs/{job}")
    ended = server.wait(job)
    assert ended["state"] == "done"
    assert server.json("GET", "/api/runs")["runs"][ended["run"] - 1]["stop_reason"] == "interrupted"


@pytest.mark.long
def test_deleting_a_project_ends_its_jobs(server: Served) -> None:
    job = start_slow(server)
    wait_until_running(server, job)
    project = server.json("GET", f"/api/jobs/{job}")["data"]
    server.json("DELETE", f"/api/data/{project}")
    ended = server.wait(job)
    assert (ended["state"], ended["message"]) == ("refused", "slow.csv was deleted while this ran")
    assert project not in {run["data"] for run in server.json("GET", "/api/runs")["runs"]}


def processor_ticks(process: int) -> int:
    return sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))


def find_busy(server: Served) -> int:
    """The process of the server that computes now; idle ones use no processor time."""
    before = {child: processor_ticks(child) for child in server.children()}
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        for child, ticks in before.items():
            if processor_ticks(child) > ticks + 20:
                return child
        time.sleep(0.05)
    raise AssertionError("no process of the server computes")


@pytest.mark.long
def test_a_crash_of_a_job_is_a_message(server: Served) -> None:
    job = start_slow(server)
    wait_until_running(server, job)
    os.kill(find_busy(server), signal.SIGSEGV)
    ended = server.wait(job)
    assert ended["state"] == "failed"
    assert "ended unexpectedly (signal SIGSEGV)" in ended["message"]
    assert server.learn("d1") > 0


def test_two_watchers_see_the_same_end(server: Served) -> None:
    job = server.json("POST", "/api/jobs", {"data": "d1"})["id"]
    assert server.wait(job) == server.wait(job)


@pytest.mark.long
def test_ctrl_c_ends_it_cleanly() -> None:
    with serving("asia") as served:
        job = start_slow(served)
        wait_until_running(served, job)
        children = served.children()
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(LONGEST) == 0
        text = served.process.stdout.read() if served.process.stdout else ""
        assert "mahc ui: ended" in text
        assert "Traceback" not in text
    for child in children:
        assert not Path(f"/proc/{child}").exists()


@pytest.mark.long
def test_malformed_requests_do_no_harm() -> None:
    tool = Path(__file__).resolve().parents[2] / "tools/attack_server.py"
    done = subprocess.run(
        [sys.executable, str(tool), "--requests", "300", "--seed", "7"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
