"""Dask: the cost of a trip without counting, and two one-thread workers against one.

Rows are generated on the workers (`generated_pieces.py`). usage: python benchmarks/bench_dask.py [--rows 5e7]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from generated_pieces import generate

import mahc
from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.opening import open_runner
from mahc.cluster.trial import EmptyPass

OUT = Path(__file__).parent / "results" / "dask.md"
TRIPS = 50


def connect(workers: int) -> Any:
    """A cluster of one-thread processes, and its client."""
    import distributed

    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    return cluster, distributed.Client(cluster)


def measure_trip() -> float:
    """The median of seconds of a pass over two pieces that counts nothing."""
    cluster, client = connect(2)
    with cluster, client:
        runner = DaskRunner(client, list(generate("asia", 2_000_000)))
        runner.run(EmptyPass())
        times = []
        for _ in range(TRIPS):
            began = time.perf_counter()
            runner.run(EmptyPass())
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def measure_learning(workers: int, rows: int) -> tuple[float, int]:
    """Seconds of a run of mahc, without the start of the cluster, and the number of passes."""
    cluster, client = connect(workers)
    with cluster, client:
        pieces = list(generate("asia", rows))
        client.run(warm_up)
        began = time.perf_counter()
        source = open_runner(DaskRunner(client, pieces), list(pieces[0].column_types()))
        mahc.learn(source)
        return time.perf_counter() - began, source.passes


def warm_up() -> None:
    """Load what a worker needs."""
    os.environ["POLARS_MAX_THREADS"] = "1"
    next(next(iter(generate("asia", 1000))).columns(["asia"]))


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=5e7)
    rows = int(parser.parse_args().rows)
    os.environ["POLARS_MAX_THREADS"] = "1"
    trip = measure_trip()
    print(f"trip without counting: {1000 * trip:.1f} ms", flush=True)
    one, passes = measure_learning(1, rows)
    two, _ = measure_learning(2, rows)
    lines = [
        f"# Dask on one machine of {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}",
        "",
        "| what | value |",
        "|---|---|",
        f"| trip without counting, median of {TRIPS} | {1000 * trip:.1f} ms |",
        f"| mahc, {rows:,} generated rows of asia, {passes} passes, 1 worker | {one:.1f} s |",
        f"| the same, 2 workers | {two:.1f} s |",
        f"| ratio | {one / two:.2f} |",
    ]
    print("\n".join(lines))
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
