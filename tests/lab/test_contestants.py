"""Rows of every kind of contestant, and of every way in which a cell can fail."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from lab_cells import list_functions, run_cells

import mahc
from mahc.lab.contestants import Sample
from mahc.lab.contestants.ours import MahcAlgorithm
from mahc.lab.outline import TRUTH, Row
from mahc.lab.processes import Limits, private_memory, tree_of
from mahc.measures import compare
from mahc.networks import load_network, simulate

pytestmark = pytest.mark.long

FUNCTIONS = """
import os, signal, subprocess, sys, time

def allocate(path):
    held = []
    while True:
        held.append(b"x" * (1 << 20) + bytes([len(held) % 256]))
        time.sleep(0.004)  # so that the test has time to look

def let_allocate(path):
    # Each process is within the limit, all of them together are not.
    code = "held = [b'x' * (1 << 20) + bytes([i]) for i in range(90)]; import time; time.sleep(600)"
    for child in [subprocess.Popen([sys.executable, "-c", code]) for _ in range(5)]:
        child.wait()

def sleep(path):
    time.sleep(600)

def die(path):
    os.kill(os.getpid(), signal.SIGSEGV)

def marked(path):
    return [("Smoker", "---", "Cancer"), ("Cancer", "o->", "Xray")]

def cyclic(path):
    return [("Smoker", "Cancer"), ("Cancer", "Smoker")]

def odd(path):
    return ["abcd"]
"""
PROGRAM = """
import sys
assert open(sys.argv[1]).readline().startswith("Pollution,")
open(sys.argv[2], "w").write("from,to,mark\\nSmoker,Cancer,<->\\n")
"""


def run(folder: Path, contestants: str, seconds: float = 300, memory: int = 256) -> dict[str, Row]:
    (folder / "functions.py").write_text(FUNCTIONS)
    (folder / "program.py").write_text(PROGRAM)
    return run_cells(folder, contestants, seconds, memory)


def is_worker(process: int) -> bool:
    # Before exec a child is a copy of this process, with the memory of all earlier tests.
    try:
        return b"mahc.lab.worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured in /proc")
def test_two_cells_that_allocate_without_end_stay_within_their_limits(tmp_path: Path) -> None:
    seen: list[float] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            seen.extend(private_memory(each) for each in tree_of(os.getpid())[1:] if is_worker(each))
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        again = '[[contestants]]\nlabel = "again"\ncallable = "functions.py:allocate"\n'
        rows = run(tmp_path, list_functions("allocate") + again)
    finally:
        over.set()
        watcher.join()
    for label in ("allocate", "again"):
        assert (rows[label].outcome, rows[label].reason) == ("memory_limit", "needed more than the limit of 256 MiB")
    assert rows[TRUTH].finished
    assert 100 < max(seen) <= 256  # reserved memory that is not yet used counts too


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured in /proc")
def test_the_memory_of_all_processes_of_a_cell_counts(tmp_path: Path) -> None:
    rows = run(tmp_path, list_functions("let_allocate"))
    assert rows["let_allocate"].outcome == "memory_limit"


@pytest.mark.long
def test_every_failure_is_a_row_with_its_reason(tmp_path: Path) -> None:
    rows = run(tmp_path, list_functions("sleep"), seconds=0.5)
    assert (rows["sleep"].outcome, rows["sleep"].reason) == ("time_limit", "not finished within the limit of 0.5 s")
    rows = run(tmp_path, list_functions("die", "cyclic", "odd", "marked"))
    assert (rows["die"].outcome, rows["die"].reason) == ("crashed", "the process ended by the signal SIGSEGV")
    assert rows["cyclic"].outcome == "crashed"
    assert "cycle" in rows["cyclic"].reason
    assert "neither (from, to) nor (left, mark, right)" in rows["odd"].reason
    assert (rows["marked"].outcome, rows["marked"].edges) == ("done", 2)
    assert rows["marked"].version.startswith("sha256:")


def test_a_program_reads_a_csv_file_and_writes_a_graph(tmp_path: Path) -> None:
    words = f'command = ["{sys.executable}", "program.py", "{{data}}", "{{output}}"]'
    rows = run(
        tmp_path,
        f"""
