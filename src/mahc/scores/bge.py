"""Bayesian Gaussian equivalent (Geiger and Heckerman 2002; Kuipers, Moffa and Heckerman 2014)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from mahc.errors import Mention, SettingError
from mahc.plurals import count
from mahc.scores.base import SCORES
from mahc.scores.gaussian_bic import MomentScore, SetTerms
from mahc.setting_checks import Number
from mahc.settings import setting


@SCORES.register("bge")
@dataclass(frozen=True)
class BGe(MomentScore):
    """Log marginal likelihood of a linear Gaussian network under a normal-Wishart prior.

    The prior has the mean of the data and the scale matrix t D with t = alpha_mu (alpha_w - n - 1) / (alpha_mu + 1), D
    having the variances of the data on its diagonal: the prior of Kuipers and others for standardised columns, so the
    units of a column do not matter to the graph. The likelihood is a density in the units of the data.

    Parameters
    ----------
    base : float
        Base of the logarithms; 2 gives bits.
    alpha_mu : float
        Number of rows that the prior mean is worth.
    alpha_w : float, optional
        Degrees of freedom of the Wishart prior, above the number of variables plus 1; n + alpha_mu + 1 for n variables
        if left out.

    Examples
    --------
    >>> import mahc
    >>> height = [row * 37 % 101 / 7 for row in range(300)]
    >>> weight = [2 * value + row % 5 for row, value in enumerate(height)]
    >>> mahc.learn({"height": height, "weight": weight}, "boss", objective="bge", alpha_mu=2).arcs
    (('weight', 'height'),)
    """

    alpha_mu: float = setting(
        1.0,
        help="Rows that the prior mean is worth.",
        check=Number(above=0, hint="1 is usual"),
        metavar="N",
    )
    alpha_w: float | None = setting(
        None,
        help="Degrees of freedom of the Wishart prior; the number of variables + alpha_mu + 1 if left out.",
        check=Number(above=2),
        metavar="N",
    )

    name: ClassVar[str] = "bge"
    marginal_likelihood: ClassVar[bool] = True

    def terms(self, size: int, variables: int, columns: int) -> SetTerms:
        """Kuipers and others' equation for a set of variables; its multivariate gamma functions telescope."""
        mu = self.alpha_mu
        free = mu + 1 if self.alpha_w is None else self.alpha_w - variables  # alpha_w - n
        if free <= 1:
            raise SettingError(
                Mention("alpha_w", self.alpha_w),
                f" is too small for {count(variables, 'variable')}: give more than {variables + 1}, or leave it out",
            )
        scale = mu * (free - 1) / (mu + 1)
        steps = [_log_gamma_ratio((free + c) / 2, size) for c in range(1, columns + 1)]
        gammas = list(accumulate(steps, initial=0.0))
        once = 0.5 * math.log(mu / (size + mu)) - 0.5 * size * math.log(math.pi)
        weight = [0.5 * (size + free + c) for c in range(columns + 1)]
        constant = [
            gammas[c] + c * once + c * (0.5 * (free + c) * math.log(scale) - weight[c] * math.log(scale + size))
            for c in range(columns + 1)
        ]
        alone = constant[1] if columns else 0.0
        return SetTerms(weight, constant, alone, size / (scale + size))


def _log_gamma_ratio(start: float, size: int) -> float:
    """The natural logarithm of Gamma(start + size / 2) / Gamma(start)."""
    return math.lgamma(start + size / 2) - math.lgamma(start)
