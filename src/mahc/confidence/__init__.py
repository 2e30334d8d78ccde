"""Which edges to believe: resampling the data, and one graph from many."""

from __future__ import annotations

from mahc.confidence.agreement import Agreement, consensus
from mahc.confidence.aipw import AipwEstimate, aipw
from mahc.confidence.averaging import Consensus, average
from mahc.confidence.bootstrap import bootstrap
from mahc.confidence.checking import GraphCheck, check_graph
from mahc.confidence.combining import combine
from mahc.confidence.positivity import Gap, Positivity, check_positivity
from mahc.confidence.posterior import posterior
from mahc.confidence.query_spread import query_spread
from mahc.confidence.resampling import Resampler, resampled
from mahc.confidence.validation import Candidate, Validation, validate
from mahc.results.graph_sample import GraphSample

__all__ = [
    "Agreement",
    "AipwEstimate",
    "Candidate",
    "Consensus",
    "Gap",
    "GraphCheck",
    "GraphSample",
    "Positivity",
    "Resampler",
    "Validation",
    "aipw",
    "average",
    "bootstrap",
    "check_graph",
    "check_positivity",
    "combine",
    "consensus",
    "posterior",
    "query_spread",
    "resampled",
    "validate",
]
