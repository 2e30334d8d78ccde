"""Runs that were foretold by `mahc audit --plan`, compared with what they took; and runs that nobody can make here.

    python benchmarks/plan_cluster.py --overhead                # seconds of a Dask trip and of each of its tasks
    python benchmarks/plan_cluster.py --validate asia:1e7 alarm:1e7 --workers 1 2
    python benchmarks/plan_cluster.py --table                   # 10^10 to 10^12 rows, 10 to 10,000 columns

Rows are generated on the workers (`generated_pieces.py`); those of the table are read from three Parquet files of each
width, written for it. Writes plan.md, or plan-table.md, to benchmarks/results.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path

import polars as pl
from bench_dask import connect, warm_up
from bench_wide import wide_data
from generated_pieces import generate

import mahc
from mahc.cluster import find_pieces
from mahc.cluster.dask_runner import DaskRunner
from mahc.cluster.opening import open_runner
from mahc.cluster.planning import Cluster, Plan, measure_trips, plan
from mahc.cluster.trial import Trial, choose_pieces, run_trial
from mahc.data import ReadSettings

OUT = Path(__file__).parent / "results"
MEMORY = 2 << 30
LEARN = partial(mahc.learn, algorithm="mahc")
PIECE_ROWS = 500_000  # of the table; fewer where a piece would be over 100 million values


def validate(network: str, rows: int, workers: int) -> list[object]:
    """Foretold and measured seconds of one run on Dask workers of one thread."""
    cluster, client = connect(workers)
    with cluster, client:
        client.run(warm_up)
        pieces = list(generate(network, rows))
        names, settings = list(pieces[0].column_types()), ReadSettings()
        trips = measure_trips(lambda each: DaskRunner(client, each), pieces[:1], workers)
        how = (names, settings, MEMORY, LEARN, len(pieces))
        trial = client.submit(run_trial, choose_pieces(pieces), *how, pure=False).result()
        foretold = plan(trial, len(pieces), 0, trips)
        client.restart()
        client.run(warm_up)
        began = time.perf_counter()
        source = open_runner(DaskRunner(client, pieces), names, memory_bytes=MEMORY)
        LEARN(source)
        taken = time.perf_counter() - began
        source.close()
    return [network, f"{rows:,}", workers, source.passes, foretold.passes, f"{taken:.1f}", f"{foretold.seconds:.1f}",
            f"{foretold.seconds / taken:.2f}"]  # fmt: skip


def try_width(columns: int) -> Trial:
    """A trial on Parquet files of so many binary columns."""
    rows = min(PIECE_ROWS, 100_000_000 // columns)
    with tempfile.TemporaryDirectory() as folder:
        for part in range(3):
            data = wide_data(columns, rows, part=part + 1)
            frame = {name: data.codes[v] for v, name in enumerate(data.names)}
            pl.DataFrame(frame).cast(pl.String).write_parquet(Path(folder) / f"{part}.parquet")
        pieces = find_pieces(folder)
        return run_trial(choose_pieces(pieces), list(pieces[0].column_types()), ReadSettings(), MEMORY, LEARN, of=1e6)


def table(columns: list[int], rows: list[float], workers: list[int]) -> list[list[object]]:
    """Plans of all combinations."""
    found: list[list[object]] = []
    for width in columns:
        trial = try_width(width)
        for many in rows:
            for hands in workers:
                made = plan(trial, round(many / (trial.rows / trial.pieces)), 0, Cluster(hands), round(many))
                found.append([f"{width:,}", f"{many:.0e}", f"{hands:,}", *_cells(made)])
                print(" | ".join(map(str, found[-1])), flush=True)
    return found


def _cells(made: Plan) -> list[object]:
    hours = f"{made.seconds / 3600:,.3g}" if made.seconds < 36_000 else f"{made.seconds / 3600:,.0f}"
    return [made.passes, hours, f"{made.worker_hours:,.0f}", f"{made.worker_bytes / 1e9:,.1f}", "; ".join(made.remarks)]


def write(name: str, head: str, rows: list[list[object]], columns: list[str]) -> None:
    """A page with one table."""
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    (OUT / name).write_text(f"{head}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overhead", action="store_true")
    parser.add_argument("--validate", nargs="*", default=[], metavar="NETWORK:ROWS")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--workers", type=int, nargs="+")
    parser.add_argument("--columns", type=int, nargs="+", default=[10, 100, 1_000])
    parser.add_argument("--rows", type=float, nargs="+", default=[1e10, 1e11, 1e12])
    asked = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = "1"
    load = f"2 processors, load average {os.getloadavg()[0]:.1f}"
    if asked.overhead:
        cluster, client = connect(2)
        with cluster, client:
            print(measure_trips(lambda each: DaskRunner(client, each), list(generate("asia", 1000)), 2))
    if asked.validate:
        cases = [case.partition(":") for case in asked.validate]
        made = [
            validate(network, int(float(rows)), hands)
            for network, _, rows in cases
            for hands in asked.workers or [1, 2]
        ]
        head = f"# mahc on Dask workers of one thread, and what three pieces of 10^6 rows foretold; {load}"
        write(
            "plan.md",
            head,
            made,
            ["data", "rows", "workers", "passes", "passes foretold", "seconds", "seconds foretold", "ratio"],
        )
    if asked.table:
        found = table(asked.columns, asked.rows, asked.workers or [10, 100, 1_000])
        head = f"# trials of three pieces on one machine ({load}); all the rest is calculated"
        columns = ["columns", "rows", "workers", "passes", "hours", "worker hours", "GB per worker", "what limits it"]
        write("plan-table.md", head, found, columns)


if __name__ == "__main__":
    main()
