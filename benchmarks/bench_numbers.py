"""Graphs from tables of numbers and states: our treatments of numbers compared with quantile cuts and other packages.

    python benchmarks/bench_numbers.py                           # all kinds of data, 500 and 2,000 rows, our treatments
    python benchmarks/bench_numbers.py --who "causal-learn BOSS" "PyBNesian hc" --rows 500 --limit 40
    python benchmarks/bench_numbers.py --cost                    # time and memory against rows and columns

Each table has a known graph. F1 counts the edges of the CPDAG that have the right marks; SHD counts the pairs that
differ. Times are processor seconds. Peers that are not installed, fail, or exceed `--limit` of them are marked; those
that need numbers get states as whole numbers.

Cells are added to benchmarks/results/numbers.json, so that several runs fill one table; benchmarks/results/numbers.md
shows all of them (`--cost`: numbers-cost.md).
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from timing import describe_machine

import mahc
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.networks import load_network, sample

RESULTS = Path(__file__).resolve().parent / "results"
Columns = dict[str, Any]
Numbers = NDArray[np.float64]
Table = tuple[Columns, DAG]
OURS = ("auto", "smooth", "cuts", "quantile:4")


def random_arcs(variables: int, degree: float, draw: np.random.Generator) -> list[tuple[int, int]]:
    """Arcs between ordered variables, at most four into one."""
    pairs = [(u, v) for v in range(variables) for u in range(v)]
    chosen = draw.permutation(len(pairs))[: round(variables * degree / 2)]
    found: list[tuple[int, int]] = []
    for u, v in sorted(pairs[i] for i in chosen):
        if sum(head == v for _, head in found) < 4:
            found.append((u, v))
    return found


def standard(values: Numbers) -> Numbers:
    """Mean 0, standard deviation 1."""
    found: Numbers = (values - values.mean()) / max(float(values.std()), 1e-12)
    return found


def simulate(
    rows: int,
    seed: int,
    effect: Callable[[Numbers, np.random.Generator], Numbers],
    show: Callable[[Numbers, np.random.Generator], Any],
    columns: int = 20,
    degree: float = 3.0,
    interactions: bool = False,
    act: Callable[[Numbers, Any, np.random.Generator], Numbers] | None = None,
) -> Table:
    """Numbers whose parents have `effect`s that add up, shown to the learner as `show` says.

    Children see the number itself, or what `act` makes of it and of what is shown.
    """
    draw = np.random.default_rng([seed, rows, columns])
    arcs = random_arcs(columns, degree, draw)
    place = draw.permutation(columns)
    values: list[Numbers] = []
    names = [f"v{place[v]:03d}" for v in range(columns)]
    shown: Columns = {}
    for v in range(columns):
        parents = [values[u] for u, head in arcs if head == v]
        total = draw.normal(size=rows) * draw.uniform(0.6, 1.2)
        for parent in parents:
            total = total + draw.uniform(0.5, 1.2) * draw.choice([-1, 1]) * effect(parent, draw)
        if interactions and len(parents) > 1:
            total = total + 0.8 * parents[0] * parents[1]
        values.append(standard(total))
        shown[names[v]] = show(values[v], draw)
        if act is not None:
            values[v] = standard(act(values[v], shown[names[v]], draw))
    graph = DAG(sorted(names), [(names[u], names[v]) for u, v in arcs])
    return {name: shown[name] for name in sorted(names)}, graph


def straight(x: Numbers, draw: np.random.Generator) -> Numbers:
    """A straight line."""
    return x


def curved(x: Numbers, draw: np.random.Generator) -> Numbers:
    """A line, a saturation, a parabola or a wave."""
    shapes: list[Numbers] = [x, np.tanh(2 * x) * 1.3, (x * x - 1) / 1.3, 1.4 * np.sin(1.5 * x)]
    return shapes[int(draw.integers(4))]


def threshold(x: Numbers, draw: np.random.Generator) -> Numbers:
    """A step."""
    return np.where(x > draw.normal() * 0.5, 1.5, 0.0)


def as_is(x: Numbers, draw: np.random.Generator) -> Any:
    """The number itself."""
    return x.tolist()


def half_states(x: Numbers, draw: np.random.Generator) -> Any:
    """Every other column is drawn as one of three or four states, by a multinomial logistic model (Lee and Hastie)."""
    if draw.random() < 0.5:
        return x.tolist()
    states = int(draw.integers(3, 5))
    slopes = draw.permutation(np.linspace(-2.5, 2.5, states))
    drawn = np.argmax(np.outer(x, slopes) + draw.gumbel(size=(len(x), states)), axis=1)
    return [f"s{k}" for k in drawn]


def by_state(x: Numbers, shown: Any, draw: np.random.Generator) -> Numbers:
    """Each state has an effect of its own; a number is its own effect."""
    if not isinstance(shown[0], str):
        return x
    effects = draw.permutation(np.linspace(-1.5, 1.5, 4))
    found: Numbers = np.array([effects[int(label[1:])] for label in shown])
    return found


def by_count(x: Numbers, shown: Any, draw: np.random.Generator) -> Numbers:
    """The logarithm of the count acts, not the rate behind it."""
    found: Numbers = np.log1p(np.array(shown))
    return found


def awkward(kind: str) -> Callable[[Numbers, np.random.Generator], Any]:
    """Numbers as they come from laboratories and registers."""

    def show(x: Numbers, draw: np.random.Generator) -> Any:
        if kind == "counts":
            return draw.poisson(np.exp(1.5 + 0.7 * x)).astype(float).tolist()
        if kind == "zeros":
            return np.where(x < 0, 0.0, x).tolist()
        if kind == "skewed":
            return np.exp(1.3 * x).tolist()
        if kind == "rounded":
            return np.round(x, 0).tolist() if draw.random() < 0.5 else np.round(x, 1).tolist()
        far = draw.random(len(x)) < 0.01
        return np.where(far, x * 50, x).tolist()

    return show


def stepped(name: str, rows: int, seed: int) -> Table:
    """A discrete network; every other variable with three states or more is seen as an overlapping number."""
    data, draw = sample(load_network(name), rows, seed), np.random.default_rng([seed, rows])
    found: Columns = {}
    many = [v for v, states in enumerate(data.states) if len(states) > 2]
    numbers = set(draw.permutation(many)[: max(1, len(many) // 2)].tolist())
    for v, (own, codes) in enumerate(zip(data.labels, data.codes, strict=True)):
        noisy = codes + draw.uniform(0.2, 0.4) * draw.normal(size=rows)
        found[data.names[v]] = np.exp(noisy).tolist() if v in numbers else [f"s{own[code]}" for code in codes]
    return found, load_network(name).dag


def both(rows: int, seed: int) -> Table:
    """Curves beside a stepped network: two kinds of truth in one table."""
    first, graph = simulate(rows, seed, curved, as_is, 12)
    second, other = stepped("insurance", rows, seed)
    return {**first, **second}, DAG([*graph.names, *other.names], [*graph.arcs, *other.arcs])


KINDS: dict[str, Callable[[int, int], Table]] = {
    "lines": lambda rows, seed: simulate(rows, seed, straight, as_is),
    "mixed lines": lambda rows, seed: simulate(rows, seed, straight, half_states, act=by_state),
    "curves": lambda rows, seed: simulate(rows, seed, curved, as_is),
    "thresholds": lambda rows, seed: simulate(rows, seed, threshold, as_is),
    "interactions": lambda rows, seed: simulate(rows, seed, straight, as_is, interactions=True),
    "counts": lambda rows, seed: simulate(rows, seed, straight, awkward("counts"), act=by_count),
    "zeros": lambda rows, seed: simulate(rows, seed, straight, awkward("zeros")),
    "skewed": lambda rows, seed: simulate(rows, seed, curved, awkward("skewed")),
    "rounded": lambda rows, seed: simulate(rows, seed, straight, awkward("rounded")),
    "outliers": lambda rows, seed: simulate(rows, seed, straight, awkward("outliers")),
    "insurance": lambda rows, seed: stepped("insurance", rows, seed),
    "alarm": lambda rows, seed: stepped("alarm", rows, seed),
    "both": both,
    "sparse curves": lambda rows, seed: simulate(rows, seed, curved, as_is, degree=1.5),
    "dense lines": lambda rows, seed: simulate(rows, seed, straight, as_is, degree=5.0),
    "10 curves": lambda rows, seed: simulate(rows, seed, curved, as_is, 10),
    "100 curves": lambda rows, seed: simulate(rows, seed, curved, as_is, 100),
    "200 lines": lambda rows, seed: simulate(rows, seed, straight, as_is, 200),
}


def learn_ours(columns: Columns, how: str) -> tuple[MixedGraph, float, str]:
    """The CPDAG that boss learns, the processor time, and the treatment."""
    settings: dict[str, Any] = {"discretise": how} if ":" in how else {"numbers": how}
    began = time.process_time()
    learned = mahc.learn(columns, "boss", **settings)
    record = learned.run.numbers
    return learned.cpdag, time.process_time() - began, record.treatment if record else "cuts given"


PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
import pandas as pd
name, path = sys.argv[1:]
frame = pd.read_parquet(path)
codes = frame.copy()
for column in frame:
    if frame[column].dtype == object or str(frame[column].dtype).startswith(("str", "large")):
        codes[column] = pd.Categorical(frame[column]).codes.astype(float)
values = codes.to_numpy(float)
names = list(frame)
began = time.process_time()
def of_matrix(graph):
    n, marks, found = len(names), graph.graph, []
    for i in range(n):
        for j in range(i):
            if marks[i, j] == -1 and marks[j, i] == -1: found.append([names[i], "---", names[j]])
            elif marks[j, i] == 1 and marks[i, j] == -1: found.append([names[i], "-->", names[j]])
            elif marks[i, j] == 1 and marks[j, i] == -1: found.append([names[j], "-->", names[i]])
            elif marks[i, j] or marks[j, i]: found.append([names[i], "---", names[j]])
    return found
if name == "causal-learn BOSS":
    from causallearn.search.PermutationBased.BOSS import boss
    edges, dag = of_matrix(boss(values, "local_score_BIC_from_cov", verbose=False)), False
elif name == "causal-learn GES":
    from causallearn.search.ScoreBased.GES import ges
    edges, dag = of_matrix(ges(values, "local_score_BIC_from_cov")["G"]), False
elif name == "causal-learn PC":
    from causallearn.search.ConstraintBased.PC import pc
    edges, dag = of_matrix(pc(values, 0.01, "fisherz", show_progress=False).G), False
elif name == "PyBNesian hc":
    import pybnesian as pb
    for column in frame:
        if frame[column].dtype == object or str(frame[column].dtype).startswith(("str", "large")):
            frame[column] = frame[column].astype("category")
    states = [column for column in frame if str(frame[column].dtype) == "category"]
    kind = pb.CLGNetworkType() if states else pb.GaussianNetworkType()
    found = pb.hc(frame, bn_type=kind, score="bic", operators=["arcs"])
    edges, dag = [[u, "-->", v] for u, v in found.arcs()], True
elif name == "pyAgrum MIIC":
    import pyagrum as gum
    import pyagrum.lib.discretizer as d
    tool = d.Discretizer(defaultDiscretizationMethod="quantile", defaultNumberOfBins=4)
    template = tool.discretizedTemplate(frame)
    learner = gum.BNLearner(frame, template)
    learner.useMIIC()
    found = learner.learnEssentialGraph()
    edges = [[template.variable(a).name(), "---", template.variable(b).name()] for a, b in found.edges()]
    edges += [[template.variable(a).name(), "-->", template.variable(b).name()] for a, b in found.arcs()]
    dag = False
print("\\n" + json.dumps({"edges": edges, "dag": dag, "seconds": time.process_time() - began}))
"""
PEERS = ("causal-learn BOSS", "causal-learn GES", "causal-learn PC", "PyBNesian hc", "pyAgrum MIIC")


