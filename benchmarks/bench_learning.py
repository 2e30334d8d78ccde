"""Hill climbing compared with other packages: same data, same run, as ratios; learning alone and the whole process.

    python benchmarks/bench_learning.py                       # alarm, hepar2, pathfinder, andes at 1e4 and 1e5
    python benchmarks/bench_learning.py --networks alarm --rows 10000 --repeat 3
    python benchmarks/bench_learning.py --peer-python /path/to/peers/bin/python
    python benchmarks/bench_learning.py --one-thread          # processor time, ours with one thread

Peers that are not installed are reported as missing. Writes benchmarks/results/learning.md, or
learning-one-thread.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from mahc.data import Dataset, read
from mahc.engine import EngineRows, Families, RowScorer
from mahc.graphs import DAG
from mahc.networks import load_network, sample
from mahc.scores import BIC

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    """One contestant on one file; seconds None: missing, failed or out of time."""

    network: str
    rows: int
    contestant: str
    seconds: float | None
    whole: float | None
    score: float | None
    remark: str


def run_contestant(
    python: str, name: str, path: Path, limit: float, mode: list[str]
) -> tuple[dict[str, object] | None, float, str]:
    began = time.perf_counter()
    command = [python, str(HERE / "contestants.py"), name, str(path), *mode]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None, limit, f"more than {limit:.0f} s"
    whole = time.perf_counter() - began
    if done.returncode != 0:
        return None, whole, (done.stderr.strip().splitlines() or ["failed"])[-1][:80]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    if "missing" in found:
        return None, whole, f"not installed ({found['missing']})"
    return found, whole, ""


def measure(options: argparse.Namespace) -> list[Row]:
    rows = []
    for network in options.networks:
        for size in options.rows:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "data.parquet"
                write_parquet(sample(load_network(network), size, options.seed), path)
                data = read(path)
                scorer = RowScorer(EngineRows(data), BIC())
                for name in options.contestants:
                    python = sys.executable if name.startswith("mahc") else options.peer_python
                    mode = ["one-thread"] if options.one_thread else []
                    tries = [run_contestant(python, name, path, options.limit, mode) for _ in range(options.repeat)]
                    found = [(t[0], t[1]) for t in tries if t[0] is not None]
                    if not found:
                        rows.append(Row(network, size, name, None, None, None, tries[0][2]))
                    else:
                        seconds = min(float(f["seconds"]) for f, _ in found)  # type: ignore[arg-type]
                        arcs = [(a, b) for a, b in found[0][0]["arcs"]]  # type: ignore[attr-defined]
                        parents = DAG(data.names, arcs).parent_sets
                        score = math.fsum(scorer.score_families(Families.of(enumerate(parents))))
                        rows.append(Row(network, size, name, seconds, min(w for _, w in found), score, ""))
                    print(rows[-1], flush=True)
    return rows


def write_parquet(data: Dataset, path: Path) -> None:
    import polars as pl

    columns = {name: pl.Series(list(data.labels[v])).gather(data.codes[v]) for v, name in enumerate(data.names)}
    pl.DataFrame(columns).write_parquet(path)


def tabulate(rows: list[Row]) -> str:
    """Per file: each contestant's seconds, and how many times the fastest peer's hill climbing takes longer."""
    lines = [
        "| network | rows | contestant | learning s | fastest peer hc / this | whole process s | BIC | remark |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for network, size in dict.fromkeys((row.network, row.rows) for row in rows):
        cell = [row for row in rows if (row.network, row.rows) == (network, size)]
        peers = [row for row in cell if row.contestant.endswith(": hc") and not row.contestant.startswith("mahc")]
        fastest = min((row.seconds for row in peers if row.seconds is not None), default=None)
        for row in cell:
            if row.seconds is None or row.score is None or row.whole is None:
                lines.append(f"| {network} | {size:,} | {row.contestant} | - | - | - | - | {row.remark} |")
                continue
            ratio = "-" if fastest is None else f"{fastest / row.seconds:.1f}x"
            lines.append(
                f"| {network} | {size:,} | {row.contestant} | {row.seconds:.4f} | {ratio} | {row.whole:.2f} "
                f"| {row.score:,.1f} | {describe_ratio(row, peers)} |"
            )
    return "\n".join(lines)


def describe_ratio(row: Row, peers: list[Row]) -> str:
    scores = [peer.score for peer in peers if peer.score is not None]
    if row.contestant != "mahc: hc" or not scores or row.score is None:
        return ""
    middle = statistics.median(scores)
    return "score no worse than the median peer's" if row.score >= middle - 1e-6 else "score below the median peer's"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=["alarm", "hepar2", "pathfinder", "andes"])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--contestants", nargs="+", default=["mahc: hc", "mahc: mahc", "PyBNesian: hc", "pyAgrum: hc"])
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one-thread", action="store_true", help="processor time, and ours with one thread")
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    rows = measure(options)
    clock = "Processor seconds, ours with one thread" if options.one_thread else "Wall seconds"
    text = f"{clock}. Load average at the start: {load:.2f} on {os.cpu_count()} processors.\n\n{tabulate(rows)}\n"
    options.out.mkdir(exist_ok=True)
    (options.out / ("learning-one-thread.md" if options.one_thread else "learning.md")).write_text(
        text, encoding="utf-8"
    )
    print(text)


if __name__ == "__main__":
    main()
