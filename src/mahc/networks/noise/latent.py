"""L: latent variables."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.data.dataset import Dataset
from mahc.errors import SettingError
from mahc.networks.noise.base import NOISES, NoisyData, Outcome, check_rate, choose
from mahc.plurals import count


@NOISES.register("latent")
@dataclass(frozen=True)
class Latent:
    """Remove a random share `rate` of the variables (at least one), or those in `variables` if there are any.

    Parameters
    ----------
    rate : float
        The share of the variables, from 0 to 1.
    variables : tuple of str
        The variables to remove; random ones if empty.

    Examples
    --------
    >>> Latent(variables=("dysp",)).rate
    0.05
    """

    rate: float = 0.05
    variables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_rate("latent", self.rate)

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        """The data without the latent variables."""
        for name in self.variables:
            data.index(name)  # raises if the name is unknown
        removed = tuple(sorted(set(self.variables))) or choose(seed, "latent", list(data.names), self.rate)
        kept = [name for name in data.names if name not in removed]
        if not kept:
            raise SettingError(f"no variable would remain of {count(len(removed), 'variable')}: leave at least one")
        return NoisyData(data.select(kept), (Outcome("latent", self.rate, removed=removed),))
