"""SIGTERM and SIGHUP end a command as Ctrl-C does: the best so far is saved, nothing else is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import mahc
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import write_table

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name != "posix", reason="signals")]
LONGEST = 60.0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with data, and one for temporary files."""
    write_table(sample(load_network("asia"), 500, 1), tmp_path / "data.csv")
    (tmp_path / "tmp").mkdir()
    return tmp_path


def start(place: Path, *words: str, sigint: signal.Handlers | None = None) -> subprocess.Popen[str]:
    def prepare() -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if sigint is not None:
            signal.signal(signal.SIGINT, sigint)

    environment = {**os.environ, "TMPDIR": str(place / "tmp"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "mahc", *words]
    return subprocess.Popen(
        command,
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
    )


def wait_until(process: subprocess.Popen[str], ready: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST
    while not ready():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def busy(process: subprocess.Popen[str], seconds: float = 1.5) -> Callable[[], bool]:
    """Whether the process has worked for a while: it has loaded its code and data by then."""

    def look() -> bool:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > seconds

    return look


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("sigint", [None, signal.SIG_IGN])  # a job in the background has SIGINT ignored
def test_sigterm_keeps_what_is_there(place: Path, sigint: signal.Handlers | None) -> None:
    process = start(
        place, "bootstrap", "data.csv", "--resamples", "90000", "--out", "run", "--threads", "1", sigint=sigint
    )
    wait_until(process, busy(process, 5.0))  # code may have to be compiled before the first graph is learned
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=LONGEST)
    assert process.returncode == 143, said
    assert (place / "run" / "result.json").exists()
    assert mahc.GraphSample.load(place / "run" / "confidence.json").stop_reason == "interrupted"
    assert sorted(file.name for file in place.iterdir()) == ["data.csv", "run", "tmp"]
    assert not [*(place / "tmp").iterdir()]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_command_that_has_nothing_yet_says_so(place: Path, number: int, code: int) -> None:
    process = start(place, "sample", "alarm", "--rows", "90000000", "--seed", "1", "--out", "big")
    wait_until(process, busy(process))
    process.send_signal(number)
    _, said = process.communicate(timeout=LONGEST)
    assert process.returncode == code
    assert said == "mahc: interrupted, nothing was written\n"
    assert sorted(file.name for file in place.iterdir()) == ["data.csv", "tmp"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)])
def test_the_page_leaves_no_uploads_behind(place: Path, number: int, code: int) -> None:
    pytest.importorskip("uvicorn")
    process = start(place, "ui", "--no-browser")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("mahc ui: http")
    (folder,) = (place / "tmp").iterdir()
    assert folder.stat().st_mode & 0o77 == 0
    (folder / "upload.csv").write_text("a,b\n")
    time.sleep(0.5)  # the server starts after it has said so
    process.send_signal(number)
    process.communicate(timeout=LONGEST)
    assert process.returncode == code
    assert folder.exists() == (number == signal.SIGKILL)
    if folder.exists():  # the next server removes what a killed one left
        process = start(place, "ui", "--no-browser")
        assert process.stdout is not None
        process.stdout.readline()
        assert not folder.exists()
        process.terminate()
        process.communicate(timeout=LONGEST)
    assert not [*(place / "tmp").iterdir()]
