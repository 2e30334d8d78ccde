"""The scores that are sums over counts."""

from __future__ import annotations

from mahc.scores import SCORES, CountScore

COUNT_SCORES = [name for name in SCORES.names() if issubclass(SCORES[name], CountScore)]
