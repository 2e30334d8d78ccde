"""Learning through the server of the page, with a bootstrap, a query and an export of each run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pairings.circumstances import Circumstance
from pairings.subjects import TARGET, NotApplicableError, RefusedError
from ui.serving import Served


def ask_server(server: Served, one: Circumstance, folder: Path) -> Any:
    """Arcs and score of a run; what refuses it raises a RefusedError."""
    if one.array or one.reloaded:
        raise NotApplicableError("a file is uploaded")
    path = one.path(folder)
    if path.is_dir():
        raise NotApplicableError("a file is uploaded")
    data = server.json("POST", f"/api/data?name={path.name}", path.read_bytes())["id"]
    limits = dict(one.limits)
    body = {"kind": "learn", "data": data, "algorithm": "hc", "reading": one.reading, "knowledge": one.knowledge}
    body |= {"time_limit": limits.pop("time_limit", None), "settings": limits}
    ended = server.wait(server.json("POST", "/api/jobs", body)["id"])
    if ended["state"] == "refused":
        raise RefusedError(ended["message"])
    assert ended["state"] == "done", ended
    run = ended["run"]
    document = server.json("GET", f"/api/runs/{run}")
    names = [variable["name"] for variable in document["variables"]]
    again = server.wait(server.json("POST", "/api/jobs", {"kind": "bootstrap", "run": run, "resamples": 2})["id"])
    assert again["state"] == "done", again
    shares = server.json("POST", f"/api/runs/{run}/query", {"given": {"bronc": "yes"}})["probabilities"][TARGET]
    assert abs(sum(shares) - 1) < 1e-9
    for wanted in ("report", "network-bif"):
        status, content, _ = server.ask("GET", f"/api/runs/{run}/export/{wanted}")
        assert status == 200, content
    arcs = sorted([names[arc["from"]], names[arc["to"]]] for arc in document["arcs"])
    return {"arcs": arcs, "score": json.loads(json.dumps(document["run"]["score"]["value"]))}
