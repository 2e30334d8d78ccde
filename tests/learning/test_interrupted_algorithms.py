"""Signals from outside to a real process, for each algorithm: the best so far after one, 130 after two."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from mahc.learning.algorithm import ALGORITHMS

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")]

LONGEST = 600  # seconds for what takes a few on an idle machine
# The process says that the search has begun, and holds it there until the signals have arrived.
SEARCHING = """
import os, sys, time
import mahc
from mahc.networks import load_network, sample

def hold(progress):
    global held
    if held:
        return
    held = True
    print("searching", flush=True)
    told = False
    while not os.path.exists(sys.argv[2]):  # a signal handler runs here; the second one raises out of this loop
        time.sleep(0.05)
        if token.cancelled and not told:
            told = True
            print("first signal", flush=True)

held, token = False, mahc.CancelToken()
data = sample(load_network(sys.argv[3]), int(sys.argv[4]), seed=1)
learned = mahc.learn(data, sys.argv[1], progress=hold, cancel=token)
print(learned.stop_reason, learned.stop_reason.early, len(learned.variables) == len(data.names), flush=True)
"""


# Data on which the search is not over at the first report of its progress.
NETWORKS = {"exact": "child", "fci": "asia", "mmhc": "asia", "pc-stable": "asia", "saiyanh": "asia"}


def start(algorithm: str, released: object) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", SEARCHING, algorithm, str(released), NETWORKS.get(algorithm, "andes")]
    words.append("2000" if algorithm in NETWORKS else "200000" if algorithm == "mahc" else "50000")
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "searching\n"
    return process


def wait_for_first(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "first signal\n"


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_one_signal_gives_the_best_so_far_marked_as_such(algorithm: str, tmp_path: object) -> None:
    released = f"{tmp_path}/released"
    process = start(algorithm, released)
    process.send_signal(signal.SIGINT)
    wait_for_first(process)
    open(released, "w").close()
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err) == (0, "interrupted True True\n", "")


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_two_signals_end_the_process(algorithm: str, tmp_path: object) -> None:
    process = start(algorithm, f"{tmp_path}/released")
    process.send_signal(signal.SIGINT)
    wait_for_first(process)  # two signals at once would count as one
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LONGEST)
    assert process.returncode in (-signal.SIGINT, 130)
    assert err.rstrip().endswith("KeyboardInterrupt")
