"""How often MAHC wins against each rival: the overall columns of Tables 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.paper.findings.finding import PERCENT, Finding, told
from mahc.paper.numbers import DATA
from mahc.paper.numbers import wins as printed_wins
from mahc.paper.results import Results
from mahc.paper.tables.wins import win_share


def wins(results: Results, paper: Results) -> Iterator[Finding]:
    """MAHC beats, or loses to, each rival as often as not."""
    for data in (kind for kind in results.outline.data if kind in DATA):
        for rival in results.rivals:
            printed = printed_wins(data).get(rival.paper_name)
            if printed is None:
                continue
            better, worse = printed["overall", "better"], printed["overall", "worse"]
            sign, words = (
                (1, "beats {} more often than it loses")
                if better > worse
                else (-1, "loses to {} more often than it wins")
            )
            gap = results.over_seeds(partial(_gap, results, rival, data, sign))
            alike = _shares(paper, paper.by_paper_name(rival.paper_name), data)
            yield Finding(
                f"On {data} data MAHC {words.format(rival.label)}",
                f"{PERCENT.show(better)} won, {PERCENT.show(worse)} lost",
                _shares(results, rival, data),
                gap,
                alike,
            )


def _shares(results: Results, rival: ContestantInfo | None, data: str) -> str:
    if rival is None:
        return ""
    better, worse = (
        results.over_seeds(partial(win_share, results, rival, data, "overall", word)) for word in ("better", "worse")
    )
    return told(None) if better is None else f"{told(better)} won, {told(worse)} lost"


def _gap(results: Results, rival: ContestantInfo, data: str, sign: int, seed: int) -> float | None:
    better, worse = (win_share(results, rival, data, "overall", word, seed) for word in ("better", "worse"))
    return None if better is None or worse is None else sign * (better - worse)
