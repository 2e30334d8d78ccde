"""Ctrl-C, time limits and kills: the best graph so far, marked as such, and never half a file."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import mahc
from mahc.data import Dataset
from mahc.graphs.files import read_dag
from mahc.learning.control import Progress
from mahc.networks import load_network, sample
from mahc.results.files import FILES

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")]

MAHC = [sys.executable, "-c", "from mahc.cli.main import run; run()"]
LONGEST = 300  # seconds for what takes a few on an idle machine
ABORTED = "mahc: interrupted, nothing was written\n"
NOTE = "mahc: note: the search was interrupted: this is the best graph so far\n"


@pytest.fixture(scope="module")
def slow_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data on which TABU and MAHC without pruning take minutes."""
    import polars

    data = sample(load_network("andes"), 5_000, seed=1)
    columns = {
        name: polars.Series(column).replace_strict(list(range(len(states))), list(states), return_dtype=polars.String)
        for name, states, column in zip(data.names, data.labels, data.codes, strict=True)
    }
    path = tmp_path_factory.mktemp("slow") / "andes.csv"
    polars.DataFrame(columns).write_csv(path)
    return path


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return sample(load_network("alarm"), 2_000, seed=3)


@pytest.fixture(scope="module")
def win95pts() -> Dataset:
    """Data on which TABU takes longer than the time between two reports of its progress."""
    return sample(load_network("win95pts"), 2_000, seed=3)


def start(*words: object, program: list[str] = MAHC) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


# Says on stderr when the climb has begun, so that no test has to guess how long reading takes.
ANNOUNCING = """
import sys
import mahc.algorithms.score_based.climb
import mahc.algorithms.score_based.mahc
import mahc.algorithms.score_based.tabu
real = mahc.algorithms.score_based.climb.climb
def announced(*words, **settings):
    print("climbing", file=sys.stderr, flush=True)
    return real(*words, **settings)
for module in (mahc.algorithms.score_based.tabu, mahc.algorithms.score_based.mahc):
    module.climb = announced
from mahc.cli.main import run
"""
# Says on stderr when the search has taken so many steps.
COUNTING = """
import sys
from mahc.learning.control import Control
real, said = Control.should_stop, False
def counting(control, steps, score):
    global said
    if steps >= {steps} and not said:
        said = True
        print("far enough", file=sys.stderr, flush=True)
    return real(control, steps, score)
Control.should_stop = counting
from mahc.cli.main import run
run()
"""
ANNOUNCED = [sys.executable, "-c", ANNOUNCING + "run()"]


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    assert process.stderr is not None
    assert process.stderr.readline() == line


@pytest.mark.parametrize(("words", "steps"), [(["--algorithm", "tabu"], 110), (["--no-pruning"], 1)], ids=str)
def test_ctrl_c_ends_with_the_best_graph_so_far(words: list[str], steps: int, slow_data: Path, tmp_path: Path) -> None:
    program = [sys.executable, "-c", COUNTING.format(steps=steps)]
    process = start("learn", slow_data, "--json", "--out", tmp_path / "out", *words, program=program)
    wait_for(process, "far enough\n")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, err) == (0, NOTE)
    found = json.loads(out)
    assert found["stop_reason"] == "interrupted"
    saved = mahc.Learned.load(tmp_path / "out" / "result.json")
    assert saved.stop_reason == "interrupted"
    assert [list(arc) for arc in saved.arcs] == found["arcs"]
    assert len(saved.steps) >= steps


def test_a_second_ctrl_c_aborts(slow_data: Path, tmp_path: Path) -> None:
    lingering = ANNOUNCING + (
        "import time, mahc.learn\n"
        "def linger(*_):\n"
        "    print('finishing', file=sys.stderr, flush=True)\n"
        "    time.sleep(600)\n"
        "sys.modules['mahc.learn'].build_outcome = linger\n"
        "run()"
    )
    out = tmp_path / "out"
    process = start("learn", slow_data, "--algorithm", "tabu", "--out", out, program=[sys.executable, "-c", lingering])
    wait_for(process, "climbing\n")
    process.send_signal(signal.SIGINT)
    wait_for(process, "finishing\n")
    process.send_signal(signal.SIGINT)
    printed, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, printed) == (130, "")
    assert err == ABORTED
    assert os.listdir(tmp_path) == []


