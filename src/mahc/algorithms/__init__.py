"""Search: pruning, averaging, the climb, and the algorithms put together from them."""

from mahc.algorithms.score_based import boss, hc, mahc, tabu
from mahc.learning.algorithm import ALGORITHMS, Algorithm, make_algorithm
from mahc.learning.found import Found

# Rooms of their own, loaded when one of these is asked for: the others start without them.
ALGORITHMS.expect("exact", "mahc.algorithms.exact.exact")
ALGORITHMS.expect("fci", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("mmhc", "mahc.algorithms.hybrid.mmhc")
ALGORITHMS.expect("pc-stable", "mahc.algorithms.constraint_based.algorithms")
ALGORITHMS.expect("saiyanh", "mahc.algorithms.hybrid.saiyanh")

__all__ = ["ALGORITHMS", "Algorithm", "Found", "boss", "hc", "mahc", "make_algorithm", "tabu"]
