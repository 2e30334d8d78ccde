"""CPDAG, MAG, PAG, formats and pictures, beside pyAgrum and causal-learn in one run: seconds, the smallest of three.

    python benchmarks/bench_graphs.py [--json]

Random DAGs with a seed; a peer that is not installed, or that would take minutes, has no number.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mahc.drawing.svg import svg
from mahc.graphs import DAG, cpdag_to_dag, dag_to_cpdag, dag_to_mag, mag_to_pag, pag_to_mag
from mahc.graphs.files import GRAPH_FORMATS

Act = Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """What was done to which graph, and the seconds it took us and a peer.

    >>> Timing("cpdag", 10, 20, 0, 0.1, "pyagrum", None).peer
    'pyagrum'
    """

    task: str
    variables: int
    arcs: int
    latents: int
    mahc: float
    peer: str | None
    theirs: float | None


def smallest(act: Act, times: int = 3) -> float:
    """Seconds of the fastest run."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return min(found)


def random_dag(variables: int, parents: int, seed: int = 1) -> DAG:
    """Every variable has so many parents among the 60 before it."""
    rng = np.random.default_rng(seed)
    chosen = []
    for v in range(variables):
        before = np.arange(max(0, v - 60), v)
        chosen.append(rng.choice(before, size=min(len(before), parents), replace=False).tolist())
    return DAG.from_parents([f"v{i}" for i in range(variables)], chosen)


def pyagrum_cpdag(dag: DAG) -> Act | None:
    """pyAgrum's essential graph of the same DAG."""
    try:
        gum: Any = importlib.import_module("pyagrum")
    except ImportError:
        return None
    net = gum.BayesNet()
    for name in dag.names:
        net.add(gum.LabelizedVariable(name, name, 2))
    for child, parents in enumerate(dag.parent_sets):
        for parent in parents:
            net.addArc(parent, child)
    return lambda: gum.EssentialGraph(net)


def causal_learn_pag(dag: DAG, latent: list[str]) -> Act | None:
    """causal-learn's PAG of the same DAG: it tries every conditioning set, so only small graphs finish."""
    try:
        dags: Any = importlib.import_module("causallearn.graph.Dag")
        graph_nodes: Any = importlib.import_module("causallearn.graph.GraphNode")
        conversion: Any = importlib.import_module("causallearn.utils.DAG2PAG")
    except ImportError:
        return None
    nodes = {name: graph_nodes.GraphNode(name) for name in dag.names}
    other = dags.Dag(list(nodes.values()))
    for tail, head in dag.arcs:
        other.add_directed_edge(nodes[tail], nodes[head])

    def convert() -> object:
        with contextlib.redirect_stdout(io.StringIO()):
            return conversion.dag2pag(other, [nodes[name] for name in latent])

    return convert


def measure() -> Iterator[Timing]:
    """One entry per task and size."""
    for variables, parents in ((37, 2), (100, 2), (1000, 3), (2000, 3)):
        dag = random_dag(variables, parents)
        cpdag = dag_to_cpdag(dag)
        theirs = pyagrum_cpdag(dag)
        peer = smallest(theirs) if theirs else None
        size = (variables, len(dag.arcs), 0)
        yield Timing("cpdag", *size, smallest(lambda dag=dag: dag_to_cpdag(dag)), "pyagrum", peer)  # type: ignore[misc]
        yield Timing("extension", *size, smallest(lambda graph=cpdag: cpdag_to_dag(graph)), None, None)  # type: ignore[misc]
    for variables, hidden in ((10, 2), (12, 3), (37, 2), (100, 5), (1000, 50)):
        yield from measure_latents(random_dag(variables, 2), hidden)
    for variables in (37, 100, 500):
        dag = random_dag(variables, 2)
        size = (variables, len(dag.arcs), 0)
        yield Timing("picture", *size, smallest(lambda dag=dag: svg(dag), 1), None, None)  # type: ignore[misc]
    dag = random_dag(1000, 3)
    for name in GRAPH_FORMATS:
        form = GRAPH_FORMATS[name]()
        seconds = smallest(lambda form=form, dag=dag: form.parse(form.render(dag), None, dag.names))  # type: ignore[misc]
        yield Timing(f"{name} there and back", len(dag.names), len(dag.arcs), 0, seconds, None, None)


def measure_latents(dag: DAG, hidden: int) -> Iterator[Timing]:
    """DAG -> MAG -> PAG -> MAG with so many latent variables."""
    chosen = np.random.default_rng(2).permutation(len(dag.names))[:hidden]
    latent = [dag.names[i] for i in chosen]
    size = (len(dag.names), len(dag.arcs), hidden)
    mag = dag_to_mag(dag, latent)
    pag = mag_to_pag(mag)
    theirs = causal_learn_pag(dag, latent) if len(dag.names) <= 12 else None
    peer = smallest(theirs, 1) if theirs else None
    yield Timing("mag", *size, smallest(lambda: dag_to_mag(dag, latent)), None, None)
    yield Timing("mag and pag", *size, smallest(lambda: mag_to_pag(dag_to_mag(dag, latent))), "causal-learn", peer)
    yield Timing("pag back to mag", *size, smallest(lambda: pag_to_mag(pag)), None, None)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Graphs, seconds.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.json:
        print(json.dumps([asdict(timing) for timing in measure()], indent=2))
        return
    print(f"{'task':26} {'nodes':>6} {'arcs':>6} {'latent':>6} {'mahc':>9} {'peer':>9}")
    for timing in measure():
        theirs = "-" if timing.theirs is None else f"{timing.theirs:.4f} {timing.peer}"
        size = f"{timing.variables:>6} {timing.arcs:>6} {timing.latents:>6}"
        print(f"{timing.task:26} {size} {timing.mahc:>9.4f} {theirs:>9}", flush=True)


if __name__ == "__main__":
    main()
