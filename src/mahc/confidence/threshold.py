"""The share of graphs from which on an edge is taken for real, found from the shares themselves."""

from __future__ import annotations

import numpy as np

from mahc.graphs.edge_counts import EdgeCounts


def find_threshold(counts: EdgeCounts) -> float:
    """The threshold of Scutari and Nagarajan (2013): edges with a larger share are significant.

    In the ideal case every share is 0 or 1. Of all such cases the one is taken whose distribution of shares is
    nearest (least absolute difference) to the one found, over all pairs of variables. Their t is a weighted median,
    computed exactly here; the threshold is the quantile of the shares at t.

    >>> from mahc.graphs import DAG
    >>> from mahc.graphs.edge_counts import count_edges
    >>> always = DAG(["a", "b", "c"], [("a", "b")])
    >>> find_threshold(count_edges([always] * 9 + [DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])]))
    0.1
    """
    n = len(counts.names)
    pairs = n * (n - 1) // 2
    if pairs == 0:
        return 0.0
    shares = np.zeros(pairs)
    shares[: len(counts.counts)] = [sum(found.values()) / counts.graphs for found in counts.counts.values()]
    knots, times = np.unique(np.append(shares, 0.0), return_counts=True)
    times[0] -= 1  # the zero that was added, so that 0 is a knot
    below = np.cumsum(times) / pairs  # the distribution function at the knots, constant up to the next one
    lengths = np.diff(np.append(knots, 1.0))
    order = np.argsort(below, kind="stable")
    total = np.cumsum(lengths[order])
    middle = order[int(np.searchsorted(total, total[-1] / 2))]
    return float(knots[middle])
