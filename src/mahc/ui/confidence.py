"""How often arcs came back in resamples, for the page."""

from __future__ import annotations

from typing import Any

from mahc.results.graph_sample import GraphSample
from mahc.results.learned import Learned

MAX_ABSENT = 20
NOTABLE = 0.2  # share of resamples from which a pair that the graph does not join is listed


def arc_confidence(confidence: GraphSample | None, tail: str, head: str) -> dict[str, float] | None:
    """Shares of the graphs: with any edge here, in each direction, and with one that has no direction.

    `right` is the measured probability that there is an edge, where known.
    """
    if confidence is None:
        return None
    either = confidence.edge(tail, head)
    forward, backward = confidence.direction(tail, head), confidence.direction(head, tail)
    low, high = confidence.interval(tail, head)
    right = confidence.calibrated(tail, head)
    return {
        "either": either,
        "forward": forward,
        "backward": backward,
        "undirected": max(0.0, either - forward - backward),
        "low": low,
        "high": high,
        **({} if right is None else {"right": right}),
    }


def describe_confidence(learned: Learned) -> dict[str, Any] | None:
    """What the bootstrap was, and the pairs that came back often although the graph does not join them."""
    confidence = learned.confidence
    if confidence is None:
        return None
    joined = {frozenset(pair) for pair in learned.outcome.adjacent}
    absent: list[dict[str, Any]] = []
    for left, right in confidence.graphs:
        pair = confidence.variables[left], confidence.variables[right]
        share = confidence.edge(*pair)
        if frozenset(pair) not in joined and share >= NOTABLE:
            absent.append({"from": pair[0], "to": pair[1], "either": share})
    absent.sort(key=lambda each: (-each["either"], each["from"], each["to"]))
    return {
        "resamples": confidence.drawn,
        "requested": confidence.requested,
        "seed": confidence.seed,
        "how": confidence.origin,
        "noun": f"{confidence.noun}s",
        "text": confidence.describe(),
        "absent": absent[:MAX_ABSENT],
    }
