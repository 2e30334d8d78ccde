"""The noise of the paper's experiments, one file per noise; noises can be combined and take a seed.

A new noise is a file here with a registered class, and one import line below.
"""

from __future__ import annotations

from mahc.networks.noise.base import NOISES, Merge, Noise, NoisyData, Outcome
from mahc.networks.noise.combined import CMISL, Combined, parse_noise
from mahc.networks.noise.incorrect import Incorrect
from mahc.networks.noise.latent import Latent
from mahc.networks.noise.mechanisms import MissingAtRandom, MissingCompletelyAtRandom, MissingNotAtRandom
from mahc.networks.noise.merged import Merged
from mahc.networks.noise.missing import Missing

__all__ = [
    "CMISL",
    "NOISES",
    "Combined",
    "Incorrect",
    "Latent",
    "Merge",
    "Merged",
    "Missing",
    "MissingAtRandom",
    "MissingCompletelyAtRandom",
    "MissingNotAtRandom",
    "Noise",
    "NoisyData",
    "Outcome",
    "parse_noise",
]
