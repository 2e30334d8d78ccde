"""What a tree of processes holds, while some of them begin and end."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mahc.lab.processes import private_memory, tree_of

pytestmark = pytest.mark.long

STARTS_MANY = """
import subprocess
held = b"x" * (100 << 20)
print("ready", flush=True)
while True:
    subprocess.run(["true"])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is watched by /proc")
def test_what_a_child_only_seems_to_hold_does_not_count() -> None:
    """Until it begins its program, a child that vfork made shows its parent's memory as its own."""
    with subprocess.Popen([sys.executable, "-c", STARTS_MANY], stdout=subprocess.PIPE) as starter:
        try:
            assert starter.stdout is not None
            assert starter.stdout.readline() == b"ready\n"
            until = time.monotonic() + 4
            seen = []
            while time.monotonic() < until:
                seen.append(private_memory(starter.pid, 150))
        finally:
            starter.kill()
    assert 100 < max(seen) < 150


def test_a_process_that_has_ended_has_no_descendants_and_no_memory() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert tree_of(gone.pid) == [gone.pid]
    assert private_memory(gone.pid) == 0
