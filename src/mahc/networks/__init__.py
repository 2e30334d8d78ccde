"""Networks with tables: the shipped ones, sampling, noise, fitting."""

from __future__ import annotations

from mahc.networks.library import load_network, network_names, sample_path
from mahc.networks.network import Network

__all__ = ["Network", "load_network", "network_names", "sample_path"]
