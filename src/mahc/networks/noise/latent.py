"""L: variables that nobody recorded."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.data.dataset import Dataset
from mahc.errors import SettingError
from mahc.networks.noise.base import NOISES, Noisy, Outcome, check_rate, choose


@NOISES.register("latent")
@dataclass(frozen=True)
class Latent:
    """A share of `rate` of the variables (at least one) is removed; or those in `variables`, if any.

    >>> Latent(variables=("dysp",)).rate
    0.05
    """

    rate: float = 0.05
    variables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_rate("latent", self.rate)

    def apply(self, data: Dataset, seed: int) -> Noisy:
        """The data without some of their variables."""
        for name in self.variables:
            data.index(name)  # refuses an unknown name
        gone = tuple(sorted(set(self.variables))) or choose(seed, "latent", list(data.names), self.rate)
        kept = [name for name in data.names if name not in gone]
        if not kept:
            raise SettingError(f"all {len(gone)} variables would be latent: leave at least one")
        return Noisy(data.select(kept), (Outcome("latent", self.rate, removed=gone),))
