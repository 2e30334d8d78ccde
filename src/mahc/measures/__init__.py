"""Comparing a learned graph with the true one, by the rules of the paper.

A new measure is a registered function of `Counts`: in `counts.py`, or in its own file and imported here.
"""

from __future__ import annotations

from mahc.measures.comparison import Comparison, compare
from mahc.measures.counts import MEASURES, Counts
from mahc.measures.graph_score import FamilyScore, ScoredGraph, score_graph
from mahc.measures.intervention_distances import InterventionDistances, intervention_distances
from mahc.measures.mag_score import MagScore, score_mag
from mahc.measures.matching import CONVENTION, EdgeMatch, match_edges
from mahc.measures.score_comparison import GraphScore, ScoreComparison, compare_scores, discrepancy, free_parameters

__all__ = [
    "CONVENTION",
    "MEASURES",
    "Comparison",
    "Counts",
    "EdgeMatch",
    "FamilyScore",
    "GraphScore",
    "InterventionDistances",
    "MagScore",
    "ScoreComparison",
    "ScoredGraph",
    "compare",
    "compare_scores",
    "discrepancy",
    "free_parameters",
    "intervention_distances",
    "match_edges",
    "score_graph",
    "score_mag",
]
