"""The public packages of mahc, and the names that each of them offers."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

# Package -> what its page of the reference says first. A new public package is one line here and one in mkdocs.yml.
PUBLIC = {
    "mahc": "What most programs need: learning, reading, results, estimators.",
    "mahc.data": "Reading and auditing data.",
    "mahc.graphs": "Graphs and the conversions between their kinds.",
    "mahc.graphs.files": "Files of graphs.",
    "mahc.networks": "Networks with probability tables: shipped ones, sampling, fitting.",
    "mahc.networks.files": "Files of networks.",
    "mahc.networks.noise": "Noise that is added to samples.",
    "mahc.inference": "Questions to a network: queries, interventions, predictions, effects.",
    "mahc.knowledge": "Constraints on the graph.",
    "mahc.scores": "Scores of a graph on data.",
    "mahc.measures": "Comparison of graphs; the score of a given graph.",
    "mahc.independence": "Tests of conditional independence.",
    "mahc.algorithms": "The algorithms as functions of a problem, and their registry.",
    "mahc.lab": "Plans of experiments, run, stored and reported.",
    "mahc.confidence": "How sure a graph is: resampling, averaging, validation on held-out rows.",
    "mahc.panels": "Subjects seen at several times: networks of time slices.",
    "mahc.cluster": "Data in pieces: larger than the memory, on Dask or on Spark.",
    "mahc.ui": "The interactive page of a result.",
    "mahc.engine": "Counting and scoring: what a program that counts rows elsewhere implements.",
}


def public_names() -> Iterator[tuple[str, str, object]]:
    """Package, name and object of every public name; one that several packages offer comes with the first."""
    seen: set[int] = set()
    for package in PUBLIC:
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if name.startswith("__") or isinstance(thing, ModuleType) or id(thing) in seen:
                continue
            seen.add(id(thing))
            yield package, name, thing
