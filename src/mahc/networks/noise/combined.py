"""Noises one after another, and the combination that the paper evaluates with."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.data.dataset import Dataset
from mahc.errors import SettingError
from mahc.networks.noise.base import NOISES, Noise, Noisy, Outcome
from mahc.networks.noise.incorrect import Incorrect
from mahc.networks.noise.latent import Latent
from mahc.networks.noise.merged import Merged
from mahc.networks.noise.missing import Missing


@dataclass(frozen=True)
class Combined:
    """Several noises, applied in the order given with the same seed (each draws from streams of its own).

    >>> len(Combined((Missing(), Latent())).parts)
    2
    """

    parts: tuple[Noise, ...]

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data after all of them."""
        outcomes: list[Outcome] = []
        for part in self.parts:
            noisy = part.apply(data, seed)
            data = noisy.data
            outcomes += noisy.outcomes
        return Noisy(data, tuple(outcomes))


@NOISES.register("cMISL")
@dataclass(frozen=True)
class CMISL:
    """The paper's combination: incorrect, merged, missing, latent, in this order.

    A value is first measured wrongly, then recorded in coarser states, then lost, and some variables are
    never seen. So an incorrect value is another of the variable's own states and never `missing`, and
    `missing` is never merged with a state: the paper gives the letters and the rates, not the order.

    >>> CMISL(rate=0.05, variables=("dysp",)).variables
    ('dysp',)
    """

    rate: float = 0.05
    variables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _ = self.combined  # refuses a bad rate

    @property
    def combined(self) -> Combined:
        """The four noises with their settings."""
        rate = self.rate
        return Combined((Incorrect(rate), Merged(rate), Missing(rate), Latent(rate, self.variables)))

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data after all four."""
        return self.combined.apply(data, seed)


def parse_noise(text: str, latents: tuple[str, ...] = ()) -> Noise:
    """The noise that a text like `cMISL`, `missing:0.1` or `incorrect+latent:0.2` names, in its order.

    >>> parse_noise("missing:0.1+latent")
    Combined(parts=(Missing(rate=0.1, label='missing'), Latent(rate=0.05, variables=())))
    """
    parts = tuple(_parse_one(word.strip(), latents) for word in text.split("+"))
    if latents and not any(isinstance(part, Latent | CMISL) for part in parts):
        raise SettingError(f"latent variables are named, and the noise '{text}' removes none: add latent to it")
    return parts[0] if len(parts) == 1 else Combined(parts)


def _parse_one(word: str, latents: tuple[str, ...]) -> Noise:
    name, colon, number = word.partition(":")
    kind = NOISES[name]
    try:
        rate = float(number) if colon else 0.05
    except ValueError:
        raise SettingError(f"the rate in '{word}' is no number: write it as in {name}:0.05") from None
    if kind is Latent or kind is CMISL:
        return kind(rate, latents)
    return kind(rate)
