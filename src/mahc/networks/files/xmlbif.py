"""XMLBIF 0.3, the format of Weka and others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.sax.saxutils import escape

from mahc.errors import FormatError
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat, require_names
from mahc.networks.files.xml_text import fill_table, parse_root, text_of
from mahc.networks.network import Network

# XML cannot hold most control characters, and readers remove spaces at both ends.
_TEXT = re.compile(r"(?!\s)[^\x00-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]+(?<!\s)")


@NETWORK_FORMATS.register("xmlbif")
@dataclass(frozen=True)
class XmlBif(NetworkFormat):
    """XMLBIF 0.3, the format of Weka and others."""

    title = "XMLBIF 0.3 (Weka)"
    suffixes = (".xmlbif", ".bifxml", ".xml")
    names = _TEXT
    keeps = "all numbers; names without control characters"

    def parse(self, text: str, file: object = None) -> Network:
        """Read an XMLBIF text.

        >>> XmlBif().parse('''<BIF VERSION="0.3"><NETWORK><NAME>lawn</NAME>
        ... <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
        ... <DEFINITION><FOR>rain</FOR><TABLE>0.2 0.8</TABLE></DEFINITION></NETWORK></BIF>''')
        Network('lawn', 1 variable, 0 arcs, 1 free parameter)
        """
        network = parse_root(text, "BIF", file).find("NETWORK")
        if network is None:
            raise FormatError("the file has no <NETWORK>", file)
        builder = NetworkBuilder(file)
        builder.name = (network.findtext("NAME") or "").strip()
        for variable in network.findall("VARIABLE"):
            name = text_of(variable, "NAME", "a <VARIABLE>", file)
            kind = variable.get("TYPE", "nature")
            if kind != "nature":
                raise FormatError(f"the variable '{name}' is of type '{kind}': only 'nature' can be read", file)
            builder.add_variable(name, [(outcome.text or "").strip() for outcome in variable.findall("OUTCOME")])
        for definition in network.findall("DEFINITION"):
            name = text_of(definition, "FOR", "a <DEFINITION>", file)
            parents = [(given.text or "").strip() for given in definition.findall("GIVEN")]
            fill_table(builder, name, parents, text_of(definition, "TABLE", f"the definition of '{name}'", file))
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as XMLBIF.

        >>> import numpy as np
        >>> rain = Network("lawn", ("rain",), ((">1 mm", "dry"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> print(XmlBif().render(rain).splitlines()[6].strip())
        <OUTCOME>&gt;1 mm</OUTCOME>
        """
        require_names(network, "XMLBIF", _TEXT, "text without control characters or spaces around it")
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
        lines.append(f"<NAME>{escape(network.name) if _TEXT.fullmatch(network.name) else 'network'}</NAME>")
        for name, states in zip(network.names, network.states, strict=True):
            lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{escape(name)}</NAME>"]
            lines += [f"  <OUTCOME>{escape(state)}</OUTCOME>" for state in states]
            lines.append("</VARIABLE>")
        for node, name in enumerate(network.names):
            lines += ["<DEFINITION>", f"  <FOR>{escape(name)}</FOR>"]
            lines += [f"  <GIVEN>{escape(network.names[parent])}</GIVEN>" for parent in network.parents[node]]
            rows = "\n".join(" ".join(map(repr, row)) for row in network.tables[node].tolist())
            lines += [f"  <TABLE>{rows}</TABLE>", "</DEFINITION>"]
        return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"
