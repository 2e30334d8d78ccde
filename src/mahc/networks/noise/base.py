"""What a noise is, what it tells about itself afterwards, and the table that they are filed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mahc.data.dataset import Dataset
from mahc.errors import DataError, SettingError
from mahc.networks.random_streams import stream
from mahc.registry import Registry


@dataclass(frozen=True)
class Merge:
    """Two states of a variable that became one.

    >>> Merge("CVP", "LOW", "HIGH", "LOW_or_HIGH").into
    'LOW_or_HIGH'
    """

    variable: str
    first: str
    second: str
    into: str


@dataclass(frozen=True)
class Outcome:
    """What one noise did: values changed per variable, states merged, variables removed.

    >>> Outcome("latent", 0.05, removed=("dysp",)).removed
    ('dysp',)
    """

    noise: str
    rate: float
    changed: tuple[tuple[str, int], ...] = ()
    merged: tuple[Merge, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Noisy:
    """Data after noise, with one outcome for each noise in the order in which they were applied."""

    data: Dataset
    outcomes: tuple[Outcome, ...]

    @property
    def latents(self) -> tuple[str, ...]:
        """The variables that were removed, sorted."""
        return tuple(sorted(name for outcome in self.outcomes for name in outcome.removed))


@runtime_checkable
class Noise(Protocol):
    """Spoils a data set, the same way for the same seed."""

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data after the noise, and what was done to them."""
        ...


# Each entry takes its rate first; the other settings have defaults.
NOISES: Registry[Callable[..., Noise]] = Registry("noise")


def check_rate(noise: str, rate: float) -> None:
    """Refuse a rate that is no probability."""
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise SettingError(f"the rate of the noise '{noise}' is {rate!r}: it must lie between 0 and 1")


def refuse_weights(noise: str, data: Dataset) -> None:
    """A weight stands for many rows, which noise would have to spoil one by one."""
    if data.weights is not None:
        raise DataError(f"the noise '{noise}' needs data without weights: write the rows out first")


def choose(seed: int, purpose: str, names: list[str], rate: float) -> tuple[str, ...]:
    """A share of the names (half a name counts as one, and a rate above 0 takes at least one), sorted."""
    if rate == 0 or not names:
        return ()
    count = max(1, int(rate * len(names) + 0.5))
    ordered = sorted(names)
    picked = stream(seed, purpose).choice(len(ordered), size=count, replace=False)
    return tuple(sorted(ordered[place] for place in picked))
