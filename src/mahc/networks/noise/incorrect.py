"""I: incorrect values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.dataset import Dataset
from mahc.networks.noise.base import NOISES, NoisyData, Outcome, check_rate, refuse_weights
from mahc.networks.random_streams import stream


@NOISES.register("incorrect")
@dataclass(frozen=True)
class Incorrect:
    """With probability `rate`, a value becomes one of the other states of its variable, all equally likely.

    Parameters
    ----------
    rate : float
        The probability, from 0 to 1.

    Examples
    --------
    >>> Incorrect(rate=0.05)
    Incorrect(rate=0.05)
    """

    rate: float = 0.05

    def __post_init__(self) -> None:
        check_rate("incorrect", self.rate)

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data with incorrect values; a variable with one state does not change."""
        refuse_weights("incorrect", data)
        columns, changed = list(data.discrete), []
        for place, name in enumerate(data.names):
            count = len(columns[place].states)
            draw = stream(seed, "incorrect", name).random(data.rows)
            wrong = np.flatnonzero(draw < self.rate) if count > 1 else np.empty(0, dtype=np.intp)
            if len(wrong):
                # A draw below the rate is uniform on [0, rate), so it also selects the other state.
                others = np.minimum((draw[wrong] / self.rate * (count - 1)).astype(np.int64), count - 2)
                changed_codes = data.codes[place].astype(np.int64)
                changed_codes[wrong] = (changed_codes[wrong] + 1 + others) % count
                columns[place] = columns[place].with_codes(changed_codes)
            changed.append((name, len(wrong)))
        return NoisyData(
            replace(data, columns=tuple(columns)), (Outcome("incorrect", self.rate, changed=tuple(changed)),)
        )
