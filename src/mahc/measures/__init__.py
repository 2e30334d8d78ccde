"""Measures of a learnt graph against the truth, in the conventions of the paper."""

from __future__ import annotations

from mahc.measures.comparison import Comparison, compare
from mahc.measures.counts import MEASURES, Counts
from mahc.measures.matching import CONVENTION, EdgeMatch, match_edges
from mahc.measures.score_comparison import GraphScore, ScoreComparison, compare_scores
from mahc.measures.scores import MagScore, discrepancy, free_parameters, score_mag

__all__ = [
    "CONVENTION",
    "MEASURES",
    "Comparison",
    "Counts",
    "EdgeMatch",
    "GraphScore",
    "MagScore",
    "ScoreComparison",
    "compare",
    "compare_scores",
    "discrepancy",
    "free_parameters",
    "match_edges",
    "score_mag",
]
