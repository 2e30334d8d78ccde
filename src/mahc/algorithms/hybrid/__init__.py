"""Algorithms that first measure dependence, then search by score."""

from mahc.algorithms.hybrid.saiyanh import SaiyanH

__all__ = ["SaiyanH"]
