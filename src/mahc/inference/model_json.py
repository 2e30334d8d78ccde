"""Models as JSON files: the network, the posterior of its tables, and what limits the effects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mahc.errors import FormatError, MahcError
from mahc.files import read_bounded, to_path, write_atomically
from mahc.graphs import MixedGraph
from mahc.networks.files.gzip_text import MAX_BYTES, decode_text
from mahc.networks.files.network_json import NetworkJson

if TYPE_CHECKING:
    from mahc.inference.factors import Values
    from mahc.inference.model import Model
    from mahc.networks import Network

FORMAT, FORMAT_VERSION = "mahc-model", 1
BEGINNING = f'{{"format": "{FORMAT}"'


def save_model(model: Model, path: str | Path) -> None:
    """Write a model to a JSON file, all of it or nothing."""
    target = to_path(path)
    if target.suffix != ".json":
        raise FormatError(
            "a model is saved as JSON: give a name that ends in .json, or use "
            "mahc.networks.files.write_network(model.network, path) for the tables alone in another format",
            target,
        )
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "posterior": None if model.alphas is None else [alpha.tolist() for alpha in model.alphas],
        "pattern": None if model.pattern is None else {"names": model.pattern.names, "edges": model.pattern.edges},
        "not_causal": model.not_causal,
        "network": json.loads(NetworkJson().render(model.network)),
    }
    write_atomically(target, json.dumps(document, ensure_ascii=False) + "\n")


def load_model(path: str | Path) -> Model | None:
    """The model in a JSON file; None where the file is something else, such as a network."""
    from mahc.inference.model import Model

    try:
        text = decode_text(read_bounded(path, MAX_BYTES), path)
    except OSError as mistake:
        raise FormatError(f"the file cannot be read: {mistake.strerror or mistake}", path) from None
    if f'"{FORMAT}"' not in text:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        if not text.startswith(BEGINNING):
            return None
        raise FormatError("this model is cut off or damaged, it is not JSON: save it again", path) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    version = document.get("format_version")
    if version != FORMAT_VERSION:
        raise FormatError(
            f"its format_version is {version!r}, this mahc reads {FORMAT_VERSION}: read it with the mahc that wrote it",
            path,
        )
    network = NetworkJson().parse(json.dumps(document.get("network")), path)
    reason = document.get("not_causal")
    if not isinstance(reason, str | None):
        raise FormatError('"not_causal" is not a text: save the model again', path)
    return Model(
        network, _take_posterior(document, network, path), _take_pattern(document, network, path), not_causal=reason
    )


def _take_posterior(document: dict[str, Any], network: Network, path: str | Path) -> tuple[Values, ...] | None:
    given = document.get("posterior")
    if given is None:
        return None
    try:
        alphas = tuple(np.array(each, dtype=float) for each in given)
    except (TypeError, ValueError, OverflowError):
        raise FormatError('"posterior" is not a list of tables of numbers: save the model again', path) from None
    if [alpha.shape for alpha in alphas] != [table.shape for table in network.tables]:
        raise FormatError(
            'the tables of "posterior" do not have the sizes of those of the network: save the model again', path
        )
    if not all(np.isfinite(alpha).all() and (alpha > 0).all() for alpha in alphas):
        raise FormatError('"posterior" has a number that is not above 0: save the model again', path)
    return alphas


def _take_pattern(document: dict[str, Any], network: Network, path: str | Path) -> MixedGraph | None:
    given = document.get("pattern")
    if given is None:
        return None
    try:
        pattern = MixedGraph(given["names"], [tuple(edge) for edge in given["edges"]])
    except (TypeError, KeyError, ValueError, MahcError) as mistake:
        raise FormatError(f'"pattern" is not a graph: {mistake}', path) from None
    if sorted(pattern.names) != sorted(network.names):
        raise FormatError('"pattern" has other variables than the network: save the model again', path)
    return pattern
