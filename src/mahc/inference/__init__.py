"""Questions to a network with tables: probabilities given observations or interventions, predictions, effects."""

from mahc.inference.answers import Answer, Interval, MostProbable, NumberAnswer
from mahc.inference.effects import Effect
from mahc.inference.evidence import ImpossibleEvidenceError
from mahc.inference.exact import Cost, TooLargeError
from mahc.inference.mixed.effects import MixedEffect
from mahc.inference.mixed.model import MixedModel
from mahc.inference.model import Model

__all__ = [
    "Answer",
    "Cost",
    "Effect",
    "ImpossibleEvidenceError",
    "Interval",
    "MixedEffect",
    "MixedModel",
    "Model",
    "MostProbable",
    "NumberAnswer",
    "TooLargeError",
]
