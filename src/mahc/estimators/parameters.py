"""The parameters of an estimator: the objective, and the declared settings that `mahc.learn` accepts."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from mahc.data import ReadSettings
from mahc.data.settings import STRUCTURAL_EM
from mahc.errors import InvalidSettingError
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import score_settings
from mahc.learning.settings import RunSettings, default_score
from mahc.settings import Declaration, declarations

# The parts of `Knowledge` that are parameters of their own; the others are given with `knowledge`.
KNOWLEDGE_PARTS = ("required_arcs", "required_edges", "forbidden_arcs", "forbidden_edges", "tiers")
KNOWLEDGE_HELP = (
    ("required_arcs : list of (from, to)", "Arcs that must be there, in this direction."),
    ("required_edges : list of (a, b)", "Pairs that must be joined; the data choose the direction."),
    ("forbidden_arcs : list of (from, to)", "Arcs that must not be there; the opposite direction may."),
    ("forbidden_edges : list of (a, b)", "Pairs that must not be joined in either direction."),
    ("tiers : list of lists of str", "Variables in order of time, the earliest tier first."),
    ("knowledge : Knowledge, dict or path", "Constraints as one object or file, in addition to those above."),
)


def make_signature(algorithm: str) -> inspect.Signature:
    """The parameters with their defaults; None stands for the default of a score's setting."""
    defaults: dict[str, Any] = {
        "objective": None,
        **{name: each.default for name, each in declarations(ALGORITHMS[algorithm]).items()},
        **dict.fromkeys(score_settings()),
        **dict.fromkeys((*KNOWLEDGE_PARTS, "knowledge")),
        **{name: each.default for kind in (RunSettings, ReadSettings) for name, each in declarations(kind).items()},
    }
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(name, keyword, default=value) for name, value in defaults.items()])


def describe_parameters(algorithm: str) -> str:
    """The parameters as a part of a numpydoc docstring."""
    lines = [
        "objective : str or Score, optional",
        f"    The score to maximise; left out it is {_usual_score(algorithm)}.",
    ]
    lines += _describe(declarations(ALGORITHMS[algorithm]))
    for entry in score_settings().values():
        lines += [f"{entry.declaration.name} : {entry.declaration.allowed}, optional"]
        lines += [f"    {entry.declaration.help} For {', '.join(entry.defaults)}."]
    for head, text in KNOWLEDGE_HELP:
        lines += [head, f"    {text}"]
    lines += [*_describe(declarations(RunSettings)), *_describe(declarations(ReadSettings))]
    return "\n".join(lines)


def _describe(declared: dict[str, Declaration]) -> list[str]:
    return [line for each in declared.values() for line in (f"{each.name} : {each.allowed}", f"    {each.help}")]


def take_knowledge_parts(params: dict[str, Any]) -> Knowledge:
    """The constraints that are parameters of their own, out of `params`."""
    given = {name: params.pop(name) for name in KNOWLEDGE_PARTS}
    return Knowledge(**{name: value for name, value in given.items() if value is not None})


def check_parameters(algorithm: str, params: dict[str, Any]) -> None:
    """Refuse None for a setting that has another default: `learn` would take it as left out."""
    for kind in (ALGORITHMS[algorithm], RunSettings, ReadSettings):
        for name, declared in declarations(kind).items():
            if params[name] is None and not declared.optional:
                raise InvalidSettingError(name, None, declared.check.advise(None), declared.allowed)


def drop_unset(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters without those that are None."""
    return {name: value for name, value in params.items() if value is not None}


def plain(value: Any) -> Any:
    """A number of numpy, as searches over parameters pass them, as one of Python; anything else as it is."""
    return value.item() if isinstance(value, np.integer | np.floating | np.bool_) else value


def _usual_score(algorithm: str) -> str:
    usual, with_em = default_score(algorithm), default_score(algorithm, STRUCTURAL_EM)
    return usual if usual == with_em else f"{usual}, and {with_em} with missing={STRUCTURAL_EM!r}"
