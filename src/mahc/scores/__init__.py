"""Scores: how well a family (a child and its parents) explains the data. Larger is better."""

from mahc.scores.aic import AIC
from mahc.scores.base import SCORES, CountScore, PenalisedScore, Score, make_score
from mahc.scores.bdeu import BDeu
from mahc.scores.bic import BIC
from mahc.scores.fnml import FNML
from mahc.scores.loglik import LogLikelihood
from mahc.scores.qnml import QNML
from mahc.scores.smooth import Smooth

__all__ = [
    "AIC",
    "BIC",
    "FNML",
    "QNML",
    "SCORES",
    "BDeu",
    "CountScore",
    "LogLikelihood",
    "PenalisedScore",
    "Score",
    "Smooth",
    "make_score",
]
