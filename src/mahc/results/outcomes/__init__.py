"""What an algorithm found, as a result keeps it: each kind of outcome explains, describes and checks itself."""

from __future__ import annotations

from mahc.results.outcomes.dag import DagOutcome
from mahc.results.outcomes.pattern import PatternOutcome
from mahc.results.outcomes.sample import SampleOutcome

Outcome = DagOutcome | PatternOutcome | SampleOutcome
OUTCOMES = (DagOutcome, PatternOutcome, SampleOutcome)

__all__ = ["OUTCOMES", "DagOutcome", "Outcome", "PatternOutcome", "SampleOutcome"]
