"""Bayesian networks in files, one format per module.

A new format is a file here with a registered subclass of NetworkFormat, and its name in the first import.
"""

from __future__ import annotations

from mahc.networks.files import bif, dsc, dsl, net, network_json, uai, xdsl, xmlbif  # noqa: F401
from mahc.networks.files.network_files import (
    check_writable,
    format_network,
    is_network_file,
    network_suffix,
    network_suffixes,
    read_network,
    write_network,
)
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkFormat

__all__ = [
    "NETWORK_FORMATS",
    "NetworkFormat",
    "check_writable",
    "format_network",
    "is_network_file",
    "network_suffix",
    "network_suffixes",
    "read_network",
    "write_network",
]
