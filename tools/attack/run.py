"""The attack as one command with a table: which faults are there?

usage: python tools/attack/run.py [--seed 1] [--seconds 100] [--long] [--only "network bif"]

Mutated files for every reader, kills of commands that write, a full disk, and the same answer under other names,
orders and labels. Special files, the terminal, HTML and misuse of the native layer are attacked by tests, which it runs
at the end. `--long` is the long run: as many cases as docs/reference/reliability.md lists, however long that takes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from full_disk import attack_full_disk
from fuzz import Outcome, fuzz
from invariance import attack_invariance
from kills import attack_experiment, attack_learn
from targets import targets

TESTS = {
    "special files": "tests/files/test_bounded_reads.py",
    "terminal and HTML": "tests/cli/test_safe_printing.py",
    "native misuse": "tests/engine/test_native_misuse.py",
    "native counting": "tests/engine/test_bad_input.py",
}
# Attack: its function, the cases of a long run, the share of the time of a short one.
OTHERS: dict[str, tuple[Callable[[int, int, float], Outcome], int, float]] = {
    "kill learn --out": (attack_learn, 200, 0.12),
    "kill experiment run": (attack_experiment, 100, 0.12),
    "full disk": (attack_full_disk, 100, 0.06),
    "invariance": (attack_invariance, 10_000, 0.15),
}
LONG_CASES = 8000  # of each reader
FUZZ_SHARE = 0.55
DAY = 86_400.0


def main() -> int:
    """Attack, print the table and return 1 if there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, help="cases per reader, or of another attack")
    parser.add_argument("--seconds", type=float, help="time for everything but the tests (default 100)")
    parser.add_argument("--long", action="store_true", help="the long run, without a limit of time by default")
    parser.add_argument("--only", help="attacks whose name contains this, without the tests")
    words = parser.parse_args()
    seconds = words.seconds or (DAY if words.long else 100.0)
    print(f"{'attack':<28}{'cases':>9}{'faults':>8}{'seconds':>9}")
    faults = _attack_readers(words, seconds) + _attack_others(words, seconds)
    for name, file in TESTS.items() if words.only is None else ():
        began = time.monotonic()
        faults += _show(name, _run_tests(file), began)
    print(*faults, sep="\n")
    return 1 if faults else 0


def _attack_readers(words: argparse.Namespace, seconds: float) -> list[str]:
    chosen = [target for target in targets() if words.only is None or words.only in target.name]
    end = time.monotonic() + (seconds if words.only else FUZZ_SHARE * seconds)
    faults: list[str] = []
    for left, target in zip(range(len(chosen), 0, -1), chosen, strict=True):
        began = time.monotonic()
        outcome = fuzz(target, words.seed, words.cases or LONG_CASES, max(0.5, (end - began) / left))
        faults += _show(target.name, outcome, began)
    return faults


def _attack_others(words: argparse.Namespace, seconds: float) -> list[str]:
    faults: list[str] = []
    for name, (attack, cases, share) in OTHERS.items():
        if words.only is not None and words.only not in name:
            continue
        began = time.monotonic()
        time_limit = seconds if words.long or words.only else share * seconds
        faults += _show(name, attack(words.seed, words.cases or cases, time_limit), began)
    return faults


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
