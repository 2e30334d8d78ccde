"""The attack on every reader, as one command with a table: which faults are there?

usage: python tools/attack/run.py [--seed 1] [--cases 2000] [--seconds 110] [--only "network bif"]

The special files, the terminal and the misuse of the native layer are attacked by tests, which it runs at the end:
tests/files/test_bounded_reads.py, tests/cli/test_safe_printing.py, tests/engine/test_search_input.py,
tests/engine/test_bad_input.py. Not here yet: kills, invariance, full disk (issue 13).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzz import Outcome, fuzz
from targets import targets

TESTS = {
    "special files": "tests/files/test_bounded_reads.py",
    "terminal": "tests/cli/test_safe_printing.py",
    "native search": "tests/engine/test_search_input.py",
    "native counting": "tests/engine/test_bad_input.py",
}


def main() -> int:
    """Attack, print the table and return 1 if there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=2000, help="cases per reader")
    parser.add_argument("--seconds", type=float, default=110, help="time for all readers together")
    parser.add_argument("--only", help="readers whose name contains this, without the tests")
    words = parser.parse_args()
    chosen = [target for target in targets() if words.only is None or words.only in target.name]
    faults: list[str] = []
    print(f"{'attack':<28}{'cases':>9}{'faults':>8}{'seconds':>9}")
    end = time.monotonic() + words.seconds
    for left, target in zip(range(len(chosen), 0, -1), chosen, strict=True):
        began = time.monotonic()
        outcome = fuzz(target, words.seed, words.cases, max(0.5, (end - began) / left))
        faults += _show(target.name, outcome, began)
    for name, file in TESTS.items() if words.only is None else ():
        began = time.monotonic()
        faults += _show(name, _run_tests(file), began)
    print(*faults, sep="\n")
    return 1 if faults else 0


def _show(name: str, outcome: Outcome, began: float) -> list[str]:
    seconds = time.monotonic() - began
    print(f"{name:<28}{outcome.cases:>9,}{len(outcome.faults):>8}{seconds:>9.1f}", flush=True)
    return outcome.faults


def _run_tests(file: str) -> Outcome:
    place = Path(__file__).parents[2] / file
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rf", str(place)]
    found = subprocess.run(command, capture_output=True, text=True, cwd=place.parents[2])
    lines = found.stdout.splitlines()
    faults = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    if found.returncode and not faults:
        faults = [f"{file}: pytest ended with {found.returncode}"]
    dots = sum(line.split(" ")[0].count(".") for line in lines if line.endswith("%]"))
    return Outcome(dots + len(faults), faults)


if __name__ == "__main__":
    sys.exit(main())
