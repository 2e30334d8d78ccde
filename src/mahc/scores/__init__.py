"""Scores: how well a family (a child and its parents) explains the data. Larger is better.

Each score is a file that is loaded when first used. A new one is a file here and one line with `SCORES.expect`.
"""

from typing import TYPE_CHECKING

from mahc.on_demand import load_on_demand
from mahc.scores.base import SCORES, CountScore, PenalisedScore, Score, make_score

if TYPE_CHECKING:
    from mahc.scores.aic import AIC
    from mahc.scores.bdeu import BDeu
    from mahc.scores.bge import BGe
    from mahc.scores.bic import BIC
    from mahc.scores.fnml import FNML
    from mahc.scores.gaussian_bic import GaussianBIC
    from mahc.scores.loglik import LogLikelihood
    from mahc.scores.mixed import Mixed
    from mahc.scores.qnml import QNML
    from mahc.scores.smooth import Smooth
else:
    __getattr__, __dir__ = load_on_demand(
        __name__,
        {
            "AIC": "mahc.scores.aic",
            "BDeu": "mahc.scores.bdeu",
            "BGe": "mahc.scores.bge",
            "BIC": "mahc.scores.bic",
            "FNML": "mahc.scores.fnml",
            "GaussianBIC": "mahc.scores.gaussian_bic",
            "LogLikelihood": "mahc.scores.loglik",
            "Mixed": "mahc.scores.mixed",
            "QNML": "mahc.scores.qnml",
            "Smooth": "mahc.scores.smooth",
        },
    )

SCORES.expect("aic", "mahc.scores.aic")
SCORES.expect("bdeu", "mahc.scores.bdeu")
SCORES.expect("bge", "mahc.scores.bge")
SCORES.expect("bic", "mahc.scores.bic")
SCORES.expect("fnml", "mahc.scores.fnml")
SCORES.expect("gaussian-bic", "mahc.scores.gaussian_bic")
SCORES.expect("loglik", "mahc.scores.loglik")
SCORES.expect("mixed", "mahc.scores.mixed")
SCORES.expect("qnml", "mahc.scores.qnml")
SCORES.expect("smooth", "mahc.scores.smooth")

__all__ = [
    "AIC",
    "BIC",
    "FNML",
    "QNML",
    "SCORES",
    "BDeu",
    "BGe",
    "CountScore",
    "GaussianBIC",
    "LogLikelihood",
    "Mixed",
    "PenalisedScore",
    "Score",
    "Smooth",
    "make_score",
]
