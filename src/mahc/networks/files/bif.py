"""BIF, the interchange format of the bnlearn repository."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mahc.networks.files.network_format import (
    NETWORK_FORMATS,
    NetworkBuilder,
    NetworkFormat,
    configurations,
    require_names,
)
from mahc.networks.files.tokens import TokenReader
from mahc.networks.network import Network

_WORD = re.compile(r'(?!//|/\*)[^\s"{}()\[\];,|]+')


@NETWORK_FORMATS.register("bif")
@dataclass(frozen=True)
class Bif(NetworkFormat):
    """BIF, the format of the bnlearn repository."""

    title = "BIF (bnlearn repository)"
    suffixes = (".bif",)
    names = _WORD
    keeps = "all numbers; names without spaces, quotes, commas, semicolons, bars or brackets"

    def parse(self, text: str, file: object = None) -> Network:
        """Read a BIF text.

        >>> Bif().parse('''network lawn { }
        ... variable rain { type discrete [ 2 ] { yes, no }; }
        ... variable wet { type discrete [ 2 ] { yes, no }; }
        ... probability ( rain ) { table 0.2, 0.8; }
        ... probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.05, 0.95; }''')
        Network('lawn', 2 variables, 1 arc, 3 free parameters)
        """
        reader = TokenReader(text, file)
        builder = NetworkBuilder(file)
        while not reader.ended:
            keyword = reader.word()
            if keyword == "network":
                builder.name = "" if reader.sees("{") else reader.word()
                reader.take("{")
                reader.skip_past("}")
            elif keyword == "variable":
                _variable(reader, builder)
            elif keyword == "probability":
                _probability(reader, builder)
            elif keyword == "property":
                reader.skip_past(";")
            else:
                reader.refuse(f"'{keyword}' is not a BIF block: use network, variable or probability")
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as BIF; raise FormatError if BIF cannot hold a name.

        >>> rain = Network("lawn", ("rain",), (("yes", "no"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> print(Bif().render(rain), end="")
        network lawn {
        }
        variable rain {
          type discrete [ 2 ] { yes, no };
        }
        probability ( rain ) {
          table 0.2, 0.8;
        }
        """
        require_names(network, "BIF", _WORD, "words without spaces, quotes, commas, semicolons, bars or brackets")
        title = network.name if _WORD.fullmatch(network.name) else "unknown"
        lines = [f"network {title} {{", "}"]
        for name, states in zip(network.names, network.states, strict=True):
            listed = ", ".join(states)
            lines += [f"variable {name} {{", f"  type discrete [ {len(states)} ] {{ {listed} }};", "}"]
        for node, name in enumerate(network.names):
            parents = [network.names[p] for p in network.parents[node]]
            given = f" | {', '.join(parents)}" if parents else ""
            lines.append(f"probability ( {name}{given} ) {{")
            for words, row in zip(configurations(network, node), network.tables[node].tolist(), strict=True):
                head = f"({', '.join(words)})" if words else "table"
                lines.append(f"  {head} {', '.join(map(repr, row))};")
            lines.append("}")
        return "\n".join(lines) + "\n"


def _variable(reader: TokenReader, builder: NetworkBuilder) -> None:
    name = reader.word()
    reader.take("{")
    states: list[str] | None = None
    while not reader.sees("}"):
        keyword = reader.word()
        if keyword == "type":
            states = _states(reader, name)
        else:
            reader.skip_past(";")
    line = reader.take("}").line
    if states is None:
        reader.refuse(f"variable '{name}' has no type")
    builder.add_variable(name, states, line)


def _states(reader: TokenReader, name: str) -> list[str]:
    kind = reader.word()
    if kind != "discrete":
        reader.refuse(f"variable '{name}' is of type '{kind}': only discrete variables can be read")
    reader.take("[")
    count = reader.word()
    reader.take("]")
    reader.take("{")
    states = reader.items("}")
    if count != str(len(states)):
        reader.refuse(f"variable '{name}' declares {count} states but lists {len(states)}")
    reader.take(";")
    return states


def _probability(reader: TokenReader, builder: NetworkBuilder) -> None:
    name, parents = reader.family(reader.items)
    what = f"the table of '{name}'"
    table = builder.blank_table(name, parents, reader.take("{").line)
    while not reader.sees("}"):
        if reader.sees("("):
            line = reader.take("(").line
            row = builder.row_of(parents, reader.items(")"), line)
            table[row] = reader.numbers(table.shape[1], what)
            continue
        keyword = reader.word()
        if keyword == "table":
            # The format's own order: the child's states slowest, the last parent fastest.
            table[:] = np.reshape(reader.numbers(table.size, what), table.shape[::-1]).T
        elif keyword == "default":
            table[np.isnan(table).all(axis=1)] = reader.numbers(table.shape[1], what)
        else:
            reader.skip_past(";")
    builder.set_table(name, parents, table, reader.take("}").line)
