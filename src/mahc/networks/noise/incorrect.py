"""I: values that were measured wrongly."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mahc.data.dataset import Dataset, narrowest
from mahc.networks.noise.base import NOISES, Noisy, Outcome, check_rate, refuse_weights
from mahc.networks.random_streams import stream


@NOISES.register("incorrect")
@dataclass(frozen=True)
class Incorrect:
    """Each value becomes another of its variable's states, all as likely, with probability `rate`.

    >>> Incorrect(rate=0.05)
    Incorrect(rate=0.05)
    """

    rate: float = 0.05

    def __post_init__(self) -> None:
        check_rate("incorrect", self.rate)

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data with some values wrong; a variable of one state has no other and stays."""
        refuse_weights("incorrect", data)
        columns, changed = list(data.columns), []
        for place, name in enumerate(data.names):
            count = len(data.states[place])
            draw = stream(seed, "incorrect", name).random(data.rows)
            wrong = np.flatnonzero(draw < self.rate) if count > 1 else np.empty(0, dtype=np.intp)
            if len(wrong):
                # A draw below the rate is uniform below it, so it also says which of the others.
                others = np.minimum((draw[wrong] / self.rate * (count - 1)).astype(np.int64), count - 2)
                spoilt = columns[place].astype(np.int64)
                spoilt[wrong] = (spoilt[wrong] + 1 + others) % count
                columns[place] = spoilt.astype(narrowest(count))
            changed.append((name, len(wrong)))
        return Noisy(replace(data, columns=tuple(columns)), (Outcome("incorrect", self.rate, changed=tuple(changed)),))
