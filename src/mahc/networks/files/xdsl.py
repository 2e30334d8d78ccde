"""XDSL, the format of GeNIe and SMILE.

The last parent varies fastest over the rows, as in GeNIe. pyAgrum 3.3 takes the first parent as the fastest, and so
swaps the rows of a table with two parents.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from mahc.errors import FormatError
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat, require_names
from mahc.networks.files.xml_text import fill_table, parse_root, text_of
from mahc.networks.network import Network
from mahc.plurals import count

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@NETWORK_FORMATS.register("xdsl")
@dataclass(frozen=True)
class Xdsl(NetworkFormat):
    """XDSL, the format of GeNIe and SMILE."""

    title = "XDSL (GeNIe, SMILE)"
    suffixes = (".xdsl",)
    names = _IDENTIFIER
    keeps = "all numbers of cpt and deterministic nodes; names that are identifiers"

    def parse(self, text: str, file: object = None) -> Network:
        """Read an XDSL text; the name of a variable is its id.

        >>> Xdsl().parse('''<smile id="lawn"><nodes><cpt id="rain"><state id="yes"/><state id="no"/>
        ... <probabilities>0.2 0.8</probabilities></cpt></nodes></smile>''')
        Network('lawn', 1 variable, 0 arcs, 1 free parameter)
        """
        root = parse_root(text, "smile", file)
        nodes = root.find("nodes")
        if nodes is None:
            raise FormatError("the network has no <nodes>", file)
        builder = NetworkBuilder(file)
        builder.name = root.get("id", "")
        for node in nodes:
            builder.add_variable(_id(node, f"a <{node.tag}>", file), _states(node, file))
        for node in nodes:
            _fill(builder, node)
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as XDSL; names must be identifiers, as GeNIe requires.

        >>> import numpy as np
        >>> rain = Network("lawn", ("rain",), (("yes", "no"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> print(Xdsl().render(rain).splitlines()[3].strip())
        <cpt id="rain">
        """
        require_names(network, "XDSL", _IDENTIFIER, "letters, digits and _ after a letter")
        title = network.name if _IDENTIFIER.fullmatch(network.name) else "network"
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<smile version="1.0" id={quoteattr(title)}>']
        lines.append("\t<nodes>")
        for node in network.order:  # GeNIe requires parents before children
            lines.append(f"\t\t<cpt id={quoteattr(network.names[node])}>")
            lines += [f"\t\t\t<state id={quoteattr(state)} />" for state in network.states[node]]
            if network.parents[node]:
                parents = " ".join(network.names[parent] for parent in network.parents[node])
                lines.append(f"\t\t\t<parents>{escape(parents)}</parents>")
            numbers = " ".join(map(repr, network.tables[node].ravel().tolist()))
            lines += [f"\t\t\t<probabilities>{numbers}</probabilities>", "\t\t</cpt>"]
        lines += ["\t</nodes>", "\t<extensions>", f'\t\t<genie version="1.0" app="mahc" name={quoteattr(title)}>']
        for node in network.order:
            name = network.names[node]
            lines.append(f"\t\t\t<node id={quoteattr(name)}><name>{escape(name)}</name></node>")
        return "\n".join([*lines, "\t\t</genie>", "\t</extensions>", "</smile>"]) + "\n"


def _id(element: ET.Element, what: str, file: object) -> str:
    name = element.get("id")
    if not name:
        raise FormatError(f"{what} has no id", file)
    return name


def _states(node: ET.Element, file: object) -> list[str]:
    return [_id(state, f"a state of '{node.get('id')}'", file) for state in node.findall("state")]


def _fill(builder: NetworkBuilder, node: ET.Element) -> None:
    name = node.get("id", "")
    parents = (node.findtext("parents") or "").split()
    if node.tag == "cpt":
        numbers = text_of(node, "probabilities", f"'{name}'", builder.file)
        fill_table(builder, name, parents, numbers)
    elif node.tag == "deterministic":
        table = builder.blank_table(name, parents)
        states = (node.findtext("resultingstates") or "").split()
        if len(states) != len(table):
            raise FormatError(
                f"'{name}' has {count(len(states), 'resulting state')}, not {len(table)}",
                builder.file,
            )
        table[:] = 0
        for row, state in enumerate(states):
            table[row, builder.row_of([name], [state])] = 1
        builder.set_table(name, parents, table)
    else:
        raise FormatError(
            f"'{name}' is a <{node.tag}>: only <cpt> and <deterministic> can be read, so change its type "
            "to General in GeNIe",
            builder.file,
        )
