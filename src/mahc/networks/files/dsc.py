"""DSC, Microsoft's belief network format, as in the bnlearn repository; read only."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.errors import FormatError
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat
from mahc.networks.files.tokens import DSC_MARKS, TokenReader
from mahc.networks.network import Network


@NETWORK_FORMATS.register("dsc")
@dataclass(frozen=True)
class Dsc(NetworkFormat):
    """DSC, Microsoft's belief network format; read only."""

    title = "DSC (Microsoft)"
    suffixes = (".dsc",)
    keeps = "all numbers and names"
    writable = False

    def parse(self, text: str, file: object = None) -> Network:
        """Read a DSC text; rows give the states of the parents by number.

        >>> Dsc().parse('''belief network "lawn"
        ... node rain { type : discrete [ 2 ] = { "yes", "no" }; }
        ... node wet { type : discrete [ 2 ] = { "yes", "no" }; }
        ... probability ( rain ) { 0.2, 0.8; }
        ... probability ( wet | rain ) { (0) : 0.9, 0.1; (1) : 0.05, 0.95; }''')
        Network('lawn', 2 variables, 1 arc, 3 free parameters)
        """
        reader = TokenReader(text, file, DSC_MARKS)
        builder = NetworkBuilder(file)
        while not reader.ended:
            keyword = reader.word()
            if keyword == "belief":
                reader.word()
                builder.name = reader.word()
            elif keyword == "node":
                _node(reader, builder)
            elif keyword == "probability":
                _probability(reader, builder)
            else:
                reader.refuse(f"'{keyword}' is not a DSC block: use belief network, node or probability")
        return builder.build()

    def render(self, network: Network) -> str:
        """Raise FormatError: no current program reads DSC only."""
        raise FormatError("DSC is only read: choose another format")


def _node(reader: TokenReader, builder: NetworkBuilder) -> None:
    name = reader.word()
    line = reader.take("{").line
    states: list[str] = []
    while not reader.sees("}"):
        keyword = reader.word()
        if keyword != "type":
            reader.skip_past(";")
            continue
        reader.take(":")
        kind = reader.word()
        if kind != "discrete":
            reader.refuse(f"variable '{name}' is of type '{kind}': only discrete variables can be read")
        reader.skip_past("{")
        states = reader.items("}")
        reader.take(";")
    reader.take("}")
    builder.add_variable(name, states, line)


def _probability(reader: TokenReader, builder: NetworkBuilder) -> None:
    name, parents = reader.family(reader.items)
    table = builder.blank_table(name, parents, reader.take("{").line)
    row = 0
    while not reader.sees("}"):
        if reader.sees("("):
            line = reader.take("(").line
            row = builder.row_of(parents, _labels(reader, builder, parents), line)
            reader.take(":")
        elif parents:
            reader.refuse(f"the table of '{name}' has a row without the states of its parents")
        table[row] = reader.numbers(table.shape[1], f"the table of '{name}'")
    builder.set_table(name, parents, table, reader.take("}").line)


def _labels(reader: TokenReader, builder: NetworkBuilder, parents: list[str]) -> list[str]:
    codes = reader.items(")")
    labels = []
    for parent, code in zip(parents, codes, strict=False):
        states = builder.states[parent]
        if not code.isascii() or not code.isdigit() or len(code) > 6 or int(code) >= len(states):
            reader.refuse(f"'{code}' is not a state of '{parent}': its states are 0 to {len(states) - 1}")
        labels.append(states[int(code)])
    return labels + codes[len(parents) :]
