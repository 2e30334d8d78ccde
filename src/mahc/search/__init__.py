"""Search: pruning, averaging, the climb, and the algorithms put together from them."""

from mahc.search import hc, mahc, tabu
from mahc.search.algorithm import ALGORITHMS, Algorithm, Found, make_algorithm

__all__ = ["ALGORITHMS", "Algorithm", "Found", "hc", "mahc", "make_algorithm", "tabu"]
