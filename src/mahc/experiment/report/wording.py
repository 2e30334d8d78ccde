"""Sentences that the Markdown and the page share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mahc.experiment.report.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.experiment.report.outline import join, title_of
from mahc.experiment.report.results import Results
from mahc.experiment.report.tables.raw import OUTCOME_WORDS

LISTED = ("Contestant", "Case", "Data", "Rows", "Seed", "Outcome", "Reason")
ALIKE = "Paper, these cases and sizes"
READING = (
    "Every number is our mean over the seeds; ± is half of its 95 % interval (Student's t, one number a seed), given "
    "where there are two seeds or more. Beside it stand the paper's printed number and ours less the paper's.",
    "Won and lost are shares of all comparisons of one measure in one experiment, over the five measures together; a "
    "finding is undecided where its interval over the seeds reaches zero, and with one seed its sign decides.",
    "The paper drew one sample a case and size; ours are drawn anew, so single cells differ by the luck of the draw.",
    "The paper's Tables 4 and 5 head the columns SHD and F1 the wrong way round (its own Table B.1 shows it); here "
    "they stand under their right names. docs/paper-tables.md tells how each table was read.",
)


def scope(results: Results) -> str:
    """What was to be run."""
    outline = results.outline
    return (
        f"{len(outline.contestants)} contestants on {len(outline.cases)} cases ({join(map(title_of, outline.cases))}), "
        f"{join(f'{size:,}' for size in outline.sizes)} rows, {join(outline.data)} data, "
        f"{len(outline.seeds)} {'seed' if len(outline.seeds) == 1 else 'seeds'}."
    )


def completeness(results: Results) -> str:
    """How much of it there is."""
    cells, missing = results.outline.cells, len(results.missing)
    if not missing:
        return f"All {cells:,} cells have been run." if cells != 1 else "The one cell has been run."
    return (
        f"Incomplete: {missing:,} of {cells:,} cells have not been run yet and count nowhere below; a seed that is "
        "partly run weighs as much as a whole one."
    )


def failures(results: Results) -> str:
    """How many cells gave no graph, by outcome, and how many an unfinished one."""
    counts = Counter(row.outcome for row in results.failed)
    total, early = sum(counts.values()), len(results.early)
    told = "Every cell that was run gave a graph."
    if total:
        kinds = join(f"{counts[outcome]:,} {words}" for outcome, words in OUTCOME_WORDS.items() if counts[outcome])
        told = f"{total:,} {_cells(total)} gave no graph ({kinds}); the reasons are listed below."
    if early:
        told += f" {early:,} {_cells(early)} gave the best graph found when stopped, also listed below."
    return told


def listed(results: Results) -> Iterator[tuple[str, ...]]:
    """The cells without a graph and those that were stopped early, in words."""
    for row in (*results.failed, *results.early):
        outcome = OUTCOME_WORDS.get(row.outcome, row.outcome)
        reason = row.reason
        if row.finished:
            gap = "" if row.gap is None else f", {row.gap:,.1f} bits left unproven"
            outcome, reason = "stopped early", f"{row.stop_reason}{gap}"
        yield row.contestant, title_of(row.case), row.data, str(row.rows), str(row.seed), outcome, reason


def _cells(count: int) -> str:
    return "cell" if count == 1 else "cells"


def tally(found: Sequence[Finding]) -> str:
    """How many findings hold."""
    counts = Counter(finding.verdict for finding in found)
    return join(
        f"{counts[verdict]} {words}"
        for verdict, words in (
            (HOLDS, "hold"),
            (FAILS, "do not hold"),
            (OPEN, "are undecided"),
            (UNTESTED, "not tested"),
        )
        if counts[verdict]
    )
