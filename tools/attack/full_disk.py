"""A full disk: files may not grow beyond a few bytes, so that every write fails midway.

Each command must end with one sentence and exit code 2, and leave what was there before as it was.
"""

from __future__ import annotations

import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fuzz import Outcome

from mahc.graphs.files import write_graph
from mahc.networks import load_network

COMMANDS = {
    "learn --out": ["learn", "asia", "--threads", "1", "--out", "{place}/out", "--overwrite"],
    "sample --out": ["sample", "asia", "--rows", "2000", "--out", "{place}/out"],
    "fit --out": ["fit", "{graphs}/asia.csv", "asia", "--out", "{place}/out.bif"],
}


def attack_full_disk(seed: int, cases: int, seconds: float) -> Outcome:
    """Run commands that write with room for so few bytes, drawn from the seed."""
    end, outcome, chance = time.monotonic() + seconds, Outcome(), random.Random(f"disk {seed}")
    graphs = tempfile.TemporaryDirectory()
    write_graph(load_network("asia").dag, Path(graphs.name) / "asia.csv")
    while outcome.cases < cases and time.monotonic() < end:
        name = chance.choice(sorted(COMMANDS))
        room = chance.choice([0, 1, 100, chance.randint(100, 3000)])
        with tempfile.TemporaryDirectory() as place:
            words = [word.format(place=place, graphs=graphs.name) for word in COMMANDS[name]]
            fault = _run(words, room, Path(place))
        outcome.cases += 1
        if fault:
            outcome.faults.append(f"full disk, seed {seed}, case {outcome.cases}, {name}, {room} bytes: {fault}")
    graphs.cleanup()
    return outcome


def _run(words: list[str], room: int, place: Path) -> str:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    command = [sys.executable, "-B", "-m", "mahc", *words]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    left = sorted(str(file.relative_to(place)) for file in place.rglob("*") if file.is_file())
    lines = done.stderr.strip().splitlines()
    if done.returncode == 0 and left:
        return ""  # all of it fits
    if done.returncode != 2 or len(lines) != 1 or "Traceback" in done.stderr:
        return f"exit code {done.returncode}, {len(lines)} lines: {done.stderr[-300:]!r}"
    return f"{left} were left behind" if left else ""
