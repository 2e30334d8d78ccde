"""Tables drawn from their posterior distribution, for credible intervals of answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from mahc.inference.factors import Values
from mahc.networks.network import Network
from mahc.networks.random_streams import stream

CELLS = 2**24  # numbers drawn at once
FLOOR = 1e-60


def draw_tables(
    network: Network, alphas: Sequence[Values], nodes: Collection[int], draws: int, seed: int, most: int
) -> Iterator[list[Values]]:
    """Batches of at most `most` sets of tables; those of variables that are not in `nodes` are not drawn.

    Each row of a table is drawn from the Dirichlet distribution with the row of `alphas` as parameters. Variable
    `name` draws from streams of its own with its parents by name, so neither the order of columns nor the size of
    batches matters. No probability is below 1e-60, so that evidence stays possible.
    """
    streams = {node: tuple(stream(seed, use, network.names[node]) for use in ("tables", "powers")) for node in nodes}
    cells = sum(network.tables[node].size for node in nodes)
    most = max(1, min(most, CELLS // max(1, cells)))
    for start in range(0, draws, most):
        size = min(most, draws - start)
        yield [
            _draw(network, node, alphas[node], size, streams[node]) if node in streams else table[None]
            for node, table in enumerate(network.tables)
        ]


def _draw(network: Network, node: int, alpha: Values, size: int, streams: tuple[np.random.Generator, ...]) -> Values:
    parents = network.parents[node]
    by_name = sorted(range(len(parents)), key=lambda place: network.names[parents[place]])
    shape = [len(network.states[parent]) for parent in parents]
    ordered = alpha.reshape(*shape, -1).transpose(*by_name, len(parents))
    # The logarithm of a gamma variate with a small parameter a: that of one with a + 1, plus log(u) / a.
    logs = np.log(streams[0].standard_gamma(ordered + 1, (size, *ordered.shape)))
    logs += np.log(1 - streams[1].random(logs.shape)) / ordered
    logs -= logs.max(axis=-1, keepdims=True)
    tables = np.exp(logs)
    tables = np.maximum(tables / tables.sum(axis=-1, keepdims=True), FLOOR)
    back = np.argsort([*by_name, len(parents)])
    drawn: Values = tables.transpose(0, *(1 + back)).reshape(size, *alpha.shape)
    return drawn
