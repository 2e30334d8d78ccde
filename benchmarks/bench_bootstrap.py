"""Bootstrap against single runs and against the same loop over PyBNesian's hill climbing; growth; memory.

    python benchmarks/bench_bootstrap.py [--quick]

All times are ratios within one run, contestants in turn. Writes benchmarks/results/bootstrap-growth.svg.
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
from mahc.networks.table_file import to_frame

RESULTS = Path(__file__).resolve().parent / "results"
MEMORY = """
import resource, sys
import mahc
from mahc.networks import load_network, sample
data = sample(load_network("alarm"), {rows}, 1)
{call}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def clock(act: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Wall and processor seconds of the fastest of some rounds."""
    found = []
    for _ in range(rounds):
        wall, own = time.perf_counter(), time.process_time()
        act()
        found.append((time.perf_counter() - wall, time.process_time() - own))
    return min(wall for wall, _ in found), min(own for _, own in found)


def against_single(data: Dataset, resamples: int) -> None:
    """The cost of a resample as a share of one run of `mahc.learn`."""
    for algorithm in ("mahc", "hc", "tabu", "boss"):
        many = resamples if algorithm in ("mahc", "hc") else max(10, resamples // 10)
        single = clock(lambda name=algorithm: mahc.learn(data, name, threads=1), 7)  # type: ignore[misc]
        for threads in (1, 2):
            act = lambda name=algorithm, n=many, t=threads: mahc.bootstrap(data, name, resamples=n, threads=t)  # noqa: E731
            wall, own = clock(act, 3)
            print(
                f"{algorithm}: single run {single[0] * 1e3:.1f} ms; {many} resamples on {threads} threads "
                f"{wall:.2f} s = {many} x {wall / many / single[0]:.2f} single runs "
                f"(processor time: x {own / many / single[1]:.2f})"
            )


def against_weights(data: Dataset) -> None:
    """The same resample stored as repeated rows, and as rows with weights."""
    import numpy as np

    from mahc.confidence.resampling import Resampler
    from mahc.confidence.settings import BootstrapSettings

    repeated = resampled(data, 0)
    weights = Resampler(data, BootstrapSettings()).weights(0)
    kept = np.flatnonzero(weights)
    weighted = Dataset(data.names, data.states, tuple(column[kept] for column in data.columns), weights[kept])
    for algorithm in ("mahc", "hc"):
        times = [clock(lambda a=algorithm, d=d: mahc.learn(d, a, threads=1), 7)[1] for d in (repeated, weighted)]  # type: ignore[misc]
        print(f"{algorithm}: rows with weights take {times[1] / times[0]:.2f} times as long as repeated rows")


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
    ours = clock(lambda: mahc.bootstrap(data, "hc", resamples=loops * 10, threads=2), 3)
    print(
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
        print(
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
        print(f"{name}: " + ", ".join(f"{x:,.0f}: {y * 1e3:.1f} ms" for x, y in points))
    chart = log_chart("Bootstrap, two threads", "rows or variables", "seconds per resample", lines)
    (RESULTS / "bootstrap-growth.svg").write_text(chart, encoding="utf-8")


def _per_resample(data: Dataset, algorithm: str, resamples: int) -> float:
    return clock(lambda: mahc.bootstrap(data, algorithm, resamples=resamples, threads=2), 1)[0] / resamples


def main() -> None:
    """Print all ratios."""
    quick = "--quick" in sys.argv
    print(describe_machine())
    data = sample(load_network("alarm"), 10_000, 1)
    against_single(data, 60 if quick else 200)
    against_weights(data)
    against_pybnesian(data, 2 if quick else 5)
    memory()
    growth(6 if quick else 20)
    print(describe_machine())


if __name__ == "__main__":
    main()
