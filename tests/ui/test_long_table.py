"""A long table on the page: each row is one person at one time; the same graph, command and Python as `mahc panel`."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui.browsing import SKIPPED, box, details, opened, wait_for
from ui.serving import Served
from ui.test_server_page import expect_table, learn, pane, statements, step, upload

import mahc
from mahc.cli.main import run as run_command

pytest.importorskip("starlette")
PANEL = {"subject": "patient", "time": "visit", "static": ["sex"]}
PAST = [["sex"], ["dose(t-1)", "pain(t-1)"]]


def visits() -> bytes:
    """Visits of people: the dose lowers the pain of the next visit."""
    draw = np.random.default_rng(1)
    lines = ["patient,visit,sex,dose,pain"]
    for patient in range(80):
        sex, pain, dose = draw.random(3) < 0.5
        for visit in range(5):
            if visit:
                pain = draw.random() < 0.1 + 0.45 * pain + 0.35 * (not dose)
                dose = draw.random() < (0.8 if sex else 0.2)
            if (patient, visit) != (3, 2):  # a gap
                lines.append(f"{patient},{visit},{'f' if sex else 'm'},{'yn'[int(dose)]},{'yn'[int(pain)]}")
    return "\n".join(lines).encode() + b"\n"


@pytest.fixture(scope="module")
def data(server: Served) -> str:
    return str(server.json("POST", "/api/data?name=visits.csv", visits())["id"])


@pytest.mark.parametrize(
    ("panel", "stated", "names"),
    [
        (PANEL, {}, ["sex", "dose(t-1)", "pain(t-1)", "dose(t)", "pain(t)"]),
        ({**PANEL, "gaps": "next"}, {"tiers": [*PAST, ["pain(t)"], ["dose(t)"]]}, None),
        (PANEL, {"tiers": [*PAST, ["dose(t)", "pain(t)"]], "strict_tiers": True}, None),
        (PANEL, {"forbidden_arcs": [["dose(t-1)", "pain(t)"]]}, None),
        ({**PANEL, "static": [], "lags": 2}, {}, None),
    ],
)
def test_a_run_is_that_of_the_command_and_the_python_that_it_shows(
    server: Served,
    data: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    panel: dict[str, Any],
    stated: dict[str, Any],
    names: list[str] | None,
) -> None:
    run = server.learn(data, reading={"panel": panel}, algorithm="hc", knowledge=stated)
    document = server.json("GET", f"/api/runs/{run}")
    called = [each["name"] for each in document["variables"]]
    assert names is None or called == names
    arcs = sorted((called[each["from"]], called[each["to"]]) for each in document["arcs"])
    assert "window of" in document["panel"]
    assert ["Rows", document["panel"]] in document["run"]["facts"]
    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_bytes(visits())
    shown = document["reproduce"]
    if shown["knowledge_file"]:
        Path("knowledge.json").write_text(shown["knowledge_file"])
    with pytest.raises(SystemExit) as ended:
        run_command(shlex.split(shown["commands"])[1:])
    assert not ended.value.code
    repeated = mahc.PanelNetwork.load("result")
    assert sorted(repeated.transition.dag.arcs) == arcs
    assert repeated.transition.data.fingerprint == document["run"]["fingerprint"]
    space: dict[str, Any] = {}
    exec(shown["python"], space)
    assert sorted(space["found"].transition.dag.arcs) == arcs
    assert space["found"].transition.knowledge.to_dict() == document["knowledge"]


@pytest.mark.parametrize(
    ("panel", "sentence"),
    [
        ({**PANEL, "subject": "nobody"}, "unknown column 'nobody'"),
        ({**PANEL, "subject": "sex", "static": []}, "two rows are of subject"),
        ({**PANEL, "static": ["pain"]}, "the static column 'pain' changes within"),
        ({**PANEL, "time": "pain"}, "column 'pain' has no order in time"),
        ({**PANEL, "lags": 5}, "give fewer lags"),
        ({"subject": "", "time": ""}, "choose the column of each"),
    ],
)
def test_a_table_that_is_no_panel_is_refused_before_and_at_learning(
    server: Served, data: str, panel: dict[str, Any], sentence: str
) -> None:
    found = server.json("POST", f"/api/data/{data}/audit", {"reading": {"panel": panel}})
    assert sentence in found["problem"]["text"]
    assert not found["audit"]["ok"]
    assert found["panel"] is None
    job = server.json("POST", "/api/jobs", {"kind": "learn", "data": data, "reading": {"panel": panel}})
    ended = server.wait(job["id"])
    assert ended["state"] == "refused"
    assert sentence in ended["message"]


def test_one_time_only_is_refused(server: Served) -> None:
    first = b"patient,visit,pain\n" + b"".join(b"%d,1,%c\n" % (i, b"yn"[i % 2]) for i in range(20))
    data = server.json("POST", "/api/data?name=first.csv", first)["id"]
    found = server.json("POST", f"/api/data/{data}/audit", {"reading": {"panel": {**PANEL, "static": []}}})
    assert "has 1 time only" in found["problem"]["text"]


def test_what_draws_single_rows_is_refused_and_the_run_is_kept_in_a_project_file(server: Served, data: str) -> None:
    run = server.learn(data, reading={"panel": PANEL}, algorithm="hc")
    jobs = [server.json("POST", "/api/jobs", {"kind": kind, "run": run}) for kind in ("bootstrap", "posterior")]
    refused = [server.wait(job["id"]) for job in jobs]
    assert [each["state"] for each in refused] == ["refused", "refused"]
    asked = {"effect": {"cause": "dose(t-1)", "target": "pain(t)"}, "questions": {}}
    answers = [server.ask("POST", f"/api/runs/{run}/{kind}", body) for kind, body in asked.items()]
    texts = [each["message"] for each in refused] + [json.loads(body)["error"]["message"] for _, body, _ in answers]
    assert all("the rows of one subject depend on each other" in text for text in texts)
    _, saved, _ = server.ask("GET", f"/api/data/{data}/project")
    again = server.json("POST", "/api/projects", saved)["id"]
    last = server.json("GET", "/api/runs")["runs"][-1]
    assert last["data"] == again
    assert server.json("GET", f"/api/runs/{last['id']}")["panel"] == server.json("GET", f"/api/runs/{run}")["panel"]


def test_columns_of_numbers_are_cut_alike_in_the_run_and_its_report(server: Served) -> None:
    level = np.random.default_rng(1).normal(size=(60, 4)).cumsum(1)
    lines = [f"{i // 4},{i % 4},{'' if i == 21 else value}" for i, value in enumerate(level.ravel())]
    data = server.json("POST", "/api/data?name=levels.csv", "\n".join(["id,week,level", *lines]).encode())["id"]
    panel = {"panel": {"subject": "id", "time": "week"}}
    found = server.json("POST", f"/api/data/{data}/audit", {"reading": panel})
    assert found["suggested"]["missing"] == "drop"
    assert found["suggested"]["panel"]["subject"] == "id"
    run = server.learn(data, reading=found["suggested"], algorithm="hc", numbers="cuts")
    document = server.json("GET", f"/api/runs/{run}")
    assert document["run"]["rows"] == 180 - 2
    assert document["tables"] is not None
    assert server.ask("GET", f"/api/runs/{run}/export/report")[0] == 200
    assert server.ask("GET", f"/api/runs/{run}/export/network-bif")[0] == 200
    smooth = server.learn(data, reading=found["suggested"], algorithm="hc", numbers="smooth")
    asked = [("GET", f"/api/runs/{smooth}/export/network-bif"), ("POST", f"/api/runs/{smooth}/query")]
    for method, address in asked:
        status, content, _ = server.ask(method, address, {} if method == "POST" else None)
        assert status == 400
        assert "this network has regressions of numbers" in json.loads(content)["error"]["message"]


def test_the_page_of_a_panel_has_what_repeats_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_bytes(visits())
    how: dict[str, Any] = {"static": ["sex"], "within": False, "gaps": "next", "missing": "drop"}
    found = mahc.learn_panel("data.csv", "patient", "visit", **how)
    found.save("saved")
    mahc.PanelNetwork.load("saved").report("page.html")
    words = next(line for line in _shown(Path("page.html")).splitlines() if line.startswith("mahc panel"))
    with pytest.raises(SystemExit) as ended:
        run_command(shlex.split(words)[1:])
    assert ended.value.code == 0
    assert mahc.PanelNetwork.load("result") == found


def _shown(report: Path) -> str:
    """The commands that a report shows."""
    (document,) = re.findall(r'id="document">(.*?)</script>', report.read_text(), re.DOTALL)
    return str(json.loads(document)["reproduce"]["commands"])


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    with opened(browser, server.url + "#data=none", viewport={"width": 1400, "height": 860}) as found:
        yield found


@pytest.mark.browser
@SKIPPED
def test_a_long_table_becomes_a_graph_with_a_lane_for_each_slice(page: Any) -> None:
    upload(page, "visits.csv", visits())
    page.locator("#long-table").check()
    expect_table(page, "choose the column of each")
    assert page.locator("#learn").is_disabled()
    page.locator("#subject").select_option("patient")
    page.locator("#time").select_option("visit")
    page.locator("[data-key='static sex']").check()
    expect_table(page, "80 subjects, 5 times, 318 windows: can be used")
    assert "windows that span a time the subject lacks are left out" in pane(page)
    page.locator(".details summary", has_text="As command").click()
    wait_for(page, lambda: "mahc panel visits.csv --subject patient --time visit --static sex" in details(page), "it")
    step(page, "Knowledge")
    assert page.locator(".lane text").all_text_contents() == ["static", "t-1", "t"]
    assert "nothing causes them" in page.locator(".left").inner_text()
    learn(page)
    assert page.locator(".lane text").all_text_contents() == ["static", "t-1", "t"]
    x = [box(page, name).bounding_box()["x"] for name in ("sex", "pain(t-1)", "pain(t)")]
    assert x == sorted(x)
    assert "Each row is a window of 2 times" in details(page)
    assert page.locator("#next-posterior, #bootstrap, #estimate, #ask").count() == 0
    page.reload()
    page.wait_for_selector("html[data-ready]")
    wait_for(page, lambda: page.locator(".lane").count() == 3, "the lanes after reloading")
    step(page, "Data")
    page.locator("#long-table").uncheck()
    expect_table(page, "399 rows, 5 columns: can be used")
    step(page, "Knowledge")
    assert len(statements(page)) == 1
    assert "Nothing stated yet" in statements(page)[0]
    assert page.locator(".box").count() == 5
