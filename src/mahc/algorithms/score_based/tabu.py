"""TABU as Bayesys does it: hill climbing that escapes from its top through the least bad neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mahc.algorithms.score_based.hc import HillClimbing
from mahc.learning.algorithm import ALGORITHMS


@ALGORITHMS.register("tabu")
@dataclass(frozen=True)
class Tabu(HillClimbing):
    """Hill climbing, then up to |V|(|V|-1) escapes from its top; each that leads higher starts the count anew.

    >>> Tabu().settings()["search_in_degree"]
    8
    """

    name: ClassVar[str] = "tabu"
    estimator: ClassVar[str] = "TABU"
    escapes: ClassVar[bool] = True
