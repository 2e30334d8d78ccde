"""S: two states of a variable that were recorded as one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.dataset import Dataset, narrowest
from mahc.networks.noise.base import NOISES, Merge, Noisy, Outcome, check_rate, choose
from mahc.networks.random_streams import stream


@NOISES.register("merged")
@dataclass(frozen=True)
class Merged:
    """Of the variables with more than two states, a share of `rate` (at least one) has two states merged.

    >>> Merged(rate=0.05)
    Merged(rate=0.05)
    """

    rate: float = 0.05

    def __post_init__(self) -> None:
        check_rate("merged", self.rate)

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data with fewer states; nothing happens where every variable has two or fewer."""
        many = [name for name, states in zip(data.names, data.states, strict=True) if len(states) > 2]
        merges = []
        for name in choose(seed, "merged", many, self.rate):
            data, merge = _merge(data, name, seed)
            merges.append(merge)
        return Noisy(data, (Outcome("merged", self.rate, merged=tuple(merges)),))


def _merge(data: Dataset, name: str, seed: int) -> tuple[Dataset, Merge]:
    place = data.index(name)
    states = data.states[place]
    first, second = sorted(map(int, stream(seed, "merged", name).choice(len(states), 2, replace=False)))
    into = f"{states[first]}_or_{states[second]}"
    while into in states:
        into += "_"
    # The merged state takes the place of the first, and those behind the second move up.
    recode = np.arange(len(states))
    recode[second] = first
    recode[second + 1 :] -= 1
    renamed = [into if code == first else state for code, state in enumerate(states) if code != second]
    columns, labels = list(data.columns), list(data.states)
    columns[place] = recode[columns[place]].astype(narrowest(len(renamed)))
    labels[place] = tuple(renamed)
    changed = replace(data, states=tuple(labels), columns=tuple(columns))
    return changed, Merge(name, states[first], states[second], into)
