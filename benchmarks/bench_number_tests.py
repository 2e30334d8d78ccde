"""Tests of independence of numbers: how often they reject what is true, and how often they find what is there.

    python benchmarks/bench_number_tests.py
    python benchmarks/bench_number_tests.py --repeats 200 --peer-repeats 0

x is independent of z given y in the first table: the rates should be the level. In the second table x is added to z, or
its square is. KCI and RCIT are those of causal-learn (extra `peers`), where it is installed. The last lines are the
processor time of PC-Stable. Prints the tables; writes benchmarks/results/number-tests.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import describe_machine

import mahc
from mahc.data import Dataset
from mahc.engine import Families
from mahc.engine.column_testing import fisher_tester, smooth_tester

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
from number_data import NULLS, draw  # type: ignore[import-not-found]  # noqa: E402

LEVELS = (0.01, 0.05)
POWERS = [(name, bent) for name in ("linear", "tanh", "quadratic", "heavy tails") for bent in (False, True)]
Test = Callable[[Dataset], float]


def smooth(data: Dataset) -> float:
    return _p_value(smooth_tester(data))


def fisher(data: Dataset) -> float:
    return _p_value(fisher_tester(data))


def _p_value(tester: object) -> float:
    return float(np.exp(tester.test_families(Families.of([(0, [1, 2])]))[2][0]))  # type: ignore[attr-defined]


def peer(name: str) -> Test:
    from causallearn.utils.cit import CIT

    def test(data: Dataset) -> float:
        values = np.stack([column.as_array().astype(float) for column in data.columns], axis=1)
        with contextlib.redirect_stdout(io.StringIO()):
            return float(CIT(values, name)(0, 2, [1]))

    return test


def has_only_numbers(data: Dataset) -> bool:
    return all(column.state_count is None for column in data.columns)


def rates(tests: dict[str, tuple[Test, int]], make: Callable[[np.random.Generator], Dataset], seed: int) -> list[str]:
    """One cell for each test: the share of p-values below each level, in per cent."""
    cells = []
    for name, (test, repeats) in tests.items():
        generator = np.random.default_rng(seed)
        tables = [make(generator) for _ in range(repeats)]
        if not tables or (name == "fisher-z" and not has_only_numbers(tables[0])):
            cells.append("")
            continue
        p = np.array([test(data) for data in tables])
        cells.append(" / ".join(f"{100 * float((p < level).mean()):.1f}" for level in LEVELS))
    return cells


def time_pc(rows: int, columns: int, seed: int) -> str:
    """PC-Stable on a sparse graph of lines, saturations and parabolas."""
    generator = np.random.default_rng(seed)
    values: list[np.ndarray] = []
    true = set()
    for v in range(columns):
        column = generator.normal(size=rows)
        for u in generator.choice(v, min(v, int(generator.integers(0, 3))), replace=False).tolist() if v else ():
            shape = (values[u], np.tanh(2 * values[u]), 0.7 * (values[u] ** 2 - 1))[int(generator.integers(3))]
            column = column + generator.choice([-1, 1]) * generator.uniform(0.5, 1.2) * shape
            true.add(frozenset((f"v{u}", f"v{v}")))
        values.append((column - column.mean()) / column.std())
    table = {f"v{v}": column for v, column in enumerate(values)}
    lines = []
    for test in ("smooth", "fisher-z"):
        began = time.process_time()
        learned = mahc.learn(table, "pc-stable", objective="smooth", degree=1, test=test, threads=1)
        found = {frozenset((edge.left, edge.right)) for edge in learned.pattern.edges}
        lines.append(
            f"| {rows:,} | {columns} | {test} | {time.process_time() - began:.2f} | {len(found & true)} of {len(true)} "
            f"| {len(found - true)} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--peer-repeats", type=int, default=100, help="of KCI and RCIT; 0 leaves them out")
    parser.add_argument("--peer-rows", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    options = parser.parse_args()
    ours: dict[str, tuple[Test, int]] = {"smooth": (smooth, options.repeats), "fisher-z": (fisher, options.repeats)}
    all_tests = dict(ours)
    with contextlib.suppress(ImportError):
        all_tests |= {name: (peer(name.lower()), options.peer_repeats) for name in ("KCI", "RCIT")}
    lines = [describe_machine(), "", "True nulls: rejected at 1 % / 5 %, in per cent", ""]

    def show(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    show("| x independent of z given y | rows | smooth | fisher-z |")
    show("|---" * 4 + "|")
    for rows in (500, 5000):
        for name in NULLS:
            cells = rates(ours, lambda g, name=name, rows=rows: draw(name, rows, g), options.seed)  # type: ignore[misc]
            show(f"| {name} | {rows:,} | {' | '.join(cells)} |")
    show("")
    show(f"Power, and true nulls beside peers: rejected at 1 % / 5 %, {options.peer_rows} rows")
    show("")
    show(f"| relation | added to z | {' | '.join(all_tests)} |")
    show("|---" * (2 + len(all_tests)) + "|")
    for name, bent in [*((name, None) for name in ("linear", "tanh", "quadratic", "heavy tails")), *POWERS]:
        add = 0.0 if bent is None else 0.3
        word = "nothing" if bent is None else "0.3 x^2" if bent else "0.3 x"
        make = lambda g, name=name, add=add, bent=bool(bent): draw(name, options.peer_rows, g, add, bent)  # noqa: E731
        show(f"| {name} | {word} | {' | '.join(rates(all_tests, make, options.seed + 1))} |")
    show("")
    show("PC-Stable: processor seconds with one thread, edges found, false edges")
    show("")
    show("| rows | columns | test | seconds | edges found | false edges |")
    show("|---" * 6 + "|")
    for rows, columns in ((5000, 50), (100_000, 50)):
        show(time_pc(rows, columns, options.seed))
    options.out.mkdir(exist_ok=True)
    (options.out / "number-tests.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
