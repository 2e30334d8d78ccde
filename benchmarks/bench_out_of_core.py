"""Learning from files in pieces beside learning from one table in memory: seconds, peak memory, passes.

Each case runs in a process of its own. usage: python benchmarks/bench_out_of_core.py [--rows 1000000] [--network alarm]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OUT = Path(__file__).parent / "results" / "out-of-core.md"
ROWS_PER_FILE = 500_000


def write_files(network: str, rows: int, folder: Path) -> None:
    """A sample of the network as Parquet files of text columns."""
    import polars as pl

    from mahc.networks import load_network, sample

    for part, start in enumerate(range(0, rows, ROWS_PER_FILE)):
        data = sample(load_network(network), min(ROWS_PER_FILE, rows - start), seed=part + 1, unseen_states=True)
        columns = {
            name: pl.Series([*labels], dtype=pl.String)[pl.Series(column).cast(pl.UInt32)]
            for name, labels, column in zip(data.names, data.labels, data.codes, strict=True)
        }
        pl.DataFrame(columns).write_parquet(folder / f"{part:04}.parquet")


def run_case(kind: str, folder: str) -> dict[str, object]:
    """Learn once, in this process."""
    import polars as pl

    import mahc
    from mahc.cluster import open_shards

    began, cpu = time.perf_counter(), time.process_time()
    if kind == "memory":
        learned = mahc.learn(pl.read_parquet(f"{folder}/*.parquet"), "mahc")
        passes = 0
    else:
        source = open_shards(folder, memory_bytes=(1 << 31) if kind == "pieces" else (1 << 22))
        learned = mahc.learn(source, "mahc")
        passes = source.passes
    return {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "passes": passes,
        "fingerprint": learned.data.fingerprint,
        "arcs": [list(arc) for arc in learned.arcs],
    }


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.case:
        print(json.dumps(run_case(*asked.case)))
        return
    lines = [
        f"# mahc on {asked.rows:,} rows of {asked.network} in files of {ROWS_PER_FILE:,} rows",
        "",
        "| way | seconds | CPU seconds | peak MiB | passes | same graph and fingerprint |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        write_files(asked.network, asked.rows, Path(folder))
        first: dict[str, object] | None = None
        labels = {"memory": "one table", "pieces": "pieces, distinct rows", "passes": "pieces, 4 MiB, passes"}
        for kind, label in labels.items():
            words = [sys.executable, __file__, "--case", kind, folder]
            found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
            first = first or found
            same = all(found[key] == first[key] for key in ("arcs", "fingerprint"))
            cells = f"{found['seconds']:.1f} | {found['cpu']:.1f} | {found['peak']:,.0f} | {found['passes']}"
            lines.append(f"| {label} | {cells} | {'yes' if same else 'NO'} |")
            print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
