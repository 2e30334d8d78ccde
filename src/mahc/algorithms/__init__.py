"""The structure learning algorithms."""

from mahc.algorithms.score_based import boss, hc, mahc, tabu
from mahc.learning.algorithm import ALGORITHMS, Algorithm, make_algorithm
from mahc.learning.found import Found, FoundDag, FoundPattern, FoundSample

# These are loaded when first used, so that the others start faster.
ALGORITHMS.expect("boss-pag", "mahc.algorithms.hybrid.boss_pag")
ALGORITHMS.expect("exact", "mahc.algorithms.exact.exact")
ALGORITHMS.expect("fci", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("mmhc", "mahc.algorithms.hybrid.mmhc")
ALGORITHMS.expect("pc-stable", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("saiyanh", "mahc.algorithms.hybrid.saiyanh")

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Found",
    "FoundDag",
    "FoundPattern",
    "FoundSample",
    "boss",
    "hc",
    "mahc",
    "make_algorithm",
    "tabu",
]