def test_ctrl_c_while_reading_aborts_at_once(tmp_path: Path) -> None:
    reading = (
        "import mahc.opening as opening, time, sys\n"
        "def slow(*_):\n"
        "    print('reading', file=sys.stderr, flush=True)\n"
        "    time.sleep(600)\n"
        "opening.read_with = slow\n"
        "from mahc.cli.main import run\n"
        "run()"
    )
    process = start("learn", "asia", "--out", tmp_path / "out", program=[sys.executable, "-c", reading])
    wait_for(process, "reading\n")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out) == (130, "")
    assert err == ABORTED
    assert os.listdir(tmp_path) == []


def test_sigterm_keeps_the_best_graph_so_far(slow_data: Path, tmp_path: Path) -> None:
    process = start("learn", slow_data, "--algorithm", "tabu", "--out", tmp_path / "out", program=ANNOUNCED)
    wait_for(process, "climbing\n")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONGEST)
    assert process.returncode == 128 + signal.SIGTERM
    assert os.listdir(tmp_path) == ["out"]
    assert mahc.Learned.load(tmp_path / "out" / "result.json").stop_reason == "interrupted"


def test_a_job_in_the_background_that_ignores_ctrl_c_goes_on_ignoring_it(alarm: Dataset) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        learned = mahc.learn(alarm, "tabu", progress=lambda _: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert learned.stop_reason == "converged"


def read_terminal(master: int) -> Iterator[str]:
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # the other end is closed
            return
        if not chunk:
            return
        yield chunk.decode()


def test_on_a_terminal_progress_is_shown_and_ctrl_c_typed(slow_data: Path, tmp_path: Path) -> None:
    import fcntl
    import pty
    import struct
    import termios

    child, master = pty.fork()
    if child == 0:
        os.execv(
            sys.executable, [*MAHC, "learn", str(slow_data), "--algorithm", "tabu", "--out", str(tmp_path / "out")]
        )
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    shown, typed = "", False
    for chunk in read_terminal(master):
        shown += chunk
        if not typed and shown.count("climbing, step") > 5:
            os.write(master, b"\x03")
            typed = True
    _, status = os.waitpid(child, 0)
    os.close(master)
    assert os.waitstatus_to_exitcode(status) == 0
    assert ", score -" in shown
    assert NOTE.strip() in shown
    assert "the search was interrupted: this is the best graph so far" in " ".join(shown.split())
    lines = [line for line in shown.replace("\r\n", "\n").split("\r") if "climbing" in line]
    assert max(map(len, lines)) < 100
    assert mahc.Learned.load(tmp_path / "out" / "result.json").stop_reason == "interrupted"


def test_a_time_limit_is_kept(slow_data: Path) -> None:
    process = start("learn", slow_data, "--algorithm", "tabu", "--time-limit", 1, "--json")
    out, err = process.communicate(timeout=LONGEST)
    if process.returncode == 2:  # a machine so busy that the data were not read in time
        assert "was reached while the data were read" in err
        return
    found = json.loads(out)
    assert process.returncode == 0
    assert err.startswith("mahc: note: the time limit was reached")
    assert found["stop_reason"] == "time_limit"
    assert found["load_seconds"] + found["seconds"] > 0.9  # reading counts towards the limit


class Interrupting:
    """A progress report that presses Ctrl-C so many times at its first call."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.phases: list[str] = []

    def __call__(self, progress: Progress) -> None:
        self.phases.append(progress.phase)
        while self.left:
            self.left -= 1
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("algorithm", ["tabu", "mahc"])
def test_in_python_ctrl_c_gives_the_best_graph_and_twice_raises(algorithm: str, win95pts: Dataset) -> None:
    handler = signal.getsignal(signal.SIGINT)
    settings = {"pruning": False} if algorithm == "mahc" else {}
    once = Interrupting(1)
    learned = mahc.learn(win95pts, algorithm, progress=once, **settings)  # type: ignore[arg-type]
    assert learned.stop_reason == "interrupted"
    assert once.phases == ["climbing", "finishing"]
    with pytest.raises(KeyboardInterrupt):
        mahc.learn(win95pts, algorithm, progress=Interrupting(2), **settings)  # type: ignore[arg-type]
    assert signal.getsignal(signal.SIGINT) is handler
    assert mahc.learn(win95pts, "hc").stop_reason == "converged"


@pytest.mark.parametrize("algorithm", ["tabu", "hc", "mahc"])
@pytest.mark.parametrize("seconds", [0.0005, 0.01, 0.05, 0.1])
def test_what_an_early_end_says_of_every_arc_is_true(algorithm: str, seconds: float, alarm: Dataset) -> None:
    learned = mahc.learn(alarm, algorithm, time_limit=seconds)
    whole = mahc.learn(alarm, "hc", start=learned.dag, step_limit=0)  # the same graph, examined to the end
    assert whole.local_scores == learned.local_scores
    for tail in learned.variables:
        for head in learned.variables:
            said, true = learned.explain(tail, head), whole.explain(tail, head)
            if "gain" in said.numbers and "gain" in true.numbers:
                assert said.numbers["gain"] == pytest.approx(true.numbers["gain"], abs=1e-9)
            if "reversal_gain" in said.numbers and "reversal_gain" in true.numbers:
                assert said.numbers["reversal_gain"] == pytest.approx(true.numbers["reversal_gain"], abs=1e-9)
            if said.present:
                assert said.numbers["strength"] == pytest.approx(true.numbers["strength"], abs=1e-9)


def test_a_report_that_fails_ends_the_run_with_its_own_error(alarm: Dataset) -> None:
    def fail(progress: Progress) -> None:
        raise ZeroDivisionError("in the user's code")

    with pytest.raises(ZeroDivisionError, match="in the user's code"):
        mahc.learn(alarm, "tabu", progress=fail)
    assert mahc.learn(alarm, "hc").stop_reason == "converged"


def test_learning_works_in_other_threads_where_there_are_no_signals(alarm: Dataset) -> None:
    found: list[mahc.Learned] = []
    threads = [threading.Thread(target=lambda: found.append(mahc.learn(alarm))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert found[0] == found[1] == found[2] == mahc.learn(alarm)


WRITING = """
import itertools, sys
from pathlib import Path
import mahc
from mahc.results.files import write_result
from mahc.networks import sample_path
results = [mahc.learn(sample_path("asia"), name) for name in ("mahc", "hc")]
print("writing", file=sys.stderr, flush=True)
for number in itertools.count():
    write_result(results[number % 2], Path(sys.argv[1]) / "same")
    write_result(results[number % 2], Path(sys.argv[1]) / f"new{number}")
"""


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_leaves_whole_files(seed: int, tmp_path: Path) -> None:
    process = start(tmp_path, program=[sys.executable, "-c", WRITING])
    wait_for(process, "writing\n")
    time.sleep(random.Random(seed).uniform(0.01, 0.25))
    process.kill()
    process.communicate()
    shown = [folder for folder in tmp_path.iterdir() if not folder.name.startswith(".")]
    for folder in shown:
        names = {name for name in os.listdir(folder) if not name.startswith(".")}
        assert names == {*FILES}, folder
        arcs = mahc.Learned.load(folder / "result.json").arcs
        assert (folder / "graph.svg").read_text().endswith("</svg>\n")
        graphs = [read_dag(folder / name).arcs for name in ("graph.csv", "graph.dot")]
        assert graphs == [arcs, arcs] or folder.name == "same"
    left = [folder for folder in tmp_path.iterdir() if folder.name.startswith(".")]
    assert len(left) <= 1
