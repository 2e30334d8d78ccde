"""One contestant learns one file and prints what it did as JSON; run by bench_learning.py, each in its own process.

Needs nothing of mahc unless the contestant is ours, so that it also runs in an environment of the peers' own: they are
called as in experiments, by a script that stands alone.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Outcome = tuple[float, list[tuple[str, ...]]]
SCRIPT = Path(__file__).resolve().parents[1] / "src" / "mahc" / "experiment" / "contestants" / "peer_script.py"
OURS = {"mahc: hc": "hc", "mahc: mahc": "mahc", "mahc: tabu": "tabu"}
PEERS = {
    "PyBNesian: hc": "pybnesian-hc",
    "pyAgrum: hc": "pyagrum-hc",
    "pyAgrum: tabu": "pyagrum-tabu",
    "pgmpy: hc": "pgmpy-hc",
}


def ours(algorithm: str, path: str) -> Outcome:
    import mahc

    learned = mahc.learn(mahc.read(path), algorithm)
    return learned.seconds, list(learned.arcs)


def peer(name: str) -> Callable[[str], Outcome]:
    spec: Any = importlib.util.spec_from_file_location("peer_script", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    learn: Callable[[str], Outcome] = script.PEERS[name][1]
    return learn


def main() -> None:
    import logging

    logging.disable(logging.WARNING)
    name, path = sys.argv[1:3]
    try:
        seconds, arcs = ours(OURS[name], path) if name in OURS else peer(PEERS[name])(path)
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}))
        return
    print("\n" + json.dumps({"seconds": seconds, "arcs": arcs}))


if __name__ == "__main__":
    main()
