"""Which of the paper's findings hold in a run: each is one number a seed whose sign decides."""

from __future__ import annotations

from mahc.experiment.report.findings.duels import duels
from mahc.experiment.report.findings.finding import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.experiment.report.findings.phases import phases
from mahc.experiment.report.findings.pruning import pruning
from mahc.experiment.report.findings.scores import scores
from mahc.experiment.report.like_for_like import paper_results
from mahc.experiment.report.results import Results

__all__ = ["FAILS", "HOLDS", "OPEN", "UNTESTED", "Finding", "findings"]


def findings(results: Results) -> tuple[Finding, ...]:
    """All findings of the paper that the contestants of this run could bear out."""
    paper = paper_results(results)
    return (*duels(results, paper), *phases(results, paper), *scores(results), *pruning(results))
