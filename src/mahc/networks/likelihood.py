"""How probable a network makes the rows of a data set, for data that it was not fitted to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.data.prepare.matching import StateFinder
from mahc.errors import DataError, UnknownNameError
from mahc.networks.network import Network

Codes = NDArray[np.int64]


def row_bits(network: Network, data: Dataset) -> NDArray[np.float64]:
    """The bits that each row costs: minus the binary logarithm of its probability; lower is better.

    The states are matched as `StateFinder` says. One that the network does not have is refused; a row of probability 0
    costs infinitely many bits. Fit with `ess` above 0 so that no probability is 0. Columns that the network does not
    have are ignored, and so are the weights of the rows.
    A variable costs nothing in rows in which an experiment set it.

    Parameters
    ----------
    network : Network
        The network.
    data : Dataset
        The rows.

    Returns
    -------
    array of float
        One number per row.

    Raises
    ------
    DataError
        If the data lack a variable of the network, or have a state that it does not have.

    Examples
    --------
    >>> from mahc.data import read
    >>> from mahc.graphs import DAG
    >>> from mahc.networks import fit
    >>> seen = read({"rain": ["no", "no", "yes", "yes"]})
    >>> row_bits(fit(DAG(["rain"]), seen), seen).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    codes = [_codes_in(network, node, data) for node in range(len(network.names))]
    given = data.interventions
    alone = None if given is None else [given.speaking(name) for name in network.names]
    return bits_of_codes(network, codes, alone=alone)


def bits_of_codes(
    network: Network,
    codes: Sequence[Codes],
    unseen: Sequence[NDArray[np.float64]] | None = None,
    alone: Sequence[NDArray[np.bool_] | None] | None = None,
) -> NDArray[np.float64]:
    """The bits of rows in the network's codes; below 0 is a state that the network does not have.

    `unseen` has the probability of such a state in each configuration of the parents, and last that in a configuration
    which the network does not have. The states that it has are equally probable in such a configuration. `alone` says
    for each variable in which rows it was left alone, so that it costs something; None for all.
    """
    parts = np.empty((len(codes), len(codes[0])))
    for node, (parents, table) in enumerate(zip(network.parents, network.tables, strict=True)):
        configuration = np.zeros(len(codes[0]), np.int64)
        for parent in parents:  # the last parent fastest
            configuration = configuration * len(network.states[parent]) + np.maximum(codes[parent], 0)
        chosen = table[configuration, np.maximum(codes[node], 0)] / table.sum(axis=1)[configuration]
        if unseen is not None:
            for parent in parents:
                configuration[codes[parent] < 0] = len(table)
            chosen = np.where(configuration == len(table), 1 / table.shape[1], chosen)
            chosen = np.where(codes[node] < 0, unseen[node][configuration], chosen)
        with np.errstate(divide="ignore"):
            parts[node] = -np.log2(chosen)
        own = None if alone is None else alone[node]
        if own is not None:
            parts[node][~own] = 0.0
    parts.sort(axis=0)  # the order of summation must not depend on the order of the variables
    total: NDArray[np.float64] = parts.sum(axis=0) + 0.0
    return total


def bits_per_row(network: Network, data: Dataset) -> float:
    """The mean of `row_bits`; lower is better. A row of weight w counts w times.

    Parameters
    ----------
    network : Network
        The network.
    data : Dataset
        The rows.

    Returns
    -------
    float
        Bits per row.

    Raises
    ------
    DataError
        If the data lack a variable of the network, or have a state that it does not have.

    Examples
    --------
    >>> from mahc.networks import load_network, sample
    >>> asia = load_network("asia")
    >>> round(bits_per_row(asia, sample(asia, 2000, seed=1)), 2)
    3.18
    """
    return mean_bits(row_bits(network, data), data.weights)


def mean_bits(bits: NDArray[np.float64], weights: NDArray[np.int64] | None) -> float:
    """The mean of the bits of rows, a row of weight w counting w times."""
    if weights is None:
        return math.fsum(bits.tolist()) / len(bits)
    counted = weights > 0
    return math.fsum((bits[counted] * weights[counted]).tolist()) / int(weights.sum())


def _codes_in(network: Network, node: int, data: Dataset) -> NDArray[np.int64]:
    """A column of the data in the network's codes."""
    name = network.names[node]
    if name not in data.names:
        raise DataError(f"the data lack a variable of the network: {UnknownNameError('column', name, data.names)}")
    place = data.index(name)
    labels, codes, finder = data.labels[place], data.codes[place], StateFinder(network.values[node])
    translated = np.array([finder.find(state) for state in data.states[place]], np.int64)[codes]
    if len(translated) and int(translated.min()) < 0:
        label = labels[int(codes[int(translated.argmin())])]
        raise DataError(
            f"variable '{name}' has the value '{label}', which the network does not have: declare all states when the "
            "data are read, or remove those rows"
        )
    return translated
