"""Projects: kept on the disk, reopened after a restart, exported and imported as data; nothing else survives."""

from __future__ import annotations

import io
import json
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui.serving import LONGEST, Served, serving

from mahc.errors import FormatError
from mahc.networks import load_network, sample
from mahc.ui.server.project_files import unpack_project_file

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("platformdirs")

ROWS = b"a,b,c\n" + b"x,x,u\ny,y,v\nx,x,v\ny,x,u\n" * 30


def upload(server: Served, name: str = "rows.csv") -> str:
    return str(server.json("POST", f"/api/data?name={name}", ROWS)["id"])


def sentence(content: bytes) -> str:
    found: str = json.loads(content)["error"]["message"]
    return found


def project_file(server: Served, data: str, rows: str = "yes") -> bytes:
    status, content, headers = server.ask("GET", f"/api/data/{data}/project?rows={rows}")
    assert status == 200
    assert headers["content-disposition"].endswith('.mahc"')
    return content


@pytest.mark.long
def test_projects_survive_a_restart_and_the_last_one_comes_first(tmp_path: Path) -> None:
    words = ("--projects", str(tmp_path / "projects"))
    state = {"knowledge": {"required_arcs": [["a", "b"]]}, "algorithm": "hc", "settings": {}, "reading": {}}
    with serving(*words) as served:
        first = upload(served, "first.csv")
        run = served.learn(first, algorithm="hc")
        upload(served, "second.csv")
        served.json("PUT", f"/api/data/{first}", {**state, "run": run})
        document = served.json("GET", f"/api/runs/{run}")
    with serving(*words) as served:
        listed = served.json("GET", "/api/data")["data"]
        assert {each["name"] for each in listed} == {"first.csv", "second.csv"}
        mine = next(each for each in listed if each["id"] == first)
        assert (mine["runs"], mine["state"]["algorithm"], mine["state"]["run"]) == (1, "hc", run)
        assert mine["state"]["knowledge"] == state["knowledge"]
        assert served.json("GET", f"/api/runs/{run}") == document
        assert served.learn(first) == run + 1
        served.json("DELETE", f"/api/data/{first}")
        assert [each["name"] for each in served.json("GET", "/api/data")["data"]] == ["second.csv"]
        assert served.ask("GET", f"/api/runs/{run}")[0] == 404
    assert not (tmp_path / "projects" / first).exists()


