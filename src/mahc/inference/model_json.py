"""Models as JSON files: the network, the posterior of its tables, and what limits the effects."""

from __future__ import annotations

import json
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from mahc.data.reading_record import ReadingRecord
from mahc.documents import Document, Format, Number, format_json, from_plain, to_plain
from mahc.errors import FormatError
from mahc.files import read_bounded, to_path, write_atomically
from mahc.graphs import MixedGraph
from mahc.networks.files.gzip_text import MAX_BYTES, decode_text
from mahc.networks.files.network_json import NetworkJson

if TYPE_CHECKING:
    from mahc.inference.model import Model

MODEL = Format(
    "mahc-model", 1, "a mahc model", "give the JSON file that `mahc fit --out` wrote", "save the model again"
)
MIXED_NAME = "mahc-mixed-model"  # the format of a model with numbers
BEGINNING, BEGINNING_MIXED = (f'{{"format": "{name}"' for name in (MODEL.name, MIXED_NAME))


class SavedPattern(Document, frozen=True):
    """The CPDAG of the model's graph."""

    names: tuple[str, ...]
    edges: tuple[tuple[str, str, str], ...]


class SavedModel(Document, frozen=True):
    """What a model file holds; `network` is that of a network file, `posterior` has the sizes of its tables."""

    network: dict[str, Any]
    posterior: tuple[tuple[tuple[Number, ...], ...], ...] | None = None
    pattern: SavedPattern | None = None
    not_causal: str | None = None
    prior: Number = 0.0
    reading: ReadingRecord | None = None


def save_model(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a JSON file, all of it or nothing."""
    target = to_path(path)
    if target.suffix != ".json":
        raise FormatError(
            "a model is saved as JSON: give a name that ends in .json, or use "
            "mahc.networks.files.write_network(model.network, path) for the tables alone in another format",
            target,
        )
    pattern = model.pattern
    saved = SavedModel(
        posterior=None if model.alphas is None else tuple(alpha.tolist() for alpha in model.alphas),
        pattern=None if pattern is None else SavedPattern(names=pattern.names, edges=pattern.edges),
        not_causal=model.not_causal,
        prior=model.prior,
        reading=model.reading,
        network=json.loads(NetworkJson().render(model.network)),
    )
    write_atomically(target, format_json(MODEL.stamp(to_plain(saved))))


def load_model(path: str | PathLike[str]) -> Any:
    """The model in a JSON file; None where the file is something else, such as a network."""
    try:
        text = decode_text(read_bounded(path, MAX_BYTES), path)
    except OSError as mistake:
        raise FormatError(f"the file cannot be read: {mistake.strerror or mistake}", path) from None
    if f'"{MODEL.name}"' not in text and f'"{MIXED_NAME}"' not in text:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        if not text.startswith((BEGINNING, BEGINNING_MIXED)):
            return None
        raise FormatError("this model is cut off or damaged, it is not JSON: save it again", path) from None
    if isinstance(document, dict) and document.get("format") == MIXED_NAME:
        from mahc.inference.mixed.model import load_mixed_model

        return load_mixed_model(document, path)
    if not isinstance(document, dict) or document.get("format") != MODEL.name:
        return None
    MODEL.check(document, path)
    with MODEL.refusing_damage(path):
        return _build(from_plain(document, SavedModel))


def _build(saved: SavedModel) -> Model:
    from mahc.inference.model import Model

    network = NetworkJson().parse(json.dumps(saved.network))
    alphas = None
    if saved.posterior is not None:
        alphas = tuple(np.array(each, dtype=float) for each in saved.posterior)
        if [alpha.shape for alpha in alphas] != [table.shape for table in network.tables]:
            raise ValueError('the tables of "posterior" do not have the sizes of those of the network')
        if not all((alpha > 0).all() for alpha in alphas):
            raise ValueError('"posterior" has a number that is not above 0')
    pattern = None if saved.pattern is None else MixedGraph(saved.pattern.names, saved.pattern.edges)
    if pattern is not None and sorted(pattern.names) != sorted(network.names):
        raise ValueError('"pattern" has other variables than the network')
    return Model(network, alphas, pattern, saved.not_causal, saved.prior, saved.reading)
