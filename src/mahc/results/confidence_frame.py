"""The frequencies of all ordered pairs of variables as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mahc.graphs import Mark
from mahc.results.calibration import calibrate
from mahc.results.intervals import wilson_interval

if TYPE_CHECKING:
    import polars as pl

    from mahc.results.confidence import Confidence


def make_frame(confidence: Confidence) -> pl.DataFrame:
    """One row per ordered pair: the shares of the edge, of each direction and of each mark, with intervals.

    >>> import mahc
    >>> confidence = mahc.bootstrap({"a": ["x", "y"] * 40, "b": ["x", "y"] * 40}, "hc", resamples=10)
    >>> make_frame(confidence).select("from", "to", "edge", "compelled", "undirected").rows()
    [('a', 'b', 1.0, 0.0, 1.0), ('b', 'a', 1.0, 0.0, 1.0)]
    """
    import polars as pl

    names, done = confidence.variables, confidence.resamples
    place = np.arange(len(names))
    rows, columns = np.meshgrid(place, place, indexing="ij")
    keep = rows != columns
    tails, heads = rows[keep], columns[keep]
    labels = np.array(names, dtype=object)
    found: dict[str, object] = {"from": labels[tails].tolist(), "to": labels[heads].tolist()}
    graphs, patterns = confidence.graphs, confidence.patterns
    counted = {
        "edge": graphs.edge_matrix()[keep],
        "direction": graphs.text_matrix("-->")[keep],
        "compelled": patterns.text_matrix("-->")[keep],
    }
    for name, counts in counted.items():
        low, high = wilson_interval(counts, done)
        found |= {name: counts / done, f"{name}_low": low, f"{name}_high": high}
        calibrated = calibrate(counts, done, confidence.run.algorithm, name) if confidence.how == "bootstrap" else None
        found[f"{name}_calibrated"] = (
            pl.Series([None] * len(counts), dtype=pl.Float64) if calibrated is None else calibrated
        )
    found["undirected"] = patterns.text_matrix("---")[keep] / done
    for name, mark in (("arrowhead_at_to", Mark.ARROW), ("tail_at_to", Mark.TAIL), ("circle_at_to", Mark.CIRCLE)):
        found[name] = patterns.mark_matrix(mark)[keep] / done
    return pl.DataFrame(found)
