"""Time limits of the commands: none works for longer than its limit, 10 % of it and 1 s.

usage: python tools/attack/overruns.py    prints a table of all commands

Processor time is compared, less that of the same program with nothing to do, so that a busy machine makes no faults.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fuzz import Outcome

from mahc.networks import load_network, simulate
from mahc.networks.files import write_network
from mahc.networks.noise import parse_noise
from mahc.networks.simulation_files import write_table

LIMIT = 1.0
LOST = "lost.csv --missing-token missing"
# What does not end by itself within the limit, or nearly so.
COMMANDS = {
    "learn": "learn data.csv --algorithm boss --kicks 100000 --threads 1",
    "bootstrap": "bootstrap data.csv --algorithm tabu --resamples 100000 --threads 1",
    "consensus": "consensus data.csv --algorithms tabu,boss,mahc --resamples 10000 --threads 1",
    "validate": "validate data.csv --algorithms tabu,mahc --folds 500 --threads 1",
    "impute": f"learn {LOST} --missing impute --algorithm tabu --threads 1",
    "pairwise": f"learn {LOST} --missing pairwise --algorithm boss --kicks 100000 --threads 1",
    "weighted": f"learn {LOST} --missing weighted --algorithm boss --kicks 100000 --threads 1",
    "structural-em": f"learn {LOST} --missing structural-em --algorithm tabu --score bic --threads 1",
    "fit": f"fit graph.bif {LOST} --missing em --out model.json",
    "query": "query alarm CVP --method weighting --draws 1000000000",
}


def attack_overruns(seed: int, cases: int, seconds: float) -> Outcome:
    """Run the commands in turn, beginning with another one for another seed."""
    end, outcome = time.monotonic() + seconds, Outcome()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        idle = _prepare(place, seed)
        while outcome.cases < cases and time.monotonic() < end:
            name = list(COMMANDS)[(seed + outcome.cases) % len(COMMANDS)]
            worked = _work(place, [*COMMANDS[name].split(), "--time-limit", str(LIMIT)]) - idle
            outcome.cases += 1
            if worked > 1.1 * LIMIT + 1:
                said = f"{name} worked for {worked:.1f} s with a limit of {LIMIT:g}"
                outcome.faults.append(f"overruns, seed {seed}: {said}")
    return outcome


def main(limits: tuple[float, ...] = (1.0, 3.0)) -> None:
    """Print a table of all commands: the processor seconds with each limit."""
    print(f"| command | {' | '.join(f'{limit:g} s' for limit in limits)} |\n|---{'|---' * len(limits)}|")
    with tempfile.TemporaryDirectory() as folder:
        idle = _prepare(Path(folder), 1)
        for words in COMMANDS.values():
            times = [_work(Path(folder), [*words.split(), "--time-limit", str(limit)]) - idle for limit in limits]
            print(f"| `{words}` | {' | '.join(f'{worked:.1f}' for worked in times)} |", flush=True)


def _prepare(place: Path, seed: int) -> float:
    """Write the files that the commands read; the processor seconds of a command that has nothing to do."""
    network = load_network("alarm")
    write_network(network, place / "graph.bif")
    write_table(simulate(network, 5000, seed).data, place / "data.csv")
    write_table(simulate(network, 5000, seed, parse_noise("mar:0.2")).data, place / "lost.csv")
    return _work(place, ["learn", "asia", "--threads", "1"])


def _work(place: Path, words: list[str]) -> float:
    """The processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "mahc", *words], cwd=place, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
