"""Search: pruning, averaging, the climb, and the algorithms put together from them."""

from mahc.exact import exact
from mahc.hybrid import mmhc, saiyanh
from mahc.search import hc, mahc, tabu
from mahc.search.algorithm import ALGORITHMS, Algorithm, Found, make_algorithm

__all__ = ["ALGORITHMS", "Algorithm", "Found", "exact", "hc", "mahc", "make_algorithm", "mmhc", "saiyanh", "tabu"]
