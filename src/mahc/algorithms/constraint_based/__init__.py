"""Structure from tests of independence: PC-Stable, FCI, and the neighbourhoods of MMPC."""

import mahc.algorithms  # noqa: F401  (first: it registers the algorithms that modules of this package need)
from mahc.algorithms.constraint_based.fci import fci
from mahc.algorithms.constraint_based.mmpc import find_neighbourhoods
from mahc.algorithms.constraint_based.pc_stable import pc_stable
from mahc.algorithms.constraint_based.separations import ConstraintOutcome, Separation

__all__ = ["ConstraintOutcome", "Separation", "fci", "find_neighbourhoods", "pc_stable"]
