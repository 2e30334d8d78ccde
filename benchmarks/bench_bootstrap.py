"""Bootstrap against single runs and against the same loop over PyBNesian's hill climbing; growth; memory.

    python benchmarks/bench_bootstrap.py [--quick | --weights] | tee benchmarks/results/bootstrap.md

All times are ratios within one run, contestants in turn. Writes bootstrap-growth.svg to benchmarks/results and
docs/explanation.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from charts import log_chart
from timing import describe_machine

import mahc
from mahc.confidence import resampled
from mahc.data import Dataset
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import to_frame

RESULTS = Path(__file__).resolve().parent / "results"
DOCS = RESULTS.parents[1] / "docs" / "explanation"
MEMORY = """
import resource, sys
import mahc
from mahc.networks import load_network, sample
data = sample(load_network("alarm"), {rows}, 1)
{call}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def say(line: str) -> None:
    """Print a line now: the load may end a run early."""
    print("-", line, flush=True)


def clock(act: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Wall and processor seconds of the fastest of some rounds."""
    found = []
    for _ in range(rounds):
        wall, own = time.perf_counter(), time.process_time()
        act()
        found.append((time.perf_counter() - wall, time.process_time() - own))
    return min(wall for wall, _ in found), min(own for _, own in found)


def against_single(data: Dataset, rounds: int) -> None:
    """The cost of a resample as a share of one run of `mahc.learn`, both on two threads.

    Blocks of as many single runs as resamples take turns, so that the load of the machine slows both; the ratio is
    that of their sums.
    """
    block = 200 // rounds
    for algorithm in ("mahc", "hc"):
        singles, resamples = [0.0, 0.0], [0.0, 0.0]
        for number in range(rounds):
            seed = number + 1
            acts = (
                (singles, lambda name=algorithm: [mahc.learn(data, name, threads=2) for _ in range(block)]),
                (
                    resamples,
                    lambda name=algorithm, s=seed: mahc.bootstrap(data, name, resamples=block, seed=s, threads=2),
                ),
            )
            for sums, act in acts:
                wall, own = clock(act, 1)
                sums[0] += wall
                sums[1] += own
        say(
            f"{algorithm}: {block * rounds} resamples = {block * rounds} x {resamples[0] / singles[0]:.2f} single runs "
            f"(processor time of both threads: x {resamples[1] / singles[1]:.2f}; a single run took "
            f"{singles[0] / block / rounds * 1e3:.1f} ms, {singles[1] / block / rounds * 1e3:.1f} of processor time)"
        )


def against_weights(data: Dataset) -> None:
    """The same resample as repeated rows and as rows with weights, which the engine repeats or counts with weights."""
    import numpy as np

    import mahc.engine.rows as rows_module
    from mahc.confidence.resampling import Resampler
    from mahc.confidence.settings import BootstrapSettings

    repeated = resampled(data, 0)
    weights = Resampler(data, BootstrapSettings()).weights(0)
    kept = np.flatnonzero(weights)
    weighted = Dataset.coded(data.names, data.labels, tuple(column[kept] for column in data.codes), weights[kept])
    kept_repeated = rows_module.MOST_REPEATED
    for algorithm in ("mahc", "hc"):
        times: dict[str, float] = {}
        for _ in range(7):  # in turn
            for name, table, most in (
                ("repeated", repeated, kept_repeated),
                ("weights", weighted, kept_repeated),
                ("counted with weights", weighted, 0),
            ):
                rows_module.MOST_REPEATED = most
                own = clock(lambda a=algorithm, d=table: mahc.learn(d, a, threads=1), 1)[1]  # type: ignore[misc]
                times[name] = min(own, times.get(name, own))
        rows_module.MOST_REPEATED = kept_repeated
        say(
            f"{algorithm}: rows with weights take {times['weights'] / times['repeated']:.2f} times as long as repeated "
            f"rows; counted with weights, {times['counted with weights'] / times['repeated']:.2f} times"
        )


def against_pybnesian(data: Dataset, loops: int) -> None:
    """The same loop over PyBNesian's hill climbing with BIC: a table of each resample, then its own learner."""
    import pybnesian

    frame = to_frame(data).to_pandas()
    start = pybnesian.DiscreteBN(list(data.names))
    operators = pybnesian.ArcOperatorSet()

    def loop() -> None:
        for number in range(loops):
            table = frame.sample(len(frame), replace=True, random_state=number)
            pybnesian.GreedyHillClimbing().estimate(operators, pybnesian.BIC(table), start)

    theirs = clock(loop, 1)
    ours = clock(lambda: mahc.bootstrap(data, "hc", resamples=loops * 10, threads=2), 2)
    say(
        f"hc against PyBNesian's hc, per resample: {theirs[0] / loops / (ours[0] / loops / 10):.1f} times as fast "
        f"(wall), {theirs[1] / loops / (ours[1] / loops / 10):.1f} times (processor time)"
    )


def memory() -> None:
    """Peak memory of a process that bootstraps, against one that learns once."""
    for rows in (10_000, 1_000_000):
        calls = ('mahc.learn(data, "mahc", threads=2)', 'mahc.bootstrap(data, "mahc", resamples=4, threads=2)')
        peaks = [
            float(subprocess.check_output([sys.executable, "-c", MEMORY.format(rows=rows, call=call)]))
            for call in calls
        ]
        say(
            f"peak memory, alarm {rows:,} rows: single {peaks[0]:.0f} MB, bootstrap {peaks[1]:.0f} MB = "
            f"{peaks[1] / peaks[0]:.2f} x"
        )


def growth(resamples: int) -> None:
    """Seconds per resample over rows (alarm) and over variables (10^4 rows)."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for algorithm in ("mahc", "hc"):
        lines[f"{algorithm}, alarm, rows"] = [
            (rows, _per_resample(sample(load_network("alarm"), rows, 1), algorithm, resamples))
            for rows in (100, 1000, 10_000, 100_000)
        ]
        lines[f"{algorithm}, 10,000 rows, variables"] = [
            (len(net.names), _per_resample(sample(net, 10_000, 1), algorithm, resamples))
            for net in map(load_network, ("asia", "child", "alarm", "hepar2", "andes"))
        ]
    for name, points in lines.items():
        say(f"{name}: " + ", ".join(f"{x:,.0f}: {y * 1e3:.1f} ms" for x, y in points))
    chart = log_chart("Bootstrap, two threads", "rows or variables", "seconds per resample", lines)
    for folder in (RESULTS, DOCS):
        folder.joinpath("bootstrap-growth.svg").write_text(chart, encoding="utf-8")


def _per_resample(data: Dataset, algorithm: str, resamples: int) -> float:
    return clock(lambda: mahc.bootstrap(data, algorithm, resamples=resamples, threads=2), 1)[0] / resamples


def main() -> None:
    """Print all ratios."""
    quick = "--quick" in sys.argv
    say(describe_machine())
    data = sample(load_network("alarm"), 10_000, 1)
    if "--weights" in sys.argv:
        against_weights(data)
        return
    against_single(data, 5)
    against_weights(data)
    memory()
    against_pybnesian(data, 1 if quick else 5)
    growth(4 if quick else 20)
    say(describe_machine())


if __name__ == "__main__":
    main()
