"""How often MAHC wins against each other algorithm: the overall columns of Tables 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.paper.findings.finding import PERCENT, Finding, show
from mahc.paper.numbers import DATA
from mahc.paper.numbers import wins as printed_wins
from mahc.paper.results import Results
from mahc.paper.tables.wins import win_share


def wins(results: Results, paper: Results) -> Iterator[Finding]:
    """Whether MAHC beats each other algorithm more often than it loses, or the reverse, as in the paper."""
    for data in (kind for kind in results.outline.data if kind in DATA):
        for other in results.others:
            printed = printed_wins(data).get(other.paper_name)
            if printed is None:
                continue
            better, worse = printed["overall", "better"], printed["overall", "worse"]
            sign, words = (
                (1, "beats {} more often than it loses")
                if better > worse
                else (-1, "loses to {} more often than it wins")
            )
            gap = results.over_seeds(partial(_gap, results, other, data, sign))
            printed_here = _shares(paper, paper.by_paper_name(other.paper_name), data)
            yield Finding(
                f"On {data} data MAHC {words.format(other.label)}",
                f"{PERCENT.show(better)} won, {PERCENT.show(worse)} lost",
                _shares(results, other, data),
                gap,
                printed_here,
            )


def _shares(results: Results, other: ContestantInfo | None, data: str) -> str:
    if other is None:
        return ""
    better, worse = (
        results.over_seeds(partial(win_share, results, other, data, "overall", word)) for word in ("better", "worse")
    )
    return show(None) if better is None else f"{show(better)} won, {show(worse)} lost"


def _gap(results: Results, other: ContestantInfo, data: str, sign: int, seed: int) -> float | None:
    better, worse = (win_share(results, other, data, "overall", word, seed) for word in ("better", "worse"))
    return None if better is None or worse is None else sign * (better - worse)
