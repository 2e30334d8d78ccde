"""Which of the paper's findings hold in a run: each is one number a seed whose sign decides."""

from __future__ import annotations

from mahc.paper.findings.finding import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.paper.findings.phases import phases
from mahc.paper.findings.pruning import pruning
from mahc.paper.findings.scores import scores
from mahc.paper.findings.wins import wins
from mahc.paper.printed_subset import paper_results
from mahc.paper.results import Results

__all__ = ["FAILS", "HOLDS", "OPEN", "UNTESTED", "Finding", "findings"]


def findings(results: Results) -> tuple[Finding, ...]:
    """All findings of the paper that the contestants of this run could bear out."""
    paper = paper_results(results)
    return (*wins(results, paper), *phases(results, paper), *scores(results), *pruning(results))
