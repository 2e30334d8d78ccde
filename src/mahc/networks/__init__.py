"""Bayesian networks with probability tables: shipped networks, sampling, noise, fitting."""

from __future__ import annotations

from mahc.networks.fitting import fit
from mahc.networks.library import find_network, load_network, network_names, sample_path
from mahc.networks.likelihood import bits_per_row, row_bits
from mahc.networks.network import Network
from mahc.networks.sampling import sample
from mahc.networks.simulation import Simulation, simulate

__all__ = [
    "Network",
    "Simulation",
    "bits_per_row",
    "find_network",
    "fit",
    "load_network",
    "network_names",
    "row_bits",
    "sample",
    "sample_path",
    "simulate",
]
