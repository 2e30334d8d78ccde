"""Structure from independence: PC-Stable, FCI, and the neighbourhoods of MMPC."""

import mahc.algorithms  # noqa: F401  (first, for it files the algorithms, on which some of this room rests)
from mahc.algorithms.constraint_based.fci import fci
from mahc.algorithms.constraint_based.finding import Finding
from mahc.algorithms.constraint_based.mmpc import find_neighbourhoods
from mahc.algorithms.constraint_based.pc_stable import pc_stable
from mahc.algorithms.constraint_based.separations import Separation

__all__ = ["Finding", "Separation", "fci", "find_neighbourhoods", "pc_stable"]
