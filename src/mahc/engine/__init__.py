"""The compiled core and its Python interface: counting, local scores, search. Arrays in, arrays out."""

from mahc.engine.control import CancelFlag, CancelToken, RunControl
from mahc.engine.count_scoring import CountScorer
from mahc.engine.counts import CountSource, FamilyCounts
from mahc.engine.families import Families
from mahc.engine.rows import EngineRows, instruction_levels
from mahc.engine.scoring import FamilyScorer, RowScorer

__all__ = [
    "CancelFlag",
    "CancelToken",
    "CountScorer",
    "CountSource",
    "EngineRows",
    "Families",
    "FamilyCounts",
    "FamilyScorer",
    "RowScorer",
    "RunControl",
    "instruction_levels",
]
