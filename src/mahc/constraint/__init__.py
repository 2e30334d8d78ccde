"""Structure from independence: PC-Stable, FCI, and the neighbourhoods of MMPC."""

import mahc.search  # noqa: F401  (first, for it files the algorithms, on which some of this room rests)
from mahc.constraint.fci import fci
from mahc.constraint.finding import Finding
from mahc.constraint.mmpc import find_neighbourhoods
from mahc.constraint.pc_stable import pc_stable
from mahc.constraint.separations import Separation

__all__ = ["Finding", "Separation", "fci", "find_neighbourhoods", "pc_stable"]
