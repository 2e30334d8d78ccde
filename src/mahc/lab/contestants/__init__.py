"""The kinds of contestants that a plan can name."""

from __future__ import annotations

from mahc.lab.contestants import ours, theirs  # noqa: F401
from mahc.lab.contestants.base import KINDS, Answer, CellError, Contestant, Sample, make_contestant

__all__ = ["KINDS", "Answer", "CellError", "Contestant", "Sample", "make_contestant"]
