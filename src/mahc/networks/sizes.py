"""Sizes of networks, as in Table 2 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mahc.errors import FormatError
from mahc.networks.library import load_network, network_names
from mahc.networks.network import Network


@dataclass(frozen=True)
class NetworkSize:
    """One row of Table 2.

    >>> measure_network(load_network("asia"))
    NetworkSize(name='asia', nodes=8, arcs=8, average_degree=2.0, max_in_degree=2, free_parameters=18)
    """

    name: str
    nodes: int
    arcs: int
    average_degree: float
    max_in_degree: int
    free_parameters: int


@dataclass(frozen=True)
class Unreadable:
    """A file in the folder that cannot be read, and why.

    >>> Unreadable("notes", "no network").name
    'notes'
    """

    name: str
    error: str


def measure_network(network: Network, name: str | None = None) -> NetworkSize:
    """The row of one network."""
    return NetworkSize(
        network.name if name is None else name,
        len(network.names),
        len(network.arcs),
        network.average_degree,
        network.max_in_degree,
        network.free_parameters,
    )


def measure_networks(folder: str | Path | None = None) -> tuple[NetworkSize | Unreadable, ...]:
    """One row per network that `load_network` knows, by name; a file that cannot be read has a row too."""
    rows: list[NetworkSize | Unreadable] = []
    for name in network_names(folder):
        try:
            rows.append(measure_network(load_network(name, folder), name))
        except FormatError as mistake:
            rows.append(Unreadable(name, str(mistake)))
    return tuple(rows)
