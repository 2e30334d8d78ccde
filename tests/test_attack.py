"""The attack finds what it looks for: exceptions, crashes, refusals without an end."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mahc.errors import MahcError

sys.path.insert(0, str(Path(__file__).parents[1] / "tools" / "attack"))

from fuzz import fuzz
from mutations import mutate
from targets import Target, targets


def fail(path: Path) -> None:
    raise KeyError("x")


def crash(path: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ramble(path: Path) -> None:
    raise LongError("x " * 5000)


class LongError(MahcError):
    def __str__(self) -> str:
        return "x " * 5000


def refuse(path: Path) -> None:
    raise MahcError("no")


@pytest.mark.parametrize(
    ("read", "says"), [(fail, "KeyError: 'x' (test_attack.py"), (crash, "ended with -9"), (ramble, "too long")]
)
def test_faults_are_found_and_counted(read: Callable[[Path], None], says: str) -> None:
    outcome = fuzz(Target("mine", "x", b"abc", read), seed=1, cases=2, seconds=60)
    assert outcome.cases == 2
    assert len(outcome.faults) == 2
    assert says in outcome.faults[0]


def test_a_refusal_is_not_a_fault() -> None:
    assert fuzz(Target("mine", "x", b"abc", refuse), seed=1, cases=3, seconds=60).faults == []


def test_a_seed_gives_the_same_mutants() -> None:
    first = [mutate(b"abcdef", 1, case) for case in range(50)]
    assert first == [mutate(b"abcdef", 1, case) for case in range(50)]
    assert first != [mutate(b"abcdef", 2, case) for case in range(50)]


def test_the_sound_file_of_every_target_is_read(tmp_path: Path) -> None:
    for target in targets():
        folder = tmp_path / target.name.replace(" ", "_")
        folder.mkdir()
        (folder / target.file).write_bytes(target.content)
        target.read(folder / target.file)


def test_work_without_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def work_for_ever(_: Path) -> None:
        while True:
            pass

    monkeypatch.setattr("fuzz.CASE_SECONDS", 0.1)
    outcome = fuzz(Target("endless", "x.txt", b"x", work_for_ever), seed=1, cases=1, seconds=60)
    assert outcome.faults == [f"endless, case 0: the process ended with {-signal.SIGPROF}"]


def test_the_tests_that_the_page_on_reliability_names_exist() -> None:
    root = Path(__file__).parent.parent
    page = (root / "docs" / "reference" / "reliability.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (root / file).read_text(encoding="utf-8"), f"{file}::{name}"
