"""The reason for every ordered pair of variables, compressed for a file that needs no server."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from mahc.errors import MahcError
from mahc.results.graph_sample import add_confidence
from mahc.results.learned import Learned
from mahc.ui.page_words import with_arrows

MAX_VARIABLES = 600  # the reasons of 500 variables take about 3 MB


def pack_reasons(learned: Learned) -> dict[str, Any] | None:
    """One compressed list of sentences per variable, about the arcs to it; None where there are too many or none.

    Each list is JSON, compressed by zlib's deflate without header and written in base64; a browser reads it with
    `DecompressionStream("deflate-raw")` when the first pair that needs it is chosen.
    """
    if len(learned.variables) > MAX_VARIABLES:
        return None
    try:
        explainer = learned.outcome.explainer(learned.run)
    except MahcError:
        return None
    names, confidence = learned.variables, learned.confidence

    def say(tail: str, head: str) -> str | None:
        if tail == head:
            return None
        reason = explainer.explain(tail, head)
        return with_arrows((reason if confidence is None else add_confidence(reason, confidence)).sentence)

    lists = [[say(a, b) for a in names] for b in names]  # sentences about one head are alike, so they compress well
    return {"encoding": "json, deflate-raw, base64; one list per variable", "lists": [_pack(each) for each in lists]}


def _pack(sentences: list[str | None]) -> str:
    text = json.dumps(sentences, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeezer.compress(text) + squeezer.flush()).decode("ascii")
