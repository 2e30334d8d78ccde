"""The interface between constraint-based algorithms and their source of independence tests."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.independence.declarations import ALPHA, MAX_CONDITIONS

# "Is x independent of y given Z?" is the family of x with parents (Z, y). Questions that follow each other and
# share x and Z are answered together: put y last and let it vary fastest.
Questions = Families
LogP = NDArray[np.float64]


class IndependenceOracle(Protocol):
    """Answers questions about conditional independence in batches; the protocol of all oracles.

    An answer is the natural logarithm of a p-value: 0 is certainly independent, -inf certainly not.

    Examples
    --------
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import Questions, SeparationOracle
    >>> oracle = SeparationOracle(DAG(["a", "b"], [("a", "b")]))
    >>> oracle.log_p_values(Questions.of([(0, [1])])).tolist()
    [-inf]
    """

    @property
    def variables(self) -> int:
        """How many variables there are; questions name them 0, 1, ..."""
        ...

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question, in their order; None when it was stopped."""
        ...


def independent(log_p: LogP, alpha: float) -> NDArray[np.bool_]:
    """Which answers of an oracle count as independent: those with a p-value above alpha.

    Parameters
    ----------
    log_p : array of float
        Natural logarithms of p-values.
    alpha : float
        The significance level.

    Returns
    -------
    array of bool
        True where the pair counts as independent.

    Examples
    --------
    >>> independent(np.log([0.005, 0.01, 0.5]), 0.01).tolist()
    [False, False, True]
    """
    return log_p > math.log(alpha)


def check_alpha(alpha: float) -> None:
    """A significance level lies between 0 and 1."""
    ALPHA.require("alpha", alpha)


def check_max_conditions(max_conditions: int | None) -> None:
    """The size of the largest conditioning set is a whole number, or None for no limit."""
    if max_conditions is not None:
        MAX_CONDITIONS.require("max_conditions", max_conditions, optional=True)