def learn_peer(columns: Columns, name: str, limit: float) -> tuple[MixedGraph, float] | str:
    """A peer's CPDAG and processor time from a process of its own; or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        pl.DataFrame(columns).write_parquet(path)
        try:
            ended = subprocess.run(
                [sys.executable, "-c", PEER, name, str(path)],
                capture_output=True,
                text=True,
                check=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (round(limit), round(limit) + 1)),
            )
        except subprocess.CalledProcessError as failed:
            if failed.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                return f"> {limit:.0f} s"
            return "not installed" if "ModuleNotFoundError" in failed.stderr else "failed"
    found = json.loads(ended.stdout.strip().splitlines()[-1])
    names = list(columns)
    if found["dag"]:
        graph = dag_to_cpdag(DAG(names, [(u, v) for u, _, v in found["edges"]]))
    else:
        graph = MixedGraph(names, [tuple(edge) for edge in found["edges"]])
    return graph, found["seconds"]


def compare(graph: MixedGraph, truth: MixedGraph) -> tuple[float, int]:
    """F1 over edges with the same marks, and the number of pairs that differ."""

    def marks(one: MixedGraph) -> dict[frozenset[str], object]:
        return {
            frozenset((edge.left, edge.right)): (edge.mark, edge.left if edge.mark == "-->" else None)
            for edge in one.edges
        }

    ours, theirs = marks(graph), marks(truth)
    same = sum(theirs.get(pair) == mark for pair, mark in ours.items())
    differ = len(ours.keys() | theirs.keys()) - same
    return 2 * same / max(1, len(ours) + len(theirs)), differ


def measure(kinds: list[str], sizes: list[int], seeds: int, who: list[str], limit: float, path: Path) -> None:
    """Add the cells to those in the file; a peer that failed or took too long is not tried again on larger tables."""
    cells = _read(path)
    for kind in kinds:
        without: dict[str, str] = {}
        for rows in sizes:
            for seed in range(101, 101 + seeds):
                columns, dag = KINDS[kind](rows, seed)
                truth = dag_to_cpdag(dag)
                for name in who:
                    if name in OURS:
                        graph, seconds, treatment = learn_ours(columns, name)
                    else:
                        answer = without.get(name) or learn_peer(columns, name, limit)
                        if isinstance(answer, str):
                            without[name] = answer
                            cells[f"{kind}/{rows}/{seed}/{name}"] = answer
                            continue
                        (graph, seconds), treatment = answer, ""
                    cells[f"{kind}/{rows}/{seed}/{name}"] = [*compare(graph, truth), round(seconds, 3), treatment]
                print(kind, rows, seed, {name: cells[f"{kind}/{rows}/{seed}/{name}"] for name in who}, flush=True)
                _write(path, cells, f"{kind}/{rows}/{seed}/")


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _write(path: Path, cells: dict[str, Any], fresh: str) -> None:
    """Cells that another run has written meanwhile stay, except those that are fresh here."""
    joined = {**_read(path), **{key: cell for key, cell in cells.items() if key.startswith(fresh)}}
    text = ",\n".join(f"{json.dumps(key)}: {json.dumps(joined[key])}" for key in sorted(joined))
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8")


def tables(path: Path) -> list[str]:
    """One table for each size, with the means of all measured seeds, and one line for all kinds."""
    cells = _read(path)
    keys = [key.split("/") for key in cells]
    lines = []
    for rows in sorted({int(key[1]) for key in keys}):
        who = [name for name in (*OURS, *PEERS) if any(key[1] == str(rows) and key[3] == name for key in keys)]
        seeds = len({key[2] for key in keys if key[1] == str(rows)})
        lines += [f"\n{rows:,} rows: F1 / SHD / processor seconds, mean of {seeds} tables\n"]
        lines += ["| data | " + " | ".join(who) + " | treatments |", "|---" * (len(who) + 2) + "|"]
        all_f1: dict[str, list[float]] = {name: [] for name in who}
        for kind in KINDS:
            shown, chosen = [], []
            for name in who:
                wanted = [key for key in keys if (key[0], key[1], key[3]) == (kind, str(rows), name)]
                mine = [cells["/".join(key)] for key in wanted]
                good = [cell for cell in mine if not isinstance(cell, str)]
                if good and len(good) == len(mine):
                    f1, shd, seconds = np.mean([cell[:3] for cell in good], axis=0)
                    shown.append(f"{f1:.3f} / {shd:.1f} / {seconds:.2f}")
                    all_f1[name].append(f1)
                else:
                    shown.append(next((cell for cell in mine if isinstance(cell, str)), "not run"))
                if name == "auto":
                    chosen = [cell[3] for cell in good]
            if set(shown) != {"not run"}:
                lines.append(f"| {kind} | " + " | ".join(shown) + f" | {', '.join(chosen)} |")
        means = [f"{np.mean(f1):.3f} ({len(f1)} kinds)" if f1 else "" for f1 in all_f1.values()]
        lines.append("| mean F1 | " + " | ".join(means) + " | |")
    return lines


def cost() -> list[str]:
    """Processor time of boss on curves, against rows and columns, beside the same table cut in four."""
    lines = ["\nCost on curves, one thread: processor seconds, and growth of the memory in MB\n"]
    lines += ["| columns | rows | smooth | cuts | auto | quantile:4 | peak memory |", "|---" * 7 + "|"]
    for columns, rows in (
        (20, 1_000),
        (20, 10_000),
        (20, 100_000),
        (20, 1_000_000),
        (50, 10_000),
        (100, 10_000),
        (100, 100_000),
    ):
        table, _ = simulate(rows, 1, curved, as_is, columns)
        cells = []
        for how in ("smooth", "cuts", "auto", "quantile:4"):
            fixed = ":" in how
            data = mahc.read(table, discretise=how if fixed else None)
            began = time.process_time()
            mahc.learn(data, "boss", threads=1, numbers="auto" if fixed else how)
            cells.append(f"{time.process_time() - began:.2f}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        lines.append(f"| {columns} | {rows:,} | " + " | ".join(cells) + f" | {peak:.0f} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 2000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--who", nargs="*", default=list(OURS), choices=[*OURS, *PEERS])
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--cost", action="store_true")
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    if given.cost:
        _publish("numbers-cost.md", "Cost of numbers", cost())
        return
    measure(given.kinds, given.rows, given.seeds, given.who, given.limit, RESULTS / "numbers.json")
    _publish("numbers.md", "Numbers", tables(RESULTS / "numbers.json"))


def _publish(name: str, title: str, lines: list[str]) -> None:
    made = f"Made by `python benchmarks/bench_numbers.py`, which says how. Last run: {describe_machine()}."
    (RESULTS / name).write_text("\n".join([f"# {title}", "", made, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
