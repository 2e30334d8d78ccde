"""M: values that were never recorded, as a state of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.dataset import Dataset, narrowest
from mahc.errors import DataError
from mahc.networks.noise.base import NOISES, Noisy, Outcome, check_rate, refuse_weights
from mahc.networks.random_streams import stream


@NOISES.register("missing")
@dataclass(frozen=True)
class Missing:
    """Each value becomes the new state `label` with probability `rate`, on its own.

    >>> Missing(rate=0.05)
    Missing(rate=0.05, label='missing')
    """

    rate: float = 0.05
    label: str = "missing"

    def __post_init__(self) -> None:
        check_rate("missing", self.rate)

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data with some values gone; a variable that lost none keeps its states."""
        refuse_weights("missing", data)
        columns, states, changed = list(data.columns), list(data.states), []
        for place, name in enumerate(data.names):
            if self.label in data.states[place]:
                raise DataError(f"variable '{name}' has a state '{self.label}' already: give the missing another label")
            gone = stream(seed, "missing", name).random(data.rows) < self.rate
            count = int(np.count_nonzero(gone))
            if count:
                code = len(states[place])
                columns[place] = np.where(gone, code, columns[place]).astype(narrowest(code + 1))
                states[place] = (*states[place], self.label)
            changed.append((name, count))
        spoilt = replace(data, states=tuple(states), columns=tuple(columns))
        return Noisy(spoilt, (Outcome("missing", self.rate, changed=tuple(changed)),))
