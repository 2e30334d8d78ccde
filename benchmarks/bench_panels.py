"""Panels: random two-slice networks, learned from subjects, beside joined rows and tigramite's PCMCI+.

    python benchmarks/bench_panels.py [--variables 10 30] [--subjects 200 1000 3000] [--waves 5] [--peer]

Each of the binary variables depends on itself one slice before (seven of ten), on one or two others one slice before,
and on at most one within the slice. F1 of lagged arcs and of arcs within a slice; an edge without a direction counts as
half. "joined": the rows of all subjects, one after another, as one series. `--peer`: PCMCI+ with the discrete test
Gsquared (pip install tigramite), alpha 0.01. Seconds are processor time. Log-loss: bits per variable one and two slices
ahead of new subjects, by the learned and by the true network.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import time
from dataclasses import replace
from typing import Any

import numpy as np

import mahc
from mahc.networks.network import Network
from mahc.panels import PanelNetwork
from mahc.panels.network import spread_futures
from mahc.panels.slices import before, now

Lagged = set[tuple[str, str]]


def random_truth(variables: int, seed: int) -> Network:
    """The transition network: x0(t-1), ..., x0(t), ... with tables."""
    draw = np.random.default_rng([seed, variables])
    names = [f"x{v}" for v in range(variables)]
    order = draw.permutation(variables).tolist()
    listed = [before(name, 1) for name in names] + [now(name) for name in names]
    parents: list[tuple[int, ...]] = [() for _ in range(variables)]
    tables = [np.array([[0.5, 0.5]]) for _ in range(variables)]
    for v in range(variables):
        own = {v} if draw.random() < 0.7 else set()
        own |= set(draw.choice(variables, int(draw.integers(1, 3)), replace=False).tolist())
        earlier = order[: order.index(v)]
        if earlier and draw.random() < 0.6:
            own.add(variables + int(draw.choice(earlier)))
        chosen = tuple(sorted(own))
        weights = draw.uniform(0.8, 1.8, len(chosen)) * draw.choice([-1, 1], len(chosen))
        configurations = np.array(list(np.ndindex(*(2,) * len(chosen)))).reshape(2 ** len(chosen), len(chosen))
        p = 1 / (1 + np.exp(-((configurations - 0.5) @ weights + draw.uniform(-0.4, 0.4))))
        parents.append(chosen)
        tables.append(np.stack([1 - p, p], axis=1))
    return Network("truth", tuple(listed), (("0", "1"),) * (2 * variables), tuple(parents), tuple(tables))


def draw_panel(truth: Network, subjects: int, waves: int, seed: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Subjects by waves by variables; the first wave after ten that are left out."""
    n = len(truth.names) // 2
    generator = np.random.default_rng([seed, subjects, 7])
    state = generator.integers(0, 2, (subjects, n))
    found = []
    for wave in range(waves + 10):
        drawn = {v: state[:, v] for v in range(n)}
        for node in truth.order:
            if node >= n:
                row = np.zeros(subjects, np.intp)
                for parent in truth.parents[node]:
                    row = row * 2 + drawn[parent]
                drawn[node] = (generator.random(subjects) < truth.tables[node][row, 1]).astype(np.int64)
        state = np.stack([drawn[n + v] for v in range(n)], axis=1)
        if wave >= 10:
            found.append(state)
    return np.stack(found, axis=1)


def columns_of(rows: np.ndarray[Any, np.dtype[np.int64]], joined: bool = False) -> dict[str, Any]:
    subjects, waves, n = rows.shape
    flat = rows.reshape(-1, n)
    whose = np.zeros(len(flat), int) if joined else np.repeat(np.arange(subjects), waves)
    when = np.arange(len(flat)) if joined else np.tile(np.arange(waves), subjects)
    return {"id": whose.astype(str), "t": when, **{f"x{v}": flat[:, v].astype(str) for v in range(n)}}


def arcs_of(truth: Network) -> tuple[Lagged, Lagged]:
    n = len(truth.names) // 2
    lagged = {(f"x{p}", f"x{v - n}") for v in range(n, 2 * n) for p in truth.parents[v] if p < n}
    inside = {(f"x{p - n}", f"x{v - n}") for v in range(n, 2 * n) for p in truth.parents[v] if p >= n}
    return lagged, inside


def f1(right: float, found: int, wanted: int) -> float:
    return 2 * right / max(1, found + wanted)


