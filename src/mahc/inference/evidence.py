"""What is asked: targets, observed states, likelihoods of states, and interventions, from names to numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mahc.data import ReadSettings
from mahc.data.columns import State
from mahc.data.prepare.matching import UNKNOWN, make_finder
from mahc.errors import MahcError, SettingError, UnknownNameError
from mahc.inference.factors import Factor, Values
from mahc.networks.network import Network
from mahc.plurals import count

Given = Mapping[str, object]


class Coded(Protocol):
    """Variables with states: those of a network, or those of a mixed one that have states."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def values(self) -> tuple[tuple[State, ...], ...]:
        """The states of each, in their own type."""

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The states of each, as they are printed."""


class ImpossibleEvidenceError(MahcError):
    """What is given has probability 0.

    Parameters
    ----------
    *parts
        The parts of the sentence, as of every MahcError.

    Examples
    --------
    >>> from mahc.inference import Model
    >>> Model.load("asia").query("lung", given={"tub": "yes", "either": "no"})
    Traceback (most recent call last):
    mahc.inference.evidence.ImpossibleEvidenceError: tub=yes, either=no has probability 0 in the network, ...
    """


@dataclass(frozen=True)
class Question:
    """A question in the network's numbers: targets, observed states, likelihood of each state, states set by do."""

    targets: tuple[int, ...]
    observed: Mapping[int, int]
    soft: Mapping[int, Values]
    do: Mapping[int, int]

    @property
    def soft_factors(self) -> list[Factor]:
        """The likelihoods as factors."""
        return [Factor((node,), values[None]) for node, values in self.soft.items()]


def ask(
    network: Network,
    targets: Iterable[str],
    given: Given | None,
    do: Given | None,
    settings: ReadSettings | None = None,
) -> Question:
    """Check the names and states of a question, and number them; `settings` are those of the model's data."""
    settings = settings or ReadSettings()
    places = {name: node for node, name in enumerate(network.names)}
    wanted = tuple(_find(places, name) for name in targets)
    observed: dict[int, int] = {}
    soft: dict[int, Values] = {}
    for name, value in _as_mapping(given, "given").items():
        node = _find(places, name)
        if is_soft(value):
            soft[node] = find_likelihoods(network, node, value, settings)
        else:
            observed[node] = find_state(network, node, value, settings)
    changed = _as_mapping(do, "do")
    numbered = {_find(places, name): value for name, value in changed.items()}
    forced = {node: find_state(network, node, value, settings) for node, value in numbered.items()}
    _refuse_overlaps(network, wanted, {**observed, **soft}, forced)
    in_order = sorted(soft, key=lambda node: network.names[node])
    return Question(wanted, observed, {node: soft[node] for node in in_order}, forced)


def is_soft(value: object) -> bool:
    """Whether a value is a set of likelihoods, not a state.

    >>> is_soft("yes"), is_soft({"yes": 0.9})
    (False, True)
    """
    return isinstance(value, Mapping | Sequence | np.ndarray) and not isinstance(value, str)


def find_state(network: Coded, node: int, value: object, settings: ReadSettings) -> int:
    """The number of the state that a value means, as `StateFinder` finds it; one that means missing is refused."""
    name = network.names[node]
    finder = make_finder(name, network.values[node], settings)
    found = finder.find_named(value)
    if found == UNKNOWN and settings.is_missing(value, name):
        raise SettingError(f"{name}={value} means a missing value in the data of this model: leave it out")
    found = finder.find(value) if found == UNKNOWN else found
    if found == UNKNOWN:
        raise UnknownNameError(f"state of '{name}'", str(value), network.states[node], ordered=True)
    return found


def _as_mapping(words: object, setting: str) -> Mapping[str, object]:
    if words is None:
        return {}
    if not isinstance(words, Mapping):
        raise SettingError(f"{setting} is {words!r}: give variables with their states, such as {{'smoke': 'yes'}}")
    return words


def _find(places: Mapping[str, int], name: object) -> int:
    if not isinstance(name, str) or name not in places:
        raise UnknownNameError("variable", str(name), places)
    return places[name]


def find_likelihoods(network: Coded, node: int, value: object, settings: ReadSettings) -> Values:
    name, states = network.names[node], network.states[node]
    if isinstance(value, Mapping):
        numbers = {find_state(network, node, state, settings): number for state, number in value.items()}
        listed = [numbers.get(state, 0.0) for state in range(len(states))]
    else:
        listed = list(value)  # type: ignore[call-overload]
    if len(listed) != len(states):
        sizes = f"{count(len(states), 'state')} and {count(len(listed), 'likelihood')}"
        raise SettingError(f"'{name}' has {sizes}: give one for each state")
    try:
        found = np.array([float(number) for number in listed])
    except (TypeError, ValueError):
        raise SettingError(f"the likelihoods of '{name}' are {listed!r}: give numbers from 0 up") from None
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise SettingError(f"the likelihoods of '{name}' are {listed!r}: give numbers from 0 up, not all of them 0")
    scaled: Values = found / found.max()
    return scaled


def _refuse_overlaps(
    network: Network, targets: tuple[int, ...], given: Mapping[int, object], do: Mapping[int, int]
) -> None:
    names = network.names
    for node in targets:
        if targets.count(node) > 1:
            raise SettingError(f"the target '{names[node]}' is named twice: name it once")
        if node in do:
            raise SettingError(f"'{names[node]}' is the target and is set by do: leave it out of one of them")
        if node in given:
            raise SettingError(f"'{names[node]}' is the target and is given: leave it out of one of them")
    for node in do:
        if node in given:
            raise SettingError(f"'{names[node]}' is given and set by do: leave it out of one of them")


def describe_given(network: Network, question: Question) -> str:
    """What is given and set, such as `smoke=yes, do(asia=no)`."""
    names, states = network.names, network.states
    parts = [f"{names[v]}={states[v][k]}" for v, k in question.observed.items()]
    parts += [f"likelihoods of {names[v]}" for v in question.soft]
    parts += [f"do({names[v]}={states[v][k]})" for v, k in question.do.items()]
    return ", ".join(parts)
