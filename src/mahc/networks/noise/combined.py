"""Several noises in sequence, and the combination of the paper's experiments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass

from mahc.data.dataset import Dataset
from mahc.errors import SettingError
from mahc.networks.noise.base import NOISES, Noise, NoisyData, Outcome
from mahc.networks.noise.incorrect import Incorrect
from mahc.networks.noise.latent import Latent
from mahc.networks.noise.merged import Merged
from mahc.networks.noise.missing import Missing


@dataclass(frozen=True)
class Combined:
    """Several noises, applied in the order given with the same seed; each has its own random streams.

    Parameters
    ----------
    parts : tuple of Noise
        The noises, in the order of application.

    Examples
    --------
    >>> len(Combined((Missing(), Latent())).parts)
    2
    """

    parts: tuple[Noise, ...]

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data after all of them."""
        outcomes: list[Outcome] = []
        for part in self.parts:
            noisy = part.apply(data, seed)
            data = noisy.data
            outcomes += noisy.outcomes
        return NoisyData(data, tuple(outcomes))


@NOISES.register("cMISL")
@dataclass(frozen=True)
class CMISL:
    """The paper's combination: incorrect, merged, missing, latent, in this order.

    The paper gives the noises and the rates, not the order. In this order an incorrect value is always one of the
    variable's own states and never `missing`, and `missing` is never merged with a state.

    Parameters
    ----------
    rate : float
        The rate of each noise.
    variables : tuple of str
        The variables to remove; random ones if empty.

    Examples
    --------
    >>> CMISL(rate=0.05, variables=("dysp",)).variables
    ('dysp',)
    """

    rate: float = 0.05
    variables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _ = self.combined  # checks the rate

    @property
    def combined(self) -> Combined:
        """The four noises with their settings."""
        rate = self.rate
        return Combined((Incorrect(rate), Merged(rate), Missing(rate), Latent(rate, self.variables)))

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data after all four."""
        return self.combined.apply(data, seed)


NOISE_LETTERS = {"M": "missing", "I": "incorrect", "S": "merged", "L": "latent"}


def parse_noise(text: str, latents: tuple[str, ...] = ()) -> Noise:
    """Return the noise that a text such as `cMISL`, `missing:0.1` or `incorrect+latent:0.2` names.

    Parameters
    ----------
    text : str
        Names of noises, joined by "+", each with its rate after a colon. M, I, S and L stand for missing,
        incorrect, merged and latent.
    latents : tuple of str
        The variables that a noise removes; random ones if empty.

    Returns
    -------
    Noise
        The noise.

    Raises
    ------
    MahcError
        If the text names no noise, or a rate is not from 0 to 1.

    Examples
    --------
    >>> parse_noise("missing:0.1+latent")
    Combined(parts=(Missing(rate=0.1, label='missing'), Latent(rate=0.05, variables=())))
    """
    parts = tuple(_parse_one(part.strip(), latents) for part in text.split("+"))
    if latents and not any(_takes_variables(type(part)) for part in parts):
        raise SettingError(f"latent variables are named, but the noise '{text}' removes none: add +latent")
    return parts[0] if len(parts) == 1 else Combined(parts)


def _parse_one(text: str, latents: tuple[str, ...]) -> Noise:
    name, colon, number = text.partition(":")
    name = NOISE_LETTERS.get(name, name)
    kind: Callable[..., Noise] = NOISES[name]
    try:
        rate = float(number) if colon else 0.05
    except ValueError:
        raise SettingError(f"the rate in '{text}' is not a number: write it as in {name}:0.05") from None
    return kind(rate, variables=latents) if _takes_variables(NOISES[name]) else kind(rate)


def _takes_variables(kind: type[Noise]) -> bool:
    return is_dataclass(kind) and any(field.name == "variables" for field in fields(kind))
