"""The protocol of a noise, the record of what it did, and the registry of noises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mahc.data.dataset import Dataset
from mahc.errors import DataError, SettingError
from mahc.networks.random_streams import stream
from mahc.plurals import noun
from mahc.registry import Registry


@dataclass(frozen=True)
class Merge:
    """Two states of a variable that were merged.

    Parameters
    ----------
    variable : str
        The variable.
    first : str
        One state.
    second : str
        The other state.
    into : str
        The state that stands for both.

    Examples
    --------
    >>> Merge("CVP", "LOW", "HIGH", "LOW_or_HIGH").into
    'LOW_or_HIGH'
    """

    variable: str
    first: str
    second: str
    into: str


@dataclass(frozen=True)
class Outcome:
    """What one noise did.

    Parameters
    ----------
    noise : str
        The name of the noise.
    rate : float
        Its rate.
    changed : tuple of (name, number), optional
        Number of values changed in each variable.
    merged : tuple of Merge, optional
        The states that were merged.
    removed : tuple of str, optional
        The variables that were removed.

    Examples
    --------
    >>> Outcome("latent", 0.05, removed=("dysp",)).describe()
    'latent     dysp'
    """

    noise: str
    rate: float
    changed: tuple[tuple[str, int], ...] | None = None
    merged: tuple[Merge, ...] | None = None
    removed: tuple[str, ...] | None = None

    def describe(self, rows: int = 0) -> str:
        """One line of text; `rows` is the number of rows in the data."""
        parts = []
        if self.changed is not None:
            values = sum(count for _, count in self.changed)
            cells = rows * len(self.changed)
            parts.append(f"{values:,} of {cells:,} {noun(cells, 'value')} (rate {self.rate:g})")
        if self.merged is not None:
            merges = ", ".join(f"{m.variable} {m.first} + {m.second}" for m in self.merged)
            parts.append(merges or "nothing: no variable has more than two states")
        if self.removed is not None:
            parts.append(", ".join(self.removed) or "none")
        return f"{self.noise:10} {'; '.join(parts)}"

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON, with the effects of this noise only."""
        found: dict[str, Any] = {"noise": self.noise, "rate": self.rate}
        if self.changed is not None:
            found["changed_values"] = dict(self.changed)
        if self.merged is not None:
            found["merged_states"] = [
                {"variable": m.variable, "states": [m.first, m.second], "into": m.into} for m in self.merged
            ]
        if self.removed is not None:
            found["removed_variables"] = list(self.removed)
        return found


@dataclass(frozen=True)
class NoisyData:
    """Data with noise, and the outcome of each noise in the order of application.

    Parameters
    ----------
    data : Dataset
        The data with noise.
    outcomes : tuple of Outcome
        What each noise did, in the order of application.

    Examples
    --------
    >>> from mahc.networks import load_network, sample
    >>> from mahc.networks.noise import Latent
    >>> Latent(variables=("dysp",)).apply(sample(load_network("asia"), 20, seed=1), seed=1).outcomes[0].removed
    ('dysp',)
    """

    data: Dataset
    outcomes: tuple[Outcome, ...]

    @property
    def latents(self) -> tuple[str, ...]:
        """The variables that were removed, sorted."""
        return tuple(sorted(name for outcome in self.outcomes for name in outcome.removed or ()))


@runtime_checkable
class Noise(Protocol):
    """A random change of a data set that depends only on the data and the seed; the protocol of all noises.

    Examples
    --------
    >>> from mahc.networks import load_network, simulate
    >>> from mahc.networks.noise import Missing
    >>> simulate(load_network("asia"), 50, seed=1, noise=Missing(rate=0.5)).outcomes[0].noise
    'missing'
    """

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data with noise, and what was done to them."""
        ...


# Each entry takes its rate as first argument; the other settings have defaults.
NOISES: Registry[type[Noise]] = Registry("noise", package="mahc.networks.noise")


def check_rate(noise: str, rate: float) -> None:
    """Raise SettingError unless the rate is a probability."""
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise SettingError(f"the rate of the noise '{noise}' is {rate!r}: it must lie between 0 and 1")


def refuse_weights(noise: str, data: Dataset) -> None:
    """Raise DataError if the data have weights: a row of weight 3 means three rows, each with its own noise."""
    if data.weights is not None:
        raise DataError(f"the noise '{noise}' needs data without weights: repeat each row as often as its weight")


def choose(seed: int, purpose: str, names: list[str], rate: float) -> tuple[str, ...]:
    """A random share of the names, sorted; rounded half up, and at least one if the rate is above 0."""
    if rate == 0 or not names:
        return ()
    count = max(1, int(rate * len(names) + 0.5))
    ordered = sorted(names)
    picked = stream(seed, purpose).choice(len(ordered), size=count, replace=False)
    return tuple(sorted(ordered[place] for place in picked))
