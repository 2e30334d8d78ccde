"""One contestant learns from one file and prints its time and arcs as JSON; bench_learning.py starts one process each.

With a third word `one-thread`, ours have one thread, and all times are processor time.

It imports mahc only for our algorithms, so that it also runs in an environment with a peer alone. Peers are called as
in experiments, by a script without imports from mahc.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Outcome = tuple[float, list[tuple[str, ...]]]
SCRIPT = Path(__file__).resolve().parents[1] / "src" / "mahc" / "lab" / "contestants" / "peer_script.py"
OURS = {"mahc: hc": "hc", "mahc: mahc": "mahc", "mahc: tabu": "tabu"}
PEERS = {
    "PyBNesian: hc": "pybnesian-hc",
    "pyAgrum: hc": "pyagrum-hc",
    "pyAgrum: tabu": "pyagrum-tabu",
    "pgmpy: hc": "pgmpy-hc",
}


def ours(algorithm: str, path: str, threads: int | None) -> Outcome:
    import mahc

    data = mahc.read(path)
    mahc.learn(data, algorithm, threads=threads, step_limit=0)  # so that nothing is imported within the time
    learned = mahc.learn(data, algorithm, threads=threads)
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
    name, path, *mode = sys.argv[1:]
    one_thread = mode == ["one-thread"]
    if one_thread:
        time.perf_counter = time.process_time  # the clock of all contestants
    try:
        seconds, arcs = ours(OURS[name], path, 1 if one_thread else None) if name in OURS else peer(PEERS[name])(path)
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}))
        return
    print("\n" + json.dumps({"seconds": seconds, "arcs": arcs}))


if __name__ == "__main__":
    main()
