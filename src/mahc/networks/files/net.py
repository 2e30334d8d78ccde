"""NET, the format of Hugin."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat, require_names
from mahc.networks.files.tokens import NET_MARKS, TokenReader
from mahc.networks.network import Network
from mahc.plurals import noun

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTABLE = re.compile(r'[^"\\\x00-\x1f]+')


@NETWORK_FORMATS.register("net")
@dataclass(frozen=True)
class Net(NetworkFormat):
    """NET, the format of Hugin."""

    title = "NET (Hugin)"
    suffixes = (".net",)
    names = _IDENTIFIER
    state_names = _QUOTABLE
    keeps = "all numbers; variables that are identifiers, any states"

    def parse(self, text: str, file: object = None) -> Network:
        """Read a NET text.

        >>> Net().parse('''net { }
        ... node rain { states = ("yes" "no"); }
        ... node wet { states = ("yes" "no"); }
        ... potential ( rain ) { data = (0.2 0.8); }
        ... potential ( wet | rain ) { data = ((0.9 0.1) (0.05 0.95)); }''')
        Network('', 2 variables, 1 arc, 3 free parameters)
        """
        reader = TokenReader(text, file, NET_MARKS, comment="%")
        builder = NetworkBuilder(file)
        while not reader.ended:
            keyword = reader.word()
            if keyword == "net":
                reader.take("{")
                reader.skip_past("}")
            elif keyword == "node":
                _node(reader, builder)
            elif keyword == "potential":
                _potential(reader, builder)
            elif keyword == "discrete":
                continue  # "discrete node" is the long form
            else:
                reader.refuse(f"'{keyword}' cannot be read: only net, node and potential blocks can")
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as NET; states are quoted, so only variables must be identifiers.

        >>> rain = Network("lawn", ("rain",), (("> 1 mm", "dry"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> print(Net().render(rain).splitlines()[5].strip())
        states = ("> 1 mm" "dry");
        """
        require_names(network, "NET", _IDENTIFIER, "letters, digits and _, no digit first", states=_QUOTABLE)
        lines = ["net", "{", "}"]
        for name, states in zip(network.names, network.states, strict=True):
            quoted = " ".join(f'"{state}"' for state in states)
            lines += [f"node {name}", "{", f"  states = ({quoted});", "}"]
        for node, name in enumerate(network.names):
            parents = [network.names[parent] for parent in network.parents[node]]
            given = f" | {' '.join(parents)}" if parents else ""
            table = network.tables[node]
            shape = [len(network.states[parent]) for parent in network.parents[node]] + [table.shape[1]]
            lines += [
                f"potential ( {name}{given} )",
                "{",
                f"  data = {_nest(table.reshape(shape).tolist())};",
                "}",
            ]
        return "\n".join(lines) + "\n"


def _node(reader: TokenReader, builder: NetworkBuilder) -> None:
    name = reader.word()
    line = reader.take("{").line
    states: list[str] = []
    while not reader.sees("}"):
        keyword = reader.word()
        reader.take("=")
        if keyword == "states":
            reader.take("(")
            states = reader.words(")")
            reader.take(";")
        else:
            reader.skip_past(";")
    reader.take("}")
    builder.add_variable(name, states, line)


def _potential(reader: TokenReader, builder: NetworkBuilder) -> None:
    name, parents = reader.family(reader.words)
    table = builder.blank_table(name, parents, reader.take("{").line)
    while not reader.sees("}"):
        keyword = reader.word()
        reader.take("=")
        if keyword == "data":
            table = np.reshape(_data(reader, table.size, name), table.shape)
        else:
            reader.refuse(f"the potential of '{name}' has '{keyword}': only data can be read")
    builder.set_table(name, parents, table, reader.take("}").line)


def _data(reader: TokenReader, count: int, name: str) -> list[float]:
    """Read the numbers and ignore the brackets: their nesting follows from the parents."""
    found: list[float] = []
    while not reader.sees(";"):
        if reader.sees("(") or reader.sees(")"):
            reader.next()
        else:
            found.append(reader.number())
    reader.take(";")
    if len(found) != count:
        reader.refuse(f"the table of '{name}' has {len(found)} {noun(len(found), 'probability')}, not {count}")
    return found


def _nest(numbers: object) -> str:
    if isinstance(numbers, list):
        return f"({' '.join(map(_nest, numbers))})"
    return repr(numbers)
