"""Slow, obvious inference: every joint configuration is listed. And random small networks to ask."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from mahc.networks import Network

Configuration = tuple[int, ...]


@st.composite
def networks(
    draw: st.DrawFn, most: int = 6, zeros: bool = False, single_states: bool = True, least: int = 1
) -> Network:
    """A random network of a few variables; with `zeros` some probabilities are 0."""
    n = draw(st.integers(least, most))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = [f"v{place}" for place in generator.permutation(n)]
    sizes = [int(generator.integers(1 if single_states and generator.random() < 0.2 else 2, 4)) for _ in range(n)]
    order = generator.permutation(n)
    parents: list[tuple[int, ...]] = [()] * n
    for place, node in enumerate(order):
        chosen = [int(before) for before in order[:place] if generator.random() < 0.5][:3]
        parents[node] = tuple(chosen)
    tables = []
    for node in range(n):
        rows = int(np.prod([sizes[p] for p in parents[node]], dtype=int))
        table = generator.dirichlet(np.ones(sizes[node]), rows)
        if zeros and sizes[node] > 1:
            table[generator.random(table.shape) < 0.25] = 0
            table[table.sum(axis=1) == 0, 0] = 1
            table /= table.sum(axis=1, keepdims=True)
        tables.append(table)
    states = tuple(tuple(f"s{k}" for k in range(size)) for size in sizes)
    return Network("random", tuple(names), states, tuple(parents), tuple(tables))


def configurations(network: Network) -> Iterator[Configuration]:
    """Every combination of states."""
    return itertools.product(*(range(len(states)) for states in network.states))


def probability(network: Network, x: Configuration, do: Mapping[int, int] | None = None) -> float:
    """The probability of a configuration; with `do` by the truncated factorisation."""
    forced = do or {}
    found = 1.0
    for node, parents in enumerate(network.parents):
        if node in forced:
            found *= x[node] == forced[node]
            continue
        row = 0
        for parent in parents:
            row = row * len(network.states[parent]) + x[parent]
        found *= network.tables[node][row, x[node]]
    return float(found)


def joint_by_listing(
    network: Network,
    targets: tuple[int, ...],
    observed: Mapping[int, int],
    soft: Mapping[int, NDArray[np.float64]] | None = None,
    do: Mapping[int, int] | None = None,
) -> NDArray[np.float64]:
    """The joint probability of the targets and what is given, not divided by the probability of what is given."""
    found = np.zeros([len(network.states[v]) for v in targets])
    for x in configurations(network):
        if all(x[v] == state for v, state in observed.items()):
            weight = float(np.prod([values[x[v]] for v, values in (soft or {}).items()]))
            found[tuple(x[v] for v in targets)] += probability(network, x, do) * weight
    return found
