"""UAI, the format of the inference competitions: no names, so variables and states become 0, 1, 2, ..."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mahc.errors import FormatError
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkBuilder, NetworkFormat
from mahc.networks.network import Network
from mahc.plurals import noun


@NETWORK_FORMATS.register("uai")
@dataclass(frozen=True)
class Uai(NetworkFormat):
    """UAI, the format of the inference competitions."""

    title = "UAI (inference competitions)"
    suffixes = (".uai",)
    keeps = "all numbers; no names: variables and states become 0, 1, 2, ..."

    def parse(self, text: str, file: object = None) -> Network:
        """Read a BAYES file: the last variable in the scope of a factor is the child, and varies fastest.

        >>> Uai().parse("BAYES 2  2 2  2  1 0  2 0 1  2  0.2 0.8  4  0.9 0.1 0.05 0.95")
        Network('', 2 variables, 1 arc, 3 free parameters)
        """
        words = iter(re.sub(r"#[^\n]*", "", text).split())
        if next(words, None) != "BAYES":
            raise FormatError("the file does not begin with BAYES: only Bayesian networks can be read", file)
        builder = NetworkBuilder(file)
        sizes = [
            _read_integer(words, "number of states", file)
            for _ in range(_read_integer(words, "number of variables", file))
        ]
        for variable, size in enumerate(sizes):
            builder.add_variable(str(variable), [str(state) for state in range(size)])
        count = _read_integer(words, "number of factors", file)
        scopes = [_scope(words, len(sizes), file) for _ in range(count)]
        for scope in scopes:
            child, parents = str(scope[-1]), [str(parent) for parent in scope[:-1]]
            table = builder.blank_table(child, parents)
            if _read_integer(words, f"size of the factor of variable {child}", file, 2**40) != table.size:
                raise FormatError(
                    f"the factor of variable {child} must have {table.size} {noun(table.size, 'number')}", file
                )
            numbers = [_number(words, child, file) for _ in range(table.size)]
            builder.set_table(child, parents, np.reshape(numbers, table.shape))
        return builder.build()

    def render(self, network: Network) -> str:
        """Write the network as UAI; variables and states are numbered in their order.

        >>> rain = Network("lawn", ("rain",), (("yes", "no"),), ((),), (np.array([[0.2, 0.8]]),))
        >>> Uai().render(rain).split()
        ['BAYES', '1', '2', '1', '1', '0', '2', '0.2', '0.8']
        """
        count = str(len(network.names))
        lines = ["BAYES", count, " ".join(str(len(states)) for states in network.states), count]
        for node, parents in enumerate(network.parents):
            lines.append(" ".join(map(str, (len(parents) + 1, *parents, node))))
        for table in network.tables:
            lines += ["", str(table.size), *(" ".join(map(repr, row)) for row in table.tolist())]
        return "\n".join(lines) + "\n"


def _read_integer(words: Iterator[str], what: str, file: object, most: int = 65_535) -> int:
    word = next(words, None)
    if word is None or not word.isascii() or not word.isdigit() or len(word) > 12 or int(word) > most:
        shown = "the end of the file" if word is None else f"'{word[:20]}'"
        raise FormatError(f"the {what} is {shown}: an integer up to {most} is needed", file)
    return int(word)


def _scope(words: Iterator[str], variables: int, file: object) -> list[int]:
    size = _read_integer(words, "size of a scope", file)
    if size < 1:
        raise FormatError("a factor has no variable", file)
    return [_read_integer(words, "variable of a scope", file, variables - 1) for _ in range(size)]


def _number(words: Iterator[str], child: str, file: object) -> float:
    word = next(words, None)
    try:
        return float(word or "")
    except ValueError:
        shown = "the file ends" if word is None else f"'{word[:20]}' was found"
        raise FormatError(f"{shown} where a probability of variable {child} is needed", file) from None