def test_a_file_named_at_the_start_is_taken_up_again(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(ROWS)
    words = (str(tmp_path / "rows.csv"), "--projects", str(tmp_path / "projects"))
    for _ in range(2):
        with serving(*words) as served:
            (only,) = served.json("GET", "/api/data")["data"]
            assert (only["name"], only["kept"]) == ("rows.csv", False)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_nothing_but_projects_survives_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with serving("--projects", str(tmp_path / "projects"), temporary=temporary) as served:
        data = upload(served)
        served.learn(data)
        assert any(temporary.iterdir())
        served.process.send_signal(number)
        served.process.wait(LONGEST)
    assert not any(temporary.iterdir())
    assert sorted(os.listdir(tmp_path / "projects" / data)) == ["data.csv", "project.json", "run-1"]


def test_a_project_file_reopens_everything(server: Served) -> None:
    data = upload(server)
    run = server.learn(data, knowledge={"tiers": [["a"], ["b"]]}, algorithm="hc")
    server.json("PUT", f"/api/data/{data}", {"run": run, "algorithm": "tabu", "reading": {}})
    again = server.json("POST", "/api/projects", project_file(server, data))
    assert (again["name"], again["runs"], again["state"]["algorithm"]) == ("rows.csv", 1, "tabu")
    mine, other = (server.json("GET", f"/api/runs/{number}") for number in (run, again["state"]["run"]))
    assert mine == other
    assert server.learn(again["id"]) > 0
    bare = server.json("POST", "/api/projects", project_file(server, data, rows="no"))
    assert bare["bytes"] is None
    document = server.json("GET", f"/api/runs/{bare['state']['run']}")
    assert document["arcs"]
    assert document["variables"][0]["states"] is None
    status, content, _ = server.ask("POST", f"/api/data/{bare['id']}/audit", {})
    assert (status, "came without its rows" in sentence(content)) == (400, True)
    content = project_file(server, data, rows="no")
    assert b"x,x,u" not in content
    assert "data.csv" not in zipfile.ZipFile(io.BytesIO(content)).namelist()


def changed(content: bytes, **parts: Any) -> bytes:
    """The project file with other parts; None takes one out."""
    source, target = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            if name not in parts:
                archive.writestr(name, source.read(name))
        for name, text in parts.items():
            if text is not None:
                archive.writestr(name, text)
    return target.getvalue()


def test_damaged_and_hostile_project_files_are_refused(server: Served) -> None:
    data = upload(server)
    run = server.learn(data, algorithm="hc")
    good = project_file(server, data)
    project = json.loads(zipfile.ZipFile(io.BytesIO(good)).read("project.json"))
    known = len(server.json("GET", "/api/data")["data"])
    result = f"run-{run}/result.json"
    for content, part in [
        (b"PK no zip", "is not a project file"),
        (good[: len(good) // 2], "is not a project file"),
        (changed(good, **{"project.json": None}), "is not a project file"),
        (changed(good, **{"project.json": json.dumps({**project, "format_version": 99})}), "format version 99"),
        (changed(good, **{"project.json": json.dumps({**project, "format": "other"})}), "is not a project"),
        (changed(good, **{"project.json": json.dumps({**project, "runs": 7})}), "is damaged"),
        (changed(good, **{"project.json": "[" * 100_000}), "JSON"),
        (changed(good, **{"../../evil": "x"}), "no part of a project"),
        (changed(good, **{"run-1/result.py": "import os"}), "no part of a project"),
        (changed(good, **{result: "{}"}), "is damaged (run"),
        (changed(good, **{result: None}), "is damaged"),
    ]:
        status, answer, _ = server.ask("POST", "/api/projects", content)
        assert status == 400, (part, answer)
        assert part in sentence(answer), sentence(answer)
        assert "/tmp" not in sentence(answer)
    assert len(server.json("GET", "/api/data")["data"]) == known


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.mahc", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", "{}")
        archive.writestr("data.csv", b"0" * 5_000_000)
    (tmp_path / "out").mkdir()
    with pytest.raises(FormatError, match="unpacks to more"):
        unpack_project_file(tmp_path / "bomb.mahc", tmp_path / "out", 1_000_000)


def test_a_damaged_project_on_the_disk_is_not_listed_and_not_removed(tmp_path: Path) -> None:
    place = tmp_path / "projects" / "d1"
    place.mkdir(parents=True)
    (place / "project.json").write_text("{")
    with serving("--projects", str(tmp_path / "projects")) as served:
        assert served.json("GET", "/api/data")["data"] == []
        assert upload(served) == "d2"
    assert (place / "project.json").read_text() == "{"


def test_effects_and_posteriors_of_a_run(server: Served) -> None:
    data = server.json("POST", "/api/sample")["id"]
    run = server.learn(data, knowledge={"tiers": [["smoke"], ["bronc"], ["dysp"]]})
    found = server.json("POST", f"/api/runs/{run}/effect", {"cause": "smoke", "target": "bronc"})
    assert found["low"] <= found["difference"] <= found["high"]
    assert "smoke = yes instead of no" in found["sentences"][0]
    assert {"text": "smoke → bronc", "kind": "causal", "blocked_by": [], "arcs": [["smoke", "bronc"]]} in found["paths"]
    assert found["adjustment"][0].startswith("Effect of smoke on bronc")
    asked = server.json("POST", f"/api/runs/{run}/questions", {"budget": 2})["questions"]
    assert 0 < len(asked) <= 2
    assert all(sum(each["probabilities"].values()) == pytest.approx(1) for each in asked)
    about = server.json("POST", f"/api/runs/{run}/questions", {"effect": ["smoke", "dysp"]})["questions"]
    assert [each["worth"] for each in about] == sorted((each["worth"] for each in about), reverse=True)
    assert server.ask("POST", f"/api/runs/{run}/questions", {"budget": 0})[0] == 400
    for body in ({"cause": "smoke"}, {"cause": "nobody", "target": "bronc"}, {"cause": "smoke", "target": "smoke"}):
        status, content, _ = server.ask("POST", f"/api/runs/{run}/effect", body)
        assert status == 400, content
    ended = server.wait(server.json("POST", "/api/jobs", {"kind": "posterior", "run": run, "samples": 40})["id"])
    assert ended["state"] == "done", ended
    document = server.json("GET", f"/api/runs/{ended['run']}")
    assert document["confidence"]["resamples"] == 40
    assert all(arc["confidence"] is not None for arc in document["arcs"])


def test_targets_of_experiments_and_contexts_are_taken_and_told(server: Served) -> None:
    asia = load_network("asia")
    observed, trial = sample(asia, 600, seed=1), sample(asia, 400, seed=2, do=["smoke"])
    rows = [
        (*values, target)
        for data, target in ((observed, ""), (trial, "smoke"))
        for values in zip(*(np.array(each.labels)[each.codes] for each in data.discrete_by_name.values()), strict=True)
    ]
    text = "\n".join(",".join(row) for row in [(*asia.names, "trial"), *rows])
    data = server.json("POST", "/api/data?name=trial.csv", text.encode())["id"]
    reading = {"interventions": "trial"}
    audit = server.json("POST", f"/api/data/{data}/audit", {"reading": reading})["audit"]
    assert audit["ok"]
    run = server.learn(data, reading=reading, knowledge={"contexts": ["asia"]})
    facts = dict(server.json("GET", f"/api/runs/{run}")["run"]["facts"])
    assert "smoke (400 rows)" in facts["Experiments"]
    assert facts["Contexts"].startswith("what differs by asia")
