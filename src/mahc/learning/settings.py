"""The settings of a run, checked before any data are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mahc.errors import SettingError, UnknownNameError
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import ALGORITHMS, Algorithm, make_algorithm
from mahc.learning.tie_order import TIE_RULES
from mahc.scores import SCORES, Score, make_score

MOST_THREADS = 1024
# What a finger that stays on a key would ask for; beyond these a run would count for ever or not fit the core.
MOST = {"step_limit": 10**15, "memory_mebibytes": 10**9}


def choose_algorithm(algorithm: object, settings: Mapping[str, Any]) -> Algorithm:
    """An algorithm by its name and settings (None: the default), or one made already, which brings its own.

    >>> choose_algorithm("hc", {"search_in_degree": 4}).settings()["search_in_degree"]
    4
    """
    if isinstance(algorithm, str):
        _refuse_odd(settings)
        return make_algorithm(algorithm, **settings)
    if not isinstance(algorithm, Algorithm):
        raise SettingError(f"algorithm is {algorithm!r}: give one of {', '.join(ALGORITHMS.names())}")
    for name, value in settings.items():
        if value is not None:
            raise SettingError(f"{name} is given beside {algorithm!r}, which has its own: set it there")
    return algorithm


def _refuse_odd(settings: Mapping[str, Any]) -> None:
    for name in ("pruning", "averaging"):
        if not isinstance(value := settings.get(name), bool | None):
            raise SettingError(f"{name} is {value!r}: give True or False")
    for name in ("step_limit", "memory_mebibytes"):
        if isinstance(value := settings.get(name), bool) or not isinstance(value, int | None):
            raise SettingError(f"{name} is {value!r}: give a whole number, or leave it out")
    for name, most in MOST.items():
        if isinstance(value := settings.get(name), int) and value > most:
            raise SettingError(f"{name} is {value}: give a whole number up to {most:,}")


def check_use(algorithm: Algorithm, knowledge: Knowledge, start: bool) -> None:
    """Refuse what the algorithm would have to ignore."""
    for name in algorithm.idle:
        if start if name == "start" else getattr(knowledge, name):
            said = "a start graph" if name == "start" else f"'{name}' in the knowledge"
            raise SettingError(
                f"{said} means nothing to {algorithm.name}, which tests and does not search by score: leave it out"
            )


def choose_score(score: object, base: float, equivalent_sample_size: float | None) -> Score:
    """A score by its name and settings, or one made already, which brings its own."""
    if isinstance(base, bool) or not isinstance(base, int | float):
        raise SettingError(f"base is {base!r}: give a number above 1 (2 for bits, math.e for nats)")
    if isinstance(score, str):
        return make_score(score, base=base, equivalent_sample_size=equivalent_sample_size)
    if not isinstance(score, Score):
        raise SettingError(f"score is {score!r}: give one of {', '.join(SCORES.names())}")
    if base not in (2.0, score.base) or equivalent_sample_size is not None:
        name = "base" if equivalent_sample_size is None else "equivalent_sample_size"
        raise SettingError(f"{name} is given beside {score!r}, which has its own: set it there")
    return score


def check_resources(ties: str, threads: int | None) -> None:
    """A tie rule that there is, and threads from 1 up or left out."""
    if ties not in TIE_RULES:
        raise UnknownNameError("tie rule", str(ties), TIE_RULES)
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise SettingError(f"threads is {threads!r}: give 1 or more, or leave it out to use all processors")
    if threads is not None and threads > MOST_THREADS:
        raise SettingError(f"threads is {threads}: give at most {MOST_THREADS:,}, or leave it out")
