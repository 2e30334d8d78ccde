"""When each phase of MAHC begins on data that are too wide for the climb to end: random states, all processors.

    python benchmarks/bench_phases.py                                     # 20,000 variables x 1,000 rows, 110 s
    python benchmarks/bench_phases.py --variables 2000 --seconds 20

Prints the seconds at which each phase began, the processor seconds and the growth of the process.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

import mahc
from mahc.learning.control import Progress


def peak_mebibytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--memory", type=int, default=4_000, help="mebibytes")
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    data = mahc.read({f"v{i}": rng.integers(0, 3, given.rows, dtype=np.uint8) for i in range(given.variables)})
    phases: dict[str, float] = {}

    def note(progress: Progress) -> None:
        phases.setdefault(progress.phase, progress.seconds)

    before, began = peak_mebibytes(), time.process_time()
    found = mahc.learn(data, "mahc", time_limit=given.seconds, memory_mebibytes=given.memory, progress=note)
    used = time.process_time() - began
    print(", ".join(f"{phase} after {seconds:.0f} s" for phase, seconds in phases.items()))
    print(
        f"ended ({found.run.stop_reason}) after {found.seconds:.0f} s, {used:.0f} processor s, "
        f"growth {peak_mebibytes() - before:,} MiB"
    )


if __name__ == "__main__":
    main()
