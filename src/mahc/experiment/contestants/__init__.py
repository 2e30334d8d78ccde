"""The kinds of contestants that a plan can name."""

from __future__ import annotations

from mahc.experiment.contestants import algorithm, command, consensus, function, peer  # noqa: F401
from mahc.experiment.contestants.base import KINDS, Answer, CellError, Contestant, Sample, make_contestant

__all__ = ["KINDS", "Answer", "CellError", "Contestant", "Sample", "make_contestant"]
