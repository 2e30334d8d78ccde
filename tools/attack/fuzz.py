"""Fuzzing in a process of its own: an exception that is not a MahcError, a crash, a hang and a flood are faults."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import tempfile
import time
import traceback
from ctypes import c_long
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutations import mutate
from targets import Target

from mahc.errors import MahcError

CASE_SECONDS = 20.0  # of processor time: on a machine with other work the wall time says little
HANG_SECONDS = 300
MEMORY_BYTES = 4 << 30


@dataclass
class Outcome:
    """How many cases of a target were run, and what went wrong."""

    cases: int = 0
    faults: list[str] = field(default_factory=list)


def fuzz(target: Target, seed: int, cases: int, seconds: float) -> Outcome:
    """Run so many cases, or as many as the time allows."""
    end, case, outcome = time.monotonic() + seconds, 0, Outcome()
    while case < cases and time.monotonic() < end:
        reached = multiprocessing.Value(c_long, case)
        faults: Any = multiprocessing.Queue()
        child = multiprocessing.Process(target=_run, args=(target, seed, case, cases, end, reached, faults))
        child.start()
        outcome.faults += _gather(child, faults)
        stopped, case = case, reached.value
        if child.exitcode:
            outcome.faults.append(f"{target.name}, case {case}: the process ended with {child.exitcode}")
            case += 1
        outcome.cases += case - stopped
    return outcome


def _gather(child: multiprocessing.Process, faults: Any) -> list[str]:
    found: list[str] = []
    while child.is_alive() or not faults.empty():
        with contextlib.suppress(Exception):
            found.append(faults.get(timeout=0.1))
    child.join()
    return found


def _run(target: Target, seed: int, first: int, cases: int, end: float, reached: Any, faults: Any) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        for case in range(first, cases):
            if time.monotonic() > end:
                return
            reached.value = case
            fault = _attempt(target, mutate(target.content, seed, case), Path(folder) / target.file)
            if fault:
                faults.put(f"{target.name}, seed {seed}, case {case}: {fault}")
            reached.value = case + 1


def _attempt(target: Target, content: bytes, file: Path) -> str:
    file.write_bytes(content)
    signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)  # both end the process: a hang is a fault
    signal.alarm(HANG_SECONDS)
    try:
        target.read(file)
    except MahcError as refusal:
        return "" if len(str(refusal)) <= 1100 else "the refusal is too long"
    except BaseException as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        return f"{type(problem).__name__}: {str(problem)[:80]} ({Path(place.filename).name}:{place.lineno})"
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""
