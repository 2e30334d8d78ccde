"""Algorithms that first ask what depends on what, then search by score."""

from mahc.algorithms.hybrid.saiyanh import SaiyanH

__all__ = ["SaiyanH"]
