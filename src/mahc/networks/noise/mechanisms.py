"""MCAR, MAR and MNAR: values that are missing at random, because of observed values, because of unobserved values.

In all three a random half of the variables lose values, each at the given rate on average. What the loss of a value
depends on differs: on nothing (MCAR), on a variable that loses none itself (MAR), on a variable that loses values too
(MNAR; the lost values count as well). A missing value becomes the state `missing`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Discrete
from mahc.data.dataset import Dataset
from mahc.data.settings import MISSING_STATE
from mahc.errors import DataError, SettingError
from mahc.networks.noise.base import NOISES, NoisyData, Outcome, check_rate, choose, refuse_weights
from mahc.networks.random_streams import stream

SHARE = 0.5  # of the variables
RATIO = 9.0  # how much likelier a value is missing in the rows of one half of the cause's states


@dataclass(frozen=True)
class Mechanism:
    """What the three share; `rate` is the expected share of missing values in each variable that has any."""

    rate: float = 0.1

    noise: ClassVar[str]

    def __post_init__(self) -> None:
        check_rate(self.noise, self.rate)

    @abstractmethod
    def find_causes(self, names: tuple[str, ...], incomplete: tuple[str, ...]) -> tuple[str, ...]:
        """The variables that the loss of a value may depend on; none: it depends on nothing."""

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data with missing values, all decided by the complete data."""
        refuse_weights(self.noise, data)
        incomplete = choose(seed, f"{self.noise} variables", list(data.names), SHARE if self.rate else 0)
        causes = self.find_causes(data.names, incomplete)
        columns, changed = list(data.discrete), []
        for name in incomplete:
            place = data.index(name)
            if MISSING_STATE in columns[place].labels:
                raise DataError(f"variable '{name}' already has a state '{MISSING_STATE}': rename it")
            candidates = [cause for cause in causes if cause != name]
            chances = self._chances(data, name, candidates, seed)
            lost = stream(seed, self.noise, name).random(data.rows) < chances
            if lost.all():
                lost[0] = False
            if lost.any():
                states, codes = columns[place].states, columns[place].codes
                columns[place] = Discrete(
                    states, np.where(lost, len(states), codes.astype(np.uint32))
                ).missing_as_state()
            changed.append((name, int(np.count_nonzero(lost))))
        made = replace(data, columns=tuple(columns))
        return NoisyData(made, (Outcome(self.noise, self.rate, changed=tuple(changed)),))

    def _chances(self, data: Dataset, name: str, candidates: list[str], seed: int) -> NDArray[np.float64]:
        """The probability that the value is missing, in each row."""
        if not candidates:
            return np.full(data.rows, self.rate)
        generator = stream(seed, f"{self.noise} cause", name)
        ordered = sorted(candidates)
        cause = data.index(ordered[int(generator.integers(len(ordered)))])
        column, count = data.codes[cause], len(data.labels[cause])
        shares = np.bincount(column, minlength=count) / data.rows
        likely = np.zeros(count, np.bool_)
        for state in generator.permutation(count).tolist():  # until they hold about half of the rows
            if shares[likely].sum() + shares[state] / 2 <= 0.5:
                likely[state] = True
        part = float(shares[likely].sum())
        high = min(1.0, RATIO * self.rate / (1 + (RATIO - 1) * part))
        low = (self.rate - part * high) / (1 - part) if part < 1 else self.rate
        chances: NDArray[np.float64] = np.where(likely, high, low)[column]
        return chances


@NOISES.register("mcar")
@dataclass(frozen=True)
class MissingCompletelyAtRandom(Mechanism):
    """A value is missing with the same probability in every row.

    Parameters
    ----------
    rate : float
        The expected share of missing values in each variable that has any.

    Examples
    --------
    >>> MissingCompletelyAtRandom(0.3).find_causes(("a", "b"), ("a",))
    ()
    """

    noise: ClassVar[str] = "mcar"

    def find_causes(self, names: tuple[str, ...], incomplete: tuple[str, ...]) -> tuple[str, ...]:
        """None."""
        return ()


@NOISES.register("mar")
@dataclass(frozen=True)
class MissingAtRandom(Mechanism):
    """Whether a value is missing depends on one variable that is never missing.

    Parameters
    ----------
    rate : float
        The expected share of missing values in each variable that has any.

    Examples
    --------
    >>> MissingAtRandom(0.3).find_causes(("a", "b"), ("a",))
    ('b',)
    """

    noise: ClassVar[str] = "mar"

    def find_causes(self, names: tuple[str, ...], incomplete: tuple[str, ...]) -> tuple[str, ...]:
        """The variables that lose no values."""
        found = tuple(name for name in names if name not in incomplete)
        if incomplete and not found:
            raise SettingError("the noise 'mar' needs a variable that is never missing: give two variables or more")
        return found


@NOISES.register("mnar")
@dataclass(frozen=True)
class MissingNotAtRandom(Mechanism):
    """Whether a value is missing depends on the true value of another variable that loses values itself.

    Parameters
    ----------
    rate : float
        The expected share of missing values in each variable that has any.

    Examples
    --------
    >>> MissingNotAtRandom(0.3).find_causes(("a", "b", "c"), ("a", "c"))
    ('a', 'c')
    """

    noise: ClassVar[str] = "mnar"

    def find_causes(self, names: tuple[str, ...], incomplete: tuple[str, ...]) -> tuple[str, ...]:
        """The variables that lose values."""
        if len(incomplete) == 1:
            raise SettingError("the noise 'mnar' needs two variables that lose values: give three variables or more")
        return incomplete
