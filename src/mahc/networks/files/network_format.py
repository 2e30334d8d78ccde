"""The base class of the network formats, and their registry."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mahc.networks.network import Network
from mahc.registry import Registry


@dataclass(frozen=True)
class NetworkFormat(ABC):
    """A text format for networks. To add one, register a subclass in its own file.

    >>> NETWORK_FORMATS["xmlbif"].suffixes
    ('.xmlbif', '.bifxml', '.xml')
    """

    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[str]  # what survives a round trip, for the table in docs/reference/formats.md
    writable: ClassVar[bool] = True
    names: ClassVar[re.Pattern[str] | None] = None  # the names that it can hold; None: all
    state_names: ClassVar[re.Pattern[str] | None] = None  # the same for states; None: as for variables

    @abstractmethod
    def parse(self, text: str, file: object = None) -> Network:
        """Read the network in a text; `file` is named in errors."""

    @abstractmethod
    def render(self, network: Network) -> str:
        """Write the network as text; raise FormatError if the format cannot hold a name."""


NETWORK_FORMATS: Registry[type[NetworkFormat]] = Registry("network format", package="mahc.networks.files")