[[contestants]]
label = "good"
{words}
[[contestants]]
label = "bad"
{words.replace('"{output}"', '"/no/such/folder/{output}"')}
[[contestants]]
label = "silent"
command = ["{sys.executable}", "-c", "'{{data}}{{output}}'"]
[[contestants]]
label = "absent"
command = ["no-such-program", "{{data}}", "{{output}}"]
[[contestants]]
label = "no peer"
peer = "pybnesian-hc"
python = "/no/such/python"
""",
    )
    assert (rows["good"].outcome, rows["good"].edges) == ("done", 1)
    assert rows["good"].score is not None  # the mean over the DAGs of the MAG
    assert rows["bad"].outcome == "crashed"
    assert "ended with code 1: FileNotFoundError" in rows["bad"].reason
    assert "ended without writing a graph" in rows["silent"].reason
    assert rows["absent"].outcome == "unavailable"
    assert "the program 'no-such-program' is not installed" in rows["absent"].reason
    assert rows["no peer"].outcome == "unavailable"
    assert "-m pip install pybnesian" in rows["no peer"].reason


def test_only_a_contestant_with_best_so_far_returns_its_best_graph(tmp_path: Path) -> None:
    text = "".join(
        f'[[contestants]]\nlabel = "{label}"\nalgorithm = "hc"\nbest_so_far = {label}\n' for label in ("true", "false")
    )
    rows = run(tmp_path, text, seconds=1e-6)
    assert (rows["true"].outcome, rows["true"].stop_reason) == ("done", "time_limit")
    assert rows["true"].measures
    assert (rows["false"].outcome, rows["false"].reason) == ("time_limit", "not finished within the limit of 1e-06 s")
    longer = run(tmp_path, text, seconds=30)
    assert {row.stop_reason for row in longer.values() if row.contestant != TRUTH} == {"converged"}


def test_an_exact_learner_without_a_bound_has_no_graph_to_return(tmp_path: Path) -> None:
    text = '[[contestants]]\nlabel = "exact"\nalgorithm = "exact"\nbest_so_far = true\n'
    row = run(tmp_path, text, seconds=1e-6)["exact"]
    assert (row.outcome, row.stop_reason, row.gap) == ("time_limit", "time_limit", None)


@pytest.mark.long
@pytest.mark.peers
def test_peers_give_rows(tmp_path: Path) -> None:
    pytest.importorskip("pyagrum")
    pytest.importorskip("causallearn")
    names = ("pyagrum-hc", "causal-learn-pc", "causal-learn-fci")
    text = "".join(f'[[contestants]]\nlabel = "{name}"\npeer = "{name}"\n' for name in names)
    rows = run(tmp_path, text, memory=2048)
    assert {name: (rows[name].outcome, rows[name].reason) for name in names} == dict.fromkeys(names, ("done", ""))


def test_a_consensus_is_that_of_mahc_average_and_mahc_consensus(tmp_path: Path) -> None:
    text = """
[[contestants]]
label = "one"
consensus = "hc"
resamples = 5
threshold = 0.4
[[contestants]]
label = "several"
consensus = ["hc/bdeu", "boss"]
resamples = 0
algorithm_seed = 2
"""
    rows = run(tmp_path, text, memory=1024)
    data = simulate(load_network("cancer"), 50, 1).data
    one = mahc.average(mahc.bootstrap(data, "hc", resamples=5), threshold=0.4)
    several = mahc.consensus(data, ["hc/bdeu", "boss"], algorithm_seed=2).consensus
    for label, made in (("one", one), ("several", several)):
        assert (rows[label].outcome, rows[label].edges) == ("done", len(made.dag.arcs))
        measures = compare(made.graph, load_network("cancer").dag).measures
        assert {name: rows[label].measures[name] for name in measures} == measures  # gadjid, where installed, adds some
        assert rows[label].score == mahc.score_graph(made.dag, data).total
    late = run(tmp_path, text, seconds=1e-6, memory=1024)
    assert late["one"].outcome == "time_limit"
    assert late["one"].reason == "not finished within the limit of 1e-06 s"
    assert late["several"].outcome == "time_limit"


def test_shuffled_columns_are_another_order_in_each_cell_and_the_graph_is_in_that_of_the_sample() -> None:
    simulation = simulate(load_network("asia"), 200, 1)
    names = simulation.data.names
    samples = [Sample(simulation, Path(), seed=seed) for seed in (1, 2)]
    orders = {sample.shuffled(f"{sample.seed} ").names for sample in samples}
    assert len(orders) == 2
    assert all(sorted(order) == sorted(names) and order != names for order in orders)
    for name in ("hc", "pc-stable"):
        plain, shuffled = (
            MahcAlgorithm("x", name=name, ties="file-order", shuffle_columns=shuffle) for shuffle in (False, True)
        )
        assert plain.identity() != shuffled.identity() != MahcAlgorithm("x", name=name).identity()
        assert shuffled.settings_text().endswith("ties file-order, shuffled columns")
        assert shuffled.learn(samples[0], Limits()).graph.names == names
    assert "ties" not in MahcAlgorithm("x", name="hc").identity()  # rows of other plans stay valid
