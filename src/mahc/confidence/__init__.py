"""Which edges to believe: resampling the data, and one graph from many."""

from __future__ import annotations

from mahc.confidence.bootstrap import bootstrap
from mahc.confidence.query_spread import query_spread
from mahc.confidence.resampling import Resampler, resampled

__all__ = ["Resampler", "bootstrap", "query_spread", "resampled"]
