"""The structure learning algorithms. Each is loaded when first used."""

from mahc.learning.algorithm import ALGORITHMS, Algorithm, make_algorithm
from mahc.learning.found import Found, FoundDag, FoundPattern, FoundSample

ALGORITHMS.expect("boss", "mahc.algorithms.score_based.boss")
ALGORITHMS.expect("boss-pag", "mahc.algorithms.hybrid.boss_pag")
ALGORITHMS.expect("exact", "mahc.algorithms.exact.exact")
ALGORITHMS.expect("fci", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("hc", "mahc.algorithms.score_based.hc")
ALGORITHMS.expect("mahc", "mahc.algorithms.score_based.mahc")
ALGORITHMS.expect("mmhc", "mahc.algorithms.hybrid.mmhc")
ALGORITHMS.expect("pc-stable", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("saiyanh", "mahc.algorithms.hybrid.saiyanh")
ALGORITHMS.expect("tabu", "mahc.algorithms.score_based.tabu")
ALGORITHMS.alias("best", "boss")

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Found",
    "FoundDag",
    "FoundPattern",
    "FoundSample",
    "make_algorithm",
]
