"""pygobnilp on one data file, in a separate environment; prints its smallest seconds of two runs and its score.

    PEER_PYTHON benchmarks/pygobnilp_contestant.py DATA IN_DEGREE

DATA: names, numbers of states, then one row of codes after another, all parted by spaces. pygobnilp 1.0 gives gurobipy
its constraints as three words (left side, sense, right side), which gurobipy 12 and later do not take: here they
are put together before they are handed on. The licence that comes with gurobipy takes up to 2,000 columns and rows.
"""

from __future__ import annotations

import contextlib
import io
import json
import operator
import sys
import time
from typing import Any

SENSES = {"<": operator.le, ">": operator.ge, "=": operator.eq}


def join(words: tuple[Any, ...]) -> Any:
    """`left <= right` from left, sense and right."""
    return SENSES[words[1][0]](words[0], words[2]) if len(words) > 1 else words[0]


def make_kind() -> Any:
    """pygobnilp's learner, for today's gurobipy."""
    import gurobipy  # type: ignore[import-not-found]
    import pygobnilp.gobnilp as module  # type: ignore[import-not-found]

    class Joining:
        def addConstr(self, *words: Any, name: str = "") -> Any:  # noqa: N802 (gurobipy's name)
            kept = words[3] if len(words) > 3 else name
            return super().addConstr(join(words), name=kept)  # type: ignore[misc]

        def cbLazy(self, *words: Any) -> None:  # noqa: N802
            super().cbLazy(join(words))  # type: ignore[misc]

        def cbCut(self, *words: Any) -> None:  # noqa: N802
            super().cbCut(join(words))  # type: ignore[misc]

    module.Model = type("Model", (Joining, gurobipy.Model), {})
    return type("Gobnilp", (Joining, module.Gobnilp), {})


def main() -> None:
    path, in_degree = sys.argv[1], int(sys.argv[2])
    kind = make_kind()
    runs = []
    for _ in range(2):  # the first one compiles
        learner = kind()
        began = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            learner.learn(path, score="DiscreteBIC", palim=in_degree, plot=False)
        runs.append(time.perf_counter() - began)
    print(json.dumps({"seconds": min(runs), "score": learner.ObjVal}))  # in nats


if __name__ == "__main__":
    main()
