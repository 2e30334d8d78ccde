"""Contestants that misbehave: the run gets a row and takes no harm."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from lab_cells import list_functions, run_cells

from mahc.errors import MahcError
from mahc.lab.outline import Row
from mahc.lab.store import read_rows

pytestmark = pytest.mark.long

FUNCTIONS = """
import os, subprocess, sys, time

def nothing(path):
    return None

def long(path):
    raise ValueError("\\udcff\\x1b" + "x" * 100_000)

def reads(path):
    return [] if sys.stdin.read() == "" else None

def clears(path):
    import shutil
    shutil.rmtree(os.path.dirname(path))
    return []

def scribbles(path):
    with open(os.path.join(os.path.dirname(path), "result.json"), "w") as file:
        file.write("garbage")
    os._exit(0)

def leaves(path):
    # One process that left the group, and one whose parent has ended as well.
    seconds = os.environ["MAHC_TEST_SECONDS"]
    subprocess.Popen(["sleep", seconds], start_new_session=True)
    subprocess.Popen(["sh", "-c", f"sleep {seconds} &"], start_new_session=True).wait()
    return []

def forks(path):
    held = b"x" * (80 << 20)
    children = [os.fork() for _ in range(3)]  # eight processes in all, with the same 80 MiB
    time.sleep(1)
    if 0 in children:
        os._exit(0)
    return []

def maps(path):
    import mmap
    held = []
    while True:
        held.append(mmap.mmap(-1, 1 << 24))  # shared, so that the kernel's limit on data does not see it
        held[-1].write(b"x" * (1 << 24))
        time.sleep(0.02)  # the memory is looked at a few times a second

def fills(path):
    raise OSError(28, "No space left on device")
"""


def run(folder: Path, *names: str) -> dict[str, Row]:
    (folder / "functions.py").write_text(FUNCTIONS)
    return run_cells(folder, list_functions(*names))


def test_functions_that_misbehave_are_rows_too(tmp_path: Path) -> None:
    rows = run(tmp_path, "nothing", "long", "reads", "clears", "scribbles")
    assert rows["nothing"].reason == "'functions.py:nothing' returned None, not a list of edges"
    assert rows["long"].outcome == "crashed"
    assert rows["long"].reason.isprintable()
    assert len(rows["long"].reason) < 600
    assert rows["reads"].finished  # stdin is empty and does not block
    assert rows["clears"].outcome == "crashed"
    assert (rows["scribbles"].outcome, rows["scribbles"].reason) == ("crashed", "the process ended with code 0")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks for processes in /proc")
def test_every_process_that_a_cell_started_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = f"3600.{os.getpid()}"  # no other process has this number in its command
    monkeypatch.setenv("MAHC_TEST_SECONDS", seconds)
    assert run(tmp_path, "leaves")["leaves"].finished
    end = time.monotonic() + 120  # a killed process may need a moment to go
    while running(seconds):
        assert time.monotonic() < end
        time.sleep(0.05)


def running(word: str) -> bool:
    """Whether a process has this word in its command."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word.encode() in each.read_bytes():
                return True
    return False


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured in /proc")
def test_memory_that_processes_share_counts_once_and_does_count(tmp_path: Path) -> None:
    rows = run(tmp_path, "forks", "maps")
    assert (rows["forks"].outcome, rows["forks"].reason) == ("done", "")
    assert rows["maps"].outcome == "memory_limit"


def test_a_full_disk_ends_the_run_without_a_row(tmp_path: Path) -> None:
    with pytest.raises(MahcError, match="is full, or the disk that fills wrote to: free some space"):
        run(tmp_path, "fills")
    assert "fills" not in {row.contestant for row in read_rows(tmp_path / "store")}


def test_what_a_program_prints_does_not_use_up_the_memory_of_its_cell(tmp_path: Path) -> None:
    loud = "yes | head -c 300000000; echo from,to > {output}; : {data}"
    rows = run_cells(tmp_path, f'[[contestants]]\nlabel = "loud"\ncommand = ["sh", "-c", "{loud}"]\n')
    assert (rows["loud"].outcome, rows["loud"].reason) == ("done", "")
