"""Search: pruning, averaging, the climb, and the algorithms put together from them."""

from mahc.search import hc, mahc, tabu
from mahc.search.algorithm import ALGORITHMS, Algorithm, Found, make_algorithm

# Rooms of their own, loaded when one of these is asked for: the others start without them.
ALGORITHMS.expect("exact", "mahc.exact.exact")
ALGORITHMS.expect("fci", "mahc.constraint.algorithms")
ALGORITHMS.expect("mmhc", "mahc.hybrid.mmhc")
ALGORITHMS.expect("pc-stable", "mahc.constraint.algorithms")
ALGORITHMS.expect("saiyanh", "mahc.hybrid.saiyanh")

__all__ = ["ALGORITHMS", "Algorithm", "Found", "hc", "mahc", "make_algorithm", "tabu"]
