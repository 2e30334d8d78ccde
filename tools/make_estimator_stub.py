"""Write src/mahc/estimators/__init__.pyi: the estimator classes, which are made at run time, for type checkers.

python tools/make_estimator_stub.py
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from mahc.data import ReadSettings
from mahc.estimators import estimator_name
from mahc.estimators.parameters import KNOWLEDGE_PARTS, make_signature
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import score_settings
from mahc.learning.settings import RunSettings
from mahc.setting_checks import Memory
from mahc.settings import declarations

STUB = Path(__file__).resolve().parents[1] / "src" / "mahc" / "estimators" / "__init__.pyi"
HEAD = """\
# Written by tools/make_estimator_stub.py; tests/test_estimators.py checks that it is up to date.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data.settings import Cuts, Tokens
from mahc.estimators.classes import estimator_for as estimator_for
from mahc.estimators.classes import estimator_name as estimator_name
from mahc.estimators.estimator import StructureEstimator as StructureEstimator
from mahc.estimators.supervised import BayesianNetworkClassifier as BayesianNetworkClassifier
from mahc.estimators.supervised import MarkovBlanketSelector as MarkovBlanketSelector
from mahc.knowledge.knowledge import Knowledge
from mahc.scores import Score
"""
KNOWLEDGE = "Knowledge | Mapping[str, Any] | str | PathLike[str] | None"


def main() -> None:
    """Write the stub."""
    STUB.write_text(make_stub(), encoding="utf-8", newline="\n")
    print(f"{len(ALGORITHMS.names())} classes in {STUB}")


def make_stub() -> str:
    """The text of the stub."""
    return HEAD + "".join(_make_class(name) for name in sorted(ALGORITHMS, key=estimator_name))


def _make_class(algorithm: str) -> str:
    types = _parameter_types(algorithm)
    parameters = make_signature(algorithm).parameters
    lines = [f"        {name}: {types[name]} = ...," for name in parameters]
    head = f"class {estimator_name(algorithm)}(StructureEstimator):"
    return "\n".join(["", head, "    def __init__(", "        self,", *lines, "    ) -> None: ...", ""])


def _parameter_types(algorithm: str) -> dict[str, str]:
    """The type of each parameter, as the declarations have it."""
    pairs = dict.fromkeys(KNOWLEDGE_PARTS, "Iterable[tuple[str, str]] | None")
    found = {"objective": "str | Score", **pairs, "tiers": "Iterable[Iterable[str]] | None", "knowledge": KNOWLEDGE}
    found |= {name: f"{each.declaration.check.kind.__name__} | None" for name, each in score_settings().items()}
    for kind in (ALGORITHMS[algorithm], RunSettings, ReadSettings):
        declared = declarations(kind)
        for field in dataclasses.fields(kind):
            if field.name in declared:
                sized = isinstance(declared[field.name].check, Memory)  # a text with a unit is accepted too
                found[field.name] = "int | str | None" if sized else str(field.type)
    return found


if __name__ == "__main__":
    main()
