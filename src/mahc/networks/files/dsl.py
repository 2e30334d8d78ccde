"""DSL, the old text format of GeNIe."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat, require_names
from mahc.networks.files.tokens import NET_MARKS, TokenReader
from mahc.networks.network import Network
from mahc.plurals import count

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MAX_DEPTH = 12  # nested blocks; GeNIe writes four

Block = dict[str, "Block | list[str]"]


@NETWORK_FORMATS.register("dsl")
@dataclass(frozen=True)
class Dsl(NetworkFormat):
    """DSL, the old text format of GeNIe."""

    title = "DSL (old GeNIe)"
    suffixes = (".dsl",)
    names = _IDENTIFIER
    keeps = "all numbers of CPT nodes; names that are identifiers"

    def parse(self, text: str, file: object = None) -> Network:
        """Read a DSL text; the name of a variable is its id.

        >>> Dsl().parse('''net lawn { node rain { TYPE = CPT; PARENTS = ();
        ... DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.2, 0.8); }; }; };''')
        Network('lawn', 1 variable, 0 arcs, 1 free parameter)
        """
        reader = TokenReader(text, file, NET_MARKS)
        builder = NetworkBuilder(file)
        if reader.word() != "net":
            reader.refuse("the file does not begin with net")
        builder.name = reader.word()
        reader.take("{")
        nodes: dict[str, Block] = {}
        _block(reader, nodes)
        for name, block in nodes.items():
            builder.add_variable(name, _list(block, "DEFINITION", "NAMESTATES"))
        for name, block in nodes.items():
            kind = _list(block, "TYPE")
            if kind != ["CPT"]:
                reader.refuse(f"'{name}' is of type '{' '.join(kind)}': only CPT can be read")
            _fill(reader, builder, name, block)
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as DSL; names must be identifiers.

        >>> import numpy as np
        >>> rain = Network("lawn", ("rain",), (("yes", "no"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> print(Dsl().render(rain).splitlines()[0])
        net lawn
        """
        require_names(network, "DSL", _IDENTIFIER, "letters, digits and _ after a letter")
        title = network.name if _IDENTIFIER.fullmatch(network.name) else "network"
        lines = [f"net {title}", "{"]
        for node in network.order:  # parents before children
            name = network.names[node]
            parents = ", ".join(network.names[parent] for parent in network.parents[node])
            numbers = ", ".join(map(repr, network.tables[node].ravel().tolist()))
            lines += [
                f"\tnode {name}",
                "\t{",
                "\t\tTYPE = CPT;",
                f'\t\tHEADER = {{ ID = {name}; NAME = "{name}"; }};',
                f"\t\tPARENTS = ({parents});",
                "\t\tDEFINITION =",
                "\t\t{",
                f"\t\t\tNAMESTATES = ({', '.join(network.states[node])});",
                f"\t\t\tPROBABILITIES = ({numbers});",
                "\t\t};",
                "\t};",
            ]
        return "\n".join([*lines, "};"]) + "\n"


def _fill(reader: TokenReader, builder: NetworkBuilder, name: str, block: Block) -> None:
    parents = _list(block, "PARENTS")
    table = builder.blank_table(name, parents)
    words = _list(block, "DEFINITION", "PROBABILITIES")
    if len(words) != table.size:
        reader.refuse(f"the table of '{name}' has {count(len(words), 'probability')}, not {table.size}")
    try:
        table = np.reshape([float(word) for word in words], table.shape)
    except ValueError as mistake:
        reader.refuse(f"the table of '{name}' holds a value that is not a number: {mistake}")
    builder.set_table(name, parents, table)


def _block(reader: TokenReader, nodes: dict[str, Block], depth: int = 0) -> Block:
    """Read the settings up to the closing brace; nodes of the outermost block go to `nodes`."""
    if depth > _MAX_DEPTH:
        reader.refuse(f"blocks are nested more than {_MAX_DEPTH} deep")
    found: Block = {}
    while not reader.sees("}"):
        key = reader.word()
        if key == "node":
            name, _ = reader.word(), reader.take("{")
            inner = _block(reader, {}, depth + 1)
            if depth == 0 and nodes.setdefault(name, inner) is not inner:
                reader.refuse(f"the variable '{name}' is declared twice")
        else:
            reader.take("=")
            found[key] = _value(reader, depth)
        reader.take(";")
    reader.take("}")
    return found


def _value(reader: TokenReader, depth: int) -> Block | list[str]:
    if reader.sees("{"):
        reader.take("{")
        return _block(reader, {}, depth + 1)
    if reader.sees("("):
        reader.take("(")
        return reader.items(")")
    words = []
    while not reader.sees(";"):
        words.append(reader.next().text)
    return words


def _list(block: Block, *keys: str) -> list[str]:
    found: Block | list[str] = block
    for key in keys:
        found = found.get(key, []) if isinstance(found, dict) else []
    return found if isinstance(found, list) else []
