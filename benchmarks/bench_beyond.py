"""Steps after learning on data that do not fit: fit, score and bootstrap of a folder under a hard limit of memory.

    python benchmarks/bench_beyond.py --rows 10000000 --out benchmarks/results/beyond.json

Each step runs in a process of its own under RLIMIT_DATA, which counts address space: the allocator of polars is told to
give back what it freed (`retain:false`). Rows of alarm are simulated once, into Parquet files of
500,000 rows. `--agreement` measures how well Poisson resamples agree with those of the multinomial bootstrap instead.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PIECE = 500_000
GIGABYTE = 10**9
ALLOCATOR = {"_RJEM_MALLOC_CONF": "retain:false"}
STEPS = ("fit", "score", "bootstrap")


def write_rows(network: str, rows: int, folder: Path) -> None:
    """The rows of a network as Parquet files, unless they are there already."""
    import polars as pl

    from mahc.networks import load_network, sample

    folder.mkdir(parents=True, exist_ok=True)
    loaded = load_network(network)
    for number, first in enumerate(range(0, rows, PIECE)):
        file = folder / f"{number:04}.parquet"
        if file.exists():
            continue
        data = sample(loaded, min(PIECE, rows - first), seed=number + 1)
        columns = {
            name: pl.Series(labels, dtype=pl.Categorical).gather(codes)
            for name, labels, codes in zip(data.names, data.labels, data.codes, strict=True)
        }
        pl.DataFrame(columns).write_parquet(file)


def run_step(step: str, network: str, folder: Path, memory: int, resamples: int, algorithm: str) -> dict[str, Any]:
    """One step in this process: its time, its peak of memory, and what shows that it was done."""
    import mahc
    from mahc.networks import load_network
    from mahc.networks.fitting import fit
    from mahc.opening import open_counts

    dag = load_network(network).dag
    began, processor = time.perf_counter(), time.process_time()
    if step == "fit":
        with open_counts(folder, memory_mebibytes=memory, counts_only=True) as table:
            counted: Any = table
            found: Any = fit(dag, counted).origin
    elif step == "score":
        found = mahc.score_graph(dag, folder, memory_mebibytes=memory).total
    else:
        sample = mahc.bootstrap(folder, algorithm, resamples=resamples, how="poisson", memory_mebibytes=memory)
        found = {"resamples": sample.size, "passes": sample.data.passes.text() if sample.data.passes else None}
    return {
        "step": step,
        "seconds": round(time.perf_counter() - began, 1),
        "processor_seconds": round(time.process_time() - processor, 1),
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "found": found,
    }


def measure_agreement(network: str, rows: int, resamples: int, algorithm: str) -> dict[str, Any]:
    """The differences of edge frequencies: Poisson to multinomial, and multinomial to itself with another seed."""
    import numpy as np

    import mahc
    from mahc.networks import load_network, sample

    data = sample(load_network(network), rows, seed=11)

    def frequencies(how: str, seed: int) -> Any:
        found = mahc.bootstrap(data, algorithm, resamples=resamples, how=how, seed=seed)
        names = found.variables
        return np.array([found.edge(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])

    first, second = frequencies("bootstrap", 1), frequencies("bootstrap", 2)
    drawn = frequencies("poisson", 1), frequencies("poisson", 2)
    seen = np.maximum.reduce([first, second, *drawn]) > 0

    def differ(a: Any, b: Any) -> dict[str, float]:
        gaps = np.abs(a - b)[seen]
        return {"mean": round(float(gaps.mean()), 4), "largest": round(float(gaps.max()), 4)}

    return {
        "network": network,
        "rows": rows,
        "algorithm": algorithm,
        "resamples": resamples,
        "edges_seen": int(seen.sum()),
        "poisson_and_multinomial": differ(drawn[0], first),
        "two_multinomial": differ(first, second),
        "two_poisson": differ(*drawn),
        "mean_frequency": [round(float(each[seen].mean()), 4) for each in (first, second, *drawn)],
    }


def main() -> None:
    """Simulate, then run the steps one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--folder", type=Path, help="where the rows are, or are written; a temporary one if left out")
    parser.add_argument("--limit", type=float, default=2.0, help="hard limit in gigabytes")
    parser.add_argument("--memory", type=int, default=1024, help="memory_mebibytes of the steps")
    parser.add_argument("--resamples", type=int, default=8)
    parser.add_argument("--algorithm", default="mahc")
    parser.add_argument("--steps", nargs="+", default=list(STEPS))
    parser.add_argument("--agreement", action="store_true")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.step is not None:
        limit = int(given.limit * GIGABYTE)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        found = run_step(given.step, given.network, given.folder, given.memory, given.resamples, given.algorithm)
        print(json.dumps(found))
        return
    if given.agreement:
        result: Any = measure_agreement(given.network, given.rows, given.resamples, given.algorithm)
        print(json.dumps(result, indent=2))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            folder = given.folder or Path(temporary) / "rows"
            write_rows(given.network, given.rows, folder)
            steps = []
            for step in given.steps:
                words = [f"--{name}={getattr(given, name)}" for name in ("network", "limit", "memory", "resamples")]
                command = [sys.executable, __file__, "--step", step, "--folder", str(folder), *words]
                command.append(f"--algorithm={given.algorithm}")
                ended = subprocess.run(command, capture_output=True, text=True, env=os.environ | ALLOCATOR)
                if ended.returncode:
                    print(ended.stderr, file=sys.stderr)
                    raise SystemExit(f"{step} failed within {given.limit:g} GB")
                steps.append(json.loads(ended.stdout))
                print(steps[-1], flush=True)
        result = {"network": given.network, "rows": given.rows, "limit_gigabytes": given.limit, "steps": steps}
    if given.out is not None:
        given.out.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
