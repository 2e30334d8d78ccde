"""The paper's noise: one small plug-in each, composable and seeded."""

from __future__ import annotations

from mahc.networks.noise.base import NOISES, Merge, Noise, Noisy, Outcome
from mahc.networks.noise.combined import CMISL, Combined, parse_noise
from mahc.networks.noise.incorrect import Incorrect
from mahc.networks.noise.latent import Latent
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
    "Noise",
    "Noisy",
    "Outcome",
    "parse_noise",
]
