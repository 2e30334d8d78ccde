"""The compiled core and its thin Python face: counting, local scores, search. Arrays in, arrays out."""

from mahc.engine.families import Families
from mahc.engine.rows import EngineRows, instruction_levels
from mahc.engine.scoring import FamilyScorer, RowScorer

__all__ = ["EngineRows", "Families", "FamilyScorer", "RowScorer", "instruction_levels"]
