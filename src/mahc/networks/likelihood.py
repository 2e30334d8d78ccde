"""How probable a network makes the rows of a data set, for data that it was not fitted to."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mahc.data.dataset import Dataset
from mahc.errors import DataError, UnknownNameError
from mahc.networks.network import Network
from mahc.networks.state_labels import match_labels


def row_bits(network: Network, data: Dataset) -> NDArray[np.float64]:
    """The bits that each row costs: minus the binary logarithm of its probability; lower is better.

    The states are matched by their labels. A label that the network does not have is refused; a row of probability 0
    costs infinitely many bits. Fit with `ess` above 0 so that no probability is 0. Columns that the network does not
    have are ignored, and so are the weights of the rows.

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
    parts = np.empty((len(codes), data.rows))
    for node, (parents, table) in enumerate(zip(network.parents, network.tables, strict=True)):
        configuration = np.zeros(data.rows, np.int64)
        for parent in parents:  # the last parent fastest
            configuration = configuration * len(network.states[parent]) + codes[parent]
        chosen = table[configuration, codes[node]] / table.sum(axis=1)[configuration]
        with np.errstate(divide="ignore"):
            parts[node] = -np.log2(chosen)
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
    bits = row_bits(network, data)
    if data.weights is not None:
        counted = data.weights > 0
        bits = bits[counted] * data.weights[counted]
    return math.fsum(bits.tolist()) / data.size


def _codes_in(network: Network, node: int, data: Dataset) -> NDArray[np.int64]:
    """A column of the data in the network's codes."""
    name, states = network.names[node], network.states[node]
    if name not in data.names:
        raise DataError(f"the data lack a variable of the network: {UnknownNameError('column', name, data.names)}")
    place = data.index(name)
    labels, codes = data.labels[place], data.codes[place]
    translated = np.array(match_labels(labels, states), np.int64)[codes]
    if len(translated) and int(translated.min()) < 0:
        label = labels[int(codes[int(translated.argmin())])]
        raise DataError(
            f"variable '{name}' has the value '{label}', which the network does not have: declare all states when the "
            "data are read, or remove those rows"
        )
    return translated
