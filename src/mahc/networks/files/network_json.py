"""mahc's own network format: JSON.

`{"name", "source", "variables": [{"name", "states", "parents", "cpt"}]}`; the rows of `cpt` run over the
parents' states in the order of `parents`, the LAST parent fastest; a row holds the child's probabilities. Where the
states are numbers or Booleans, "values" lists them in their type.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from mahc.data.columns import State
from mahc.documents import parse_json
from mahc.errors import FormatError, MahcError, UnknownNameError
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkFormat
from mahc.networks.network import Network, Table


@NETWORK_FORMATS.register("json")
@dataclass(frozen=True)
class NetworkJson(NetworkFormat):
    """mahc's own format: JSON, one line per variable."""

    title = "JSON (mahc)"
    suffixes = (".json",)
    keeps = "everything: numbers, any name, origin"

    def parse(self, text: str, file: object = None) -> Network:
        """Read a JSON text.

        >>> coin = '{"name": "coin", "states": ["heads", "tails"], "parents": [], "cpt": [[0.5, 0.5]]}'
        >>> NetworkJson().parse('{"variables": [' + coin + ']}')
        Network('', 1 variable, 0 arcs, 1 free parameter)
        """
        document = parse_json(text, file)
        try:
            return _build(document)
        except MahcError as mistake:
            raise FormatError(str(mistake), file) from None

    def render(self, network: Network) -> str:
        """Write the network as JSON, one line per variable, numbers with the shortest exact digits.

        >>> coin = Network("game", ("coin",), (("heads", "tails"),), ((),), (np.array([[0.5, 0.5]]),))
        >>> print(NetworkJson().render(coin), end="")
        {"name": "game", "source": "", "variables": [
        {"name": "coin", "states": ["heads", "tails"], "parents": [], "cpt": [[0.5, 0.5]]}
        ]}
        """
        lines = [
            json.dumps(
                {
                    "name": name,
                    "states": states,
                    **({} if values == states else {"values": values}),
                    "parents": [network.names[p] for p in parents],
                    "cpt": table.tolist(),
                },
                ensure_ascii=False,
            )
            for name, states, values, parents, table in zip(
                network.names, network.states, network.values, network.parents, network.tables, strict=True
            )
        ]
        head = json.dumps({"name": network.name, "source": network.origin}, ensure_ascii=False)[:-1]
        return f'{head}, "variables": [\n' + ",\n".join(lines) + "\n]}\n"


def _build(document: object) -> Network:
    if not isinstance(document, dict) or not isinstance(document.get("variables"), list):
        raise FormatError('a network is an object with a list under "variables"')
    variables = document["variables"]
    names = tuple(_text(_field(entry, "name", place), "a variable's name") for place, entry in enumerate(variables))
    positions = {name: place for place, name in enumerate(names)}
    states, values, parents, tables = [], [], [], []
    for name, entry in zip(names, variables, strict=True):
        states.append(_texts(_field(entry, "states", name), f"the states of '{name}'"))
        values.append(_values(entry["values"], f"the values of '{name}'") if "values" in entry else states[-1])
        wanted = _texts(_field(entry, "parents", name), f"the parents of '{name}'")
        unknown = [parent for parent in wanted if parent not in positions]
        if unknown:
            raise UnknownNameError(f"parent of '{name}'", unknown[0], names)
        parents.append(tuple(positions[parent] for parent in wanted))
        tables.append(_numbers(_field(entry, "cpt", name), name))
    title = _text(document.get("name", ""), "the name of the network")
    origin = _text(document.get("source", ""), "the source of the network")
    return Network(title, names, tuple(states), tuple(parents), tuple(tables), origin, tuple(values))


def _field(entry: object, key: str, which: object) -> object:
    if not isinstance(entry, dict):
        raise FormatError(f"variable {which!r} is not an object")
    if key not in entry:
        raise FormatError(f'variable {which!r} has no "{key}"')
    return entry[key]


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise FormatError(f"{what} is {_shown(value)}: it must be a string")
    if any("\ud800" <= letter <= "\udfff" for letter in value):  # JSON can escape half of a surrogate pair
        raise FormatError(f"{what} is {value[:40]!r}, which is not valid Unicode")
    return value


def _texts(value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise FormatError(f"{what} are {_shown(value)}: they must be a list of strings")
    return tuple(_text(entry, f"one of {what}") for entry in value)


def _values(value: object, what: str) -> tuple[State, ...]:
    """Texts, numbers and Booleans: states keep the type of the column that they come from."""
    if not isinstance(value, list):
        raise FormatError(f"{what} are {_shown(value)}: they must be a list")
    return tuple(each if isinstance(each, int | float) else _text(each, f"one of {what}") for each in value)


def _numbers(value: object, name: str) -> Table:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise FormatError(f"the cpt of '{name}' must be a list of rows")
    widths = {len(row) for row in value}
    if len(widths) > 1:
        raise FormatError(f"the cpt of '{name}' has rows of different lengths: {sorted(widths)}")
    for place, row in enumerate(value, start=1):
        for number in row:
            if type(number) not in (int, float):  # bool is an int to isinstance
                raise FormatError(f"the cpt of '{name}' holds {_shown(number)} in row {place}, not a number")
    try:
        return np.array(value, dtype=np.float64).reshape(len(value), -1 if value and value[0] else 0)
    except OverflowError:
        raise FormatError(f"the cpt of '{name}' holds a number too large to be a probability") from None


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
