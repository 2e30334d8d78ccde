"""Which of the paper's findings hold in a run: for each, the sign of a number, computed for every seed."""

from __future__ import annotations

from mahc.paper.findings.finding import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.paper.findings.phases import phases
from mahc.paper.findings.pruning import pruning
from mahc.paper.findings.scores import scores
from mahc.paper.findings.wins import wins
from mahc.paper.printed_subset import printed_subset
from mahc.paper.results import Results

__all__ = ["FAILS", "HOLDS", "OPEN", "UNTESTED", "Finding", "findings"]


def findings(results: Results) -> tuple[Finding, ...]:
    """All findings of the paper that can be tested with the contestants of this run."""
    results = results.on_networks
    if not results.follows_paper:
        return ()
    paper = printed_subset(results)
    return (*wins(results, paper), *phases(results, paper), *scores(results), *pruning(results))
