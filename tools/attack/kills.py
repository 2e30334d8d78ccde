"""Kills: a command that is killed at any moment leaves whole files, and the next run goes on from there."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fuzz import Outcome

import mahc
from mahc.lab import read_rows

PLAN = """
cases = ["asia"]
sizes = [100]
seeds = [1, 2, 3]
[[contestants]]
label = "HC"
algorithm = "hc"
[[contestants]]
label = "MAHC"
algorithm = "mahc"
"""


def attack_learn(seed: int, kills: int, seconds: float) -> Outcome:
    """Kill `mahc learn --out`: the folder has the old result or the new one, whole, and no other files."""
    end, outcome, chance = time.monotonic() + seconds, Outcome(), random.Random(f"learn {seed}")
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        command = [sys.executable, "-m", "mahc", "learn", "asia", "--out", str(out), "--overwrite", "--threads", "1"]
        longest = _time(command)
        names = {file.name for file in out.iterdir()}
        while outcome.cases < kills and time.monotonic() < end:
            _kill(command, chance.uniform(0.3, 1.05) * longest)
            outcome.cases += 1
            outcome.faults += [f"learn --out, seed {seed}, kill {outcome.cases}: {it}" for it in _check(out, names)]
        subprocess.run(command, check=True, capture_output=True)
        left = sorted(file.name for file in out.iterdir() if file.name not in names)
        if left:
            outcome.faults.append(f"learn --out, seed {seed}: {left} were left behind")
    return outcome


def attack_termination(seed: int, kills: int, seconds: float) -> Outcome:
    """Send SIGTERM to `mahc bootstrap --out`: it ends with 143 (or is done), its folder whole, without litter."""
    end, outcome, chance = time.monotonic() + seconds, Outcome(), random.Random(f"termination {seed}")
    with tempfile.TemporaryDirectory() as place:
        litter = Path(place) / "tmp"
        litter.mkdir()
        words = ["bootstrap", "asia", "--resamples", "20000", "--threads", "1", "--overwrite", "--out"]
        command = [sys.executable, "-m", "mahc", *words, str(Path(place) / "out")]
        while outcome.cases < kills and time.monotonic() < end:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(litter)}
            ) as process:
                time.sleep(chance.uniform(0.6, 3.0))
                process.send_signal(signal.SIGTERM)
                said = process.communicate()[1].decode()
            outcome.cases += 1
            left = [
                file.name for file in (*litter.iterdir(), *Path(place).iterdir()) if file.name not in ("tmp", "out")
            ]
            if process.returncode not in (143, 0) or "Traceback" in said or left:
                found = f"exit code {process.returncode}, left {left}: {said[-200:]}"
                outcome.faults.append(f"termination, seed {seed}, case {outcome.cases}: {found}")
    return outcome


def _check(out: Path, names: set[str]) -> list[str]:
    found = {file.name for file in out.iterdir()}
    strange = [name for name in found - names if not (name.startswith(".") and name.endswith(".part"))]
    faults = [f"{name} is missing" for name in names - found] + [f"{name} is strange" for name in strange]
    try:
        if len(mahc.Learned.load(out / "result.json").variables) != 8:
            faults.append("result.json is another one")
    except mahc.MahcError as refusal:
        faults.append(str(refusal))
    return faults


def attack_experiment(seed: int, kills: int, seconds: float) -> Outcome:
    """Kill `mahc experiment run`: the store can be read, no row is lost, and the run goes on to the end."""
    end, outcome, chance = time.monotonic() + seconds, Outcome(), random.Random(f"experiment {seed}")
    with tempfile.TemporaryDirectory() as place:
        plan, number = Path(place) / "plan.toml", 0
        plan.write_text(PLAN)
        store, known = Path(place) / "0", 0
        longest = _time([*_experiment(plan), str(store)])
        whole = len(read_rows(store))
        while outcome.cases < kills and time.monotonic() < end:
            if known == whole or not number:
                number, known = number + 1, 0
                store = Path(place) / str(number)
            _kill([*_experiment(plan), str(store)], chance.uniform(0.2, 0.9) * longest)
            outcome.cases += 1
            try:
                rows = len(read_rows(store)) if (store / "rows.sqlite").exists() else 0
            except mahc.MahcError as refusal:
                outcome.faults.append(f"experiment run, seed {seed}, kill {outcome.cases}: {refusal}")
                known = whole
                continue
            if rows < known:
                outcome.faults.append(f"experiment run, seed {seed}, kill {outcome.cases}: {known - rows} rows lost")
            known = rows
        done = subprocess.run([*_experiment(plan), str(store)], capture_output=True, text=True)
        if done.returncode or len(read_rows(store)) != whole:
            outcome.faults.append(f"experiment run, seed {seed}: the last run did not finish: {done.stderr[-200:]}")
    return outcome


def _experiment(plan: Path) -> list[str]:
    return [sys.executable, "-m", "mahc", "experiment", "run", str(plan), "--store"]


def _time(command: list[str]) -> float:
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - began


def _kill(command: list[str], after: float) -> None:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
