"""Data with a known true graph: a sample of a network, with noise if requested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mahc.data.dataset import Dataset
from mahc.networks.network import Network
from mahc.networks.noise import Noise, Outcome
from mahc.networks.sampling import Do, sample

if TYPE_CHECKING:
    from mahc.graphs import DAG, MixedGraph


@dataclass(frozen=True)
class Simulation:
    """A sample of a network, the outcomes of the noises, and the true graph.

    Parameters
    ----------
    network : Network
        The network that was sampled.
    data : Dataset
        The sample, with noise.
    outcomes : tuple of Outcome
        What each noise did.

    Examples
    --------
    >>> from mahc.networks import load_network, simulate
    >>> simulate(load_network("asia"), 100, seed=1).data.rows
    100
    """

    network: Network
    data: Dataset
    outcomes: tuple[Outcome, ...]

    @property
    def dag(self) -> DAG:
        """The graph of the network, removed variables included."""
        return self.network.dag

    @property
    def latents(self) -> tuple[str, ...]:
        """The variables that noise removed, sorted."""
        return tuple(sorted(name for outcome in self.outcomes for name in outcome.removed or ()))

    @property
    def truth_kind(self) -> str:
        """`pag` if a variable was removed, else `cpdag`."""
        return "pag" if self.latents else "cpdag"

    def truth(self) -> MixedGraph:
        """The true PAG over the remaining variables, or the true CPDAG if none was removed."""
        from mahc.graphs import dag_to_cpdag, dag_to_pag

        return dag_to_pag(self.network.dag, self.latents) if self.latents else dag_to_cpdag(self.network.dag)


def simulate(
    network: Network,
    rows: int,
    seed: int,
    noise: Noise | None = None,
    experiments: Sequence[tuple[Do, int]] = (),
) -> Simulation:
    """Draw rows from a network and apply noise, both from one seed.

    What is merged or removed does not depend on the number of rows.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        Number of rows.
    seed : int
        The seed of the rows and of the noise.
    noise : Noise, optional
        The noise, for instance `CMISL()`.
    experiments : sequence of (do, int)
        Experiments, as `sample` takes them, and how many rows each adds.

    Returns
    -------
    Simulation
        The data, what the noise did, and the true graph.

    Raises
    ------
    MahcError
        If the number of rows or the seed is out of range, or the noise does not apply.

    Examples
    --------
    >>> from mahc.networks import load_network
    >>> from mahc.networks.noise import Latent
    >>> simulate(load_network("asia"), 100, seed=1, noise=Latent(variables=("dysp",))).latents
    ('dysp',)
    """
    data = sample(network, rows, seed, unseen_states=True)
    for do, number in experiments:
        data = data.stack(sample(network, number, seed, do=do, unseen_states=True))
    outcomes: tuple[Outcome, ...] = ()
    if noise is not None:
        noisy = noise.apply(data, seed)
        data, outcomes = noisy.data, noisy.outcomes
    return Simulation(network, data.without_unused_states(), outcomes)
