"""M: missing values, as an additional state."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.columns import Discrete
from mahc.data.dataset import Dataset
from mahc.errors import DataError
from mahc.networks.noise.base import NOISES, NoisyData, Outcome, check_rate, refuse_weights
from mahc.networks.random_streams import stream


@NOISES.register("missing")
@dataclass(frozen=True)
class Missing:
    """With probability `rate`, independently, a value becomes the additional state `label`.

    Parameters
    ----------
    rate : float
        The probability, from 0 to 1.
    label : str
        The additional state.

    Examples
    --------
    >>> Missing(rate=0.05)
    Missing(rate=0.05, label='missing')
    """

    rate: float = 0.05
    label: str = "missing"

    def __post_init__(self) -> None:
        check_rate("missing", self.rate)

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data with missing values; a variable that lost none keeps its states."""
        refuse_weights("missing", data)
        columns, changed = list(data.discrete), []
        for place, name in enumerate(data.names):
            if self.label in columns[place].labels:
                raise DataError(f"variable '{name}' already has a state '{self.label}': choose another label")
            lost = stream(seed, "missing", name).random(data.rows) < self.rate
            count = int(np.count_nonzero(lost))
            if count:
                states, codes = columns[place].states, columns[place].codes
                columns[place] = Discrete((*states, self.label), np.where(lost, len(states), codes.astype(np.uint32)))
            changed.append((name, count))
        changed_data = replace(data, columns=tuple(columns))
        return NoisyData(changed_data, (Outcome("missing", self.rate, changed=tuple(changed)),))