def compare(found: PanelNetwork, truth: Network) -> tuple[float, float]:
    lagged, inside = arcs_of(truth)
    mine = {(a, b) for a, _, b in found.lagged_arcs}
    edges = [e for e in found.transition.cpdag.edges if "(t)" in e.left and "(t)" in e.right]
    right = 0.0
    for edge in edges:
        a, b = edge.left.removesuffix("(t)"), edge.right.removesuffix("(t)")
        if edge.mark == "---":
            right += 0.5 * ((a, b) in inside or (b, a) in inside)
        else:
            right += ((a, b) if edge.mark == "-->" else (b, a)) in inside
    return f1(len(mine & lagged), len(mine), len(lagged)), f1(right, len(edges), len(inside))


def tigramite(rows: np.ndarray[Any, np.dtype[np.int64]], truth: Network) -> tuple[float, float, float]:
    processing: Any = importlib.import_module("tigramite.data_processing")
    pcmci: Any = importlib.import_module("tigramite.pcmci").PCMCI
    test: Any = importlib.import_module("tigramite.independence_tests.gsquared").Gsquared
    data = dict(enumerate(rows))
    kinds = {subject: np.ones(each.shape, int) for subject, each in data.items()}
    frame = processing.DataFrame(data, data_type=kinds, analysis_mode="multiple")
    began = time.process_time()
    found = pcmci(dataframe=frame, cond_ind_test=test(), verbosity=0).run_pcmciplus(tau_min=0, tau_max=1, pc_alpha=0.01)
    took = time.process_time() - began
    lagged, inside = arcs_of(truth)
    graph, n = found["graph"], rows.shape[2]
    mine = {(f"x{u}", f"x{v}") for u in range(n) for v in range(n) if graph[u, v, 1] == "-->"}
    right, edges = 0.0, 0
    for u in range(n):
        for v in range(u + 1, n):
            mark = graph[u, v, 0]
            if mark:
                edges += 1
                pair = {"-->": (f"x{u}", f"x{v}"), "<--": (f"x{v}", f"x{u}")}.get(mark)
                either = (f"x{u}", f"x{v}") in inside or (f"x{v}", f"x{u}") in inside
                right += (pair in inside) if pair else 0.5 * either
    return f1(len(mine & lagged), len(mine), len(lagged)), f1(right, edges, len(inside)), took


def log_loss(found: PanelNetwork, rows: np.ndarray[Any, np.dtype[np.int64]], copies: int = 60) -> list[float]:
    """Bits per variable one and two slices ahead."""
    subjects, _, n = rows.shape
    network = found.transition_tables
    assert isinstance(network, Network)
    label = {name: [int(state) for state in network.states[network.names.index(now(name))]] for name in found.variables}
    known = {
        name: np.repeat(np.searchsorted(label[name], rows[:, :1, int(name[1:])]), copies, axis=0)
        for name in found.variables
    }
    shares = spread_futures(found, known, 2)
    bits = []
    for step in range(2):
        total = 0.0
        for name in found.variables:
            mean = shares[name][step].reshape(subjects, copies, -1).mean(axis=1)
            seen = np.searchsorted(label[name], rows[:, step + 1, int(name[1:])])
            total -= float(np.log2(mean[np.arange(subjects), seen]).mean())
        bits.append(total / n)
    return bits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--subjects", type=int, nargs="+", default=[200, 1000, 3000])
    parser.add_argument("--waves", type=int, nargs="+", default=[5], help="times per subject")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--peer", action="store_true")
    given = parser.parse_args()
    print("variables subjects waves             lagged  within  seconds   log-loss +1, +2: learned, true")
    for variables, subjects, waves in itertools.product(given.variables, given.subjects, given.waves):
        found: dict[str, list[tuple[float, ...]]] = {}
        for seed in range(1, given.seeds + 1):
            truth = random_truth(variables, seed)
            rows = draw_panel(truth, subjects, waves, seed)
            fresh = draw_panel(truth, 1000, 3, seed + 100)
            for label, joined in (("panel", False), ("joined", True)):
                began = time.process_time()
                learned = mahc.learn_panel(columns_of(rows, joined), "id", "t")
                took = time.process_time() - began
                told = log_loss(learned, fresh) + log_loss(replace(learned, transition_tables=truth), fresh)
                found.setdefault(label, []).append((*compare(learned, truth), took, *told))
            if given.peer:
                found.setdefault("pcmci+", []).append(tigramite(rows, truth))
        for label, each in found.items():
            mean = np.mean(each, axis=0)
            losses = "  ".join(f"{value:.4f}" for value in mean[3:])
            size = f"{variables:6} {subjects:9} {waves:5}   {label:10}"
            print(f"{size} {mean[0]:9.3f} {mean[1]:7.3f} {mean[2]:8.2f}   {losses}", flush=True)


if __name__ == "__main__":
    main()
