"""Forward sampling beside pyAgrum's, in one run: seconds, the smallest of three.

    python benchmarks/bench_sampling.py [--rows 100000] [--json]

Ours draws into memory, from a network that is loaded; so does pyAgrum's generator (extra `inference`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from mahc.errors import MahcError
from mahc.networks import Network, load_network, sample
from mahc.networks.export import load_pyagrum, to_pyagrum

NETWORKS = ("asia", "alarm", "hepar2", "andes", "pathfinder")


def smallest(act: Callable[[], object], times: int = 3) -> float:
    """Seconds of the fastest run."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return min(found)


def generator(network: Network) -> Callable[[int], object] | None:
    """pyAgrum's sampler of the same network, or None where it is not installed."""
    try:
        gum: Any = load_pyagrum()
    except MahcError:
        return None
    net = to_pyagrum(network)

    def draw(rows: int) -> object:
        # The generator does not keep its network alive, so this function does.
        return gum.BNDatabaseGenerator(net).drawSamples(rows)

    return draw


def measure(rows: int) -> list[dict[str, Any]]:
    """One entry per network."""
    found = []
    for name in NETWORKS:
        network = load_network(name)
        entry: dict[str, Any] = {"network": name, "rows": rows}
        entry["mahc"] = smallest(lambda network=network: sample(network, rows, 1))  # type: ignore[misc]
        theirs = generator(network)
        entry["pyagrum"] = None if theirs is None else smallest(lambda theirs=theirs: theirs(rows), 1)  # type: ignore[misc]
        found.append(entry)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Forward sampling, seconds.")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.rows)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'network':12} {'rows':>10} {'mahc':>8} {'pyAgrum':>8}")
    for entry in found:
        theirs = "-" if entry["pyagrum"] is None else f"{entry['pyagrum']:.3f}"
        print(f"{entry['network']:12} {entry['rows']:>10,} {entry['mahc']:>8.3f} {theirs:>8}")


if __name__ == "__main__":
    main()
