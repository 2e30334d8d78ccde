"""S: merged states."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.columns import Discrete
from mahc.data.dataset import Dataset
from mahc.networks.noise.base import NOISES, Merge, NoisyData, Outcome, check_rate, choose
from mahc.networks.random_streams import stream


@NOISES.register("merged")
@dataclass(frozen=True)
class Merged:
    """Merge two states of a random share `rate` (at least one) of the variables with more than two states.

    Parameters
    ----------
    rate : float
        The share of the variables, from 0 to 1.

    Examples
    --------
    >>> Merged(rate=0.05)
    Merged(rate=0.05)
    """

    rate: float = 0.05

    def __post_init__(self) -> None:
        check_rate("merged", self.rate)

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data with merged states; unchanged if every variable has two states or fewer."""
        many = [name for name, states in zip(data.names, data.states, strict=True) if len(states) > 2]
        merges = []
        for name in choose(seed, "merged", many, self.rate):
            data, merge = _merge(data, name, seed)
            merges.append(merge)
        return NoisyData(data, (Outcome("merged", self.rate, merged=tuple(merges)),))


def _merge(data: Dataset, name: str, seed: int) -> tuple[Dataset, Merge]:
    place = data.index(name)
    states = data.labels[place]
    first, second = sorted(map(int, stream(seed, "merged", name).choice(len(states), 2, replace=False)))
    into = f"{states[first]}_or_{states[second]}"
    while into in states:
        into += "_"
    # The merged state replaces the first; the states after the second move up by one.
    recode = np.arange(len(states))
    recode[second] = first
    recode[second + 1 :] -= 1
    renamed = [into if code == first else state for code, state in enumerate(states) if code != second]
    columns = list(data.columns)
    columns[place] = Discrete(tuple(renamed), recode[data.codes[place]].astype(np.uint32))
    changed = replace(data, columns=tuple(columns))
    return changed, Merge(name, states[first], states[second], into)
