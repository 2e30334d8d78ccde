"""Ctrl-C as a person presses it: the signal SIGINT to a command on a terminal, which shows its progress there."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import mahc
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import write_table

pty = pytest.importorskip("pty", reason="a terminal is made by pty")
pytestmark = pytest.mark.long
# A shell may start tests with SIGINT ignored; the command then would not hear Ctrl-C.
PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from mahc.cli.main import run; run(sys.argv[1:])"
)
LONGEST = 600.0  # seconds


FROM_THE_THIRD = r"resample (?![12] )[\d,]+"  # a slow terminal may not show every one


def interrupt_when(shown: str, *words: str) -> tuple[int, str, str]:
    """Run a command, press Ctrl-C when its progress shows a text; the exit code, its output, and its terminal."""
    terminal, end = pty.openpty()
    command, environment = [sys.executable, "-c", PROGRAM, *words], {**os.environ, "COLUMNS": "120"}
    # The output is not a pipe, which would be full at some point while the terminal is read.
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=end, env=environment)
        os.close(end)
        try:
            said = read_terminal(process, terminal, shown)
            process.wait(LONGEST)
        finally:
            process.kill()
            process.wait()
            os.close(terminal)
        output.seek(0)
        return process.returncode, output.read().decode(), said


def read_terminal(process: subprocess.Popen[bytes], terminal: int, shown: str) -> str:
    """What the command writes to its terminal until it ends; it is interrupted once `shown` was there."""
    said, sent, began = "", False, time.monotonic()
    while time.monotonic() - began < LONGEST:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                said += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # the command has ended
                break
        if not sent and re.search(shown, said):
            process.send_signal(signal.SIGINT)
            sent = True
    assert sent, said
    return said


def test_a_bootstrap_keeps_the_resamples_that_are_done_and_goes_on(tmp_path: Path) -> None:
    data = sample(load_network("alarm"), 2000, seed=1)
    write_table(data, tmp_path / "data.csv")
    saved = tmp_path / "result"
    asked = ["bootstrap", str(tmp_path / "data.csv"), "--algorithm", "hc", "--out", str(saved)]
    code, out, said = interrupt_when(FROM_THE_THIRD + " of 100,000", *asked, "--resamples", "100000")
    assert code == 0
    assert "(Ctrl-C: resamples so far)" in said
    found = mahc.GraphSample.load(saved / "confidence.json")
    assert 2 <= found.size < 100_000
    assert found.stop_reason == "interrupted"
    assert f"the search was interrupted: {found.size} of 100,000 resamples done; --resume adds" in said
    assert f"{found.size} resamples" in out
    more = found.size + 3
    again = [*asked, "--resamples", str(more), "--resume", str(saved), "--json"]
    ended = subprocess.run([sys.executable, "-c", PROGRAM, *again], capture_output=True, check=True)
    assert json.loads(ended.stdout)["confidence"]["resamples"] == more
    straight = mahc.bootstrap(tmp_path / "data.csv", "hc", resamples=more)
    continued = mahc.GraphSample.load(saved / "confidence.json")
    assert (continued.graphs, continued.patterns) == (straight.graphs, straight.patterns)


def test_a_check_keeps_the_tests_that_are_made(tmp_path: Path) -> None:
    write_table(sample(load_network("andes"), 5000, seed=1, unseen_states=True), tmp_path / "data.csv")
    code, out, said = interrupt_when(
        r"independence [\d,]+ of 24,415", "check", "andes", str(tmp_path / "data.csv"), "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert found["stop_reason"] == "interrupted"
    assert 0 < found["left"] <= 24_415
    assert f"the search was interrupted: {found['left']:,} tests were not made" in said


def test_a_consensus_keeps_the_algorithms_that_are_done(tmp_path: Path) -> None:
    write_table(sample(load_network("alarm"), 2000, seed=1), tmp_path / "data.csv")
    words = ["--algorithms", "hc,mahc", "--resamples", "100000", "--json"]
    code, out, said = interrupt_when(FROM_THE_THIRD + " of", "consensus", str(tmp_path / "data.csv"), *words)
    assert code == 0
    found = json.loads(out)
    assert found["stop_reasons"] == {"hc": "interrupted", "mahc": "interrupted"}
    assert 2 <= found["graphs"] < 100_000
    assert f"hc: the search was interrupted: {found['graphs']} of 100,000 resamples done" in said
    assert "mahc: the search was interrupted before it had a graph: it takes no part" in said
