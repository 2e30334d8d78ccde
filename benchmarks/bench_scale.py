"""Learning with a hard limit on memory: seconds, peak memory and passes, from 10^6 rows up.

Rows are generated piece by piece (`generated_pieces.py`), or read from a folder of Parquet files. Each case runs in a
process of its own. Its anonymous memory is limited with RLIMIT_DATA to `--limit`: beyond it an allocation fails, and so
does the case. Coded rows are spooled to `TMPDIR`.

usage: python benchmarks/bench_scale.py --network asia --rows 1e6,1e7,1e8 --limit 1GB
       python benchmarks/bench_scale.py --folder /data/alarm --limit 2GB
       python benchmarks/bench_scale.py --rows "" --picture docs/explanation/memory-curve.svg  (of what was measured)
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from charts import log_chart
from generated_pieces import generate

OUT = Path(__file__).parent / "results" / "scale.md"
UNITS = {"MB": 10**6, "GB": 10**9}


def run_case(network: str, rows: int, folder: str, limit: int, memory: int, threads: int) -> dict[str, Any]:
    """Learn once, in this process, with the limit."""
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    import mahc
    from mahc.cluster import LocalRunner, find_pieces, open_shards
    from mahc.cluster.opening import open_runner

    began, cpu = time.perf_counter(), time.process_time()
    if folder:
        source = open_shards(folder, threads=threads, memory_bytes=memory)
        pieces = len(find_pieces(folder))
    else:
        made = list(generate(network, rows))
        runner = LocalRunner(made, threads=threads, memory_bytes=memory // 2)
        source, pieces = open_runner(runner, list(made[0].column_types()), memory_bytes=memory), len(made)
    opened = time.perf_counter() - began
    learned = mahc.learn(source, "mahc")
    found = {
        "rows": source.rows,
        "pieces": pieces,
        "way": "distinct rows" if hasattr(source, "distinct") else "passes",
        "passes": source.passes,
        "opening": opened,
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "arcs": len(learned.arcs),
        "score": learned.score,
    }
    if hasattr(source, "close"):
        source.close()
    return found


def main() -> None:
    """Measure and append to the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="asia")
    parser.add_argument("--rows", default="1e6,1e7")
    parser.add_argument("--folder", default="", help="Parquet files instead of generated rows")
    parser.add_argument("--limit", default="1GB", help="hard limit of a process")
    parser.add_argument("--memory", default="", help="the memory that mahc may use; a quarter of the limit by default")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--picture", type=Path, help="draw the peaks of all lines of the table there")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.case:
        print(json.dumps(run_case(**json.loads(asked.case))))
        return
    limit = parse_size(asked.limit)
    memory = parse_size(asked.memory) if asked.memory else limit // 4
    if not asked.out.exists():
        asked.out.write_text(HEAD, encoding="utf-8")
    for rows in [0] if asked.folder else [int(float(text)) for text in asked.rows.split(",") if text]:
        case = {"network": asked.network, "rows": rows, "folder": asked.folder, "limit": limit, "memory": memory}
        case["threads"] = asked.threads
        words = [sys.executable, __file__, "--case", json.dumps(case)]
        environment = {**os.environ, "POLARS_MAX_THREADS": str(asked.threads), "MALLOC_ARENA_MAX": "2"}
        ended = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
        line = write_line(asked.network, asked.limit, ended)
        print(line, flush=True)
        with asked.out.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    if asked.picture:
        asked.picture.write_text(draw(asked.out.read_text(encoding="utf-8")), encoding="utf-8")


def draw(table: str) -> str:
    """The peak of memory over the number of rows, as SVG, of a table that was written here."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in table.splitlines():
        cells = [cell.strip().replace(",", "") for cell in row.strip("|").split("|")]
        if len(cells) == 10 and cells[2].isdigit():
            lines.setdefault(f"{cells[0]}, limit {cells[1]}", []).append((float(cells[2]), float(cells[8])))
    chart = {name: sorted(points) for name, points in lines.items()}
    return log_chart("Peak memory of a run of MAHC (dashed: in proportion)", "rows", "MB", chart)


HEAD = """# mahc under a hard limit on memory

| data | limit | rows | pieces | way | passes | seconds | CPU seconds | peak MB | load |
|---|---|---|---|---|---|---|---|---|---|
"""


def write_line(network: str, limit: str, ended: subprocess.CompletedProcess[str]) -> str:
    """A row of the table; a case that failed says why."""
    load = f"{os.getloadavg()[0]:.0f}"
    if ended.returncode:
        said = (ended.stderr.strip().splitlines() or ["killed"])[-1]
        return f"| {network} | {limit} | FAILED: {said} | | | | | | | {load} |"
    found = json.loads(ended.stdout)
    cells = f"{found['rows']:,} | {found['pieces']} | {found['way']} | {found['passes']}"
    return (
        f"| {network} | {limit} | {cells} | {found['seconds']:.0f} | {found['cpu']:.0f} | "
        f"{found['peak'] / 1e6:,.0f} | {load} |"
    )


def parse_size(text: str) -> int:
    """Bytes of a text such as 2GB.

    >>> parse_size("2GB")
    2000000000
    """
    for unit, size in UNITS.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * size)
    return int(text)


if __name__ == "__main__":
    main()
