"""Times as ratios: contestants run in turn in one process, so that a busy machine slows all of them."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path


def smallest(
    acts: Mapping[str, Callable[[], object]], rounds: int = 5, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Seconds of the fastest of `rounds` runs of each act; the acts take turns.

    Acts of one thread are best timed with the clock `time.process_time`, which stops while others have the
    processor; wall time, the default, is right where threads share the work.
    """
    found = dict.fromkeys(acts, float("inf"))
    for _ in range(rounds):
        for name, act in acts.items():
            began = clock()
            act()
            found[name] = min(found[name], clock() - began)
    return found


def import_from(folder: Path | None) -> str:
    """Lines for the start of a script: it then imports mahc from this folder, not the one that is installed.

    An editable install would come first otherwise, and the script would measure that.
    """
    if folder is None:
        return ""
    return (
        "import sys\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__name__.startswith('ScikitBuild')]\n"
        f"sys.path.insert(0, {str(folder.resolve())!r})\n"
        "import mahc\n"
        f"assert mahc.__file__.startswith({str(folder.resolve())!r}), mahc.__file__\n"
    )


def load_average() -> str:
    """The load average of the last minute."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def describe_machine() -> str:
    """Processors, load and versions, to print with the figures."""
    import numpy

    from mahc.engine import instruction_levels

    return (
        f"{os.cpu_count()} processors ({platform.machine()}, {instruction_levels()[-1]}), "
        f"load average {load_average()}, Python {platform.python_version()}, NumPy {numpy.__version__}"
    )
