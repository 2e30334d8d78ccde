"""Sentences that the Markdown and the page share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mahc.paper.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.paper.names import join, title_of
from mahc.paper.printed_subset import covers_the_paper
from mahc.paper.results import Results
from mahc.paper.tables.raw import OUTCOME_WORDS

LISTED = ("Contestant", "Case", "Data", "Rows", "Seed", "Outcome", "Reason")
ALIKE = "Paper, these cases and sizes"
GLOSSARY = (
    (
        "MAHC, HC and the others",
        "algorithms that learn a graph from data. MAHC is the paper's; it changes HC, hill climbing, by pruning "
        "(arcs that are not looked at) and averaging (the score of a graph's neighbours counts too). All are listed "
        "under Contestants.",
    ),
    ("Case", "a network whose graph is known. Data are drawn from it, so that a learnt graph can be held against it."),
    (
        "Clean and cMISL data",
        "data as drawn, and data made worse as in the paper: in 5 % each values are lost (M) or wrong (I), states "
        "are merged (S) and variables hidden (L).",
    ),
    ("Seed, cell", "a seed is one drawing of all the data; a cell is one contestant on one sample."),
    (
        "Recall, precision, F1",
        "the share of the true edges that were learnt (sensitivity), the share of the learnt edges that are true "
        "(positive predictive value), and the harmonic mean of the two; 1 is best. An edge in the wrong direction "
        "counts half.",
    ),
    (
        "BSF",
        "sensitivity and specificity in one number, as in Youden's index: 1 for the true graph, 0 for a graph "
        "without edges or with all of them.",
    ),
    ("SHD", "edges missing, edges too many, and half of those in the wrong direction; 0 is best."),
    (
        "BIC",
        "how well a graph fits the data, less a price for each of its parameters, in bits. It is negative; nearer to "
        "zero is better. A better fit is not always a truer graph.",
    ),
)
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
    truth = " and the true graph" if results.truth else ""
    return (
        f"{_count(len(results.learners), 'contestant')}{truth} on {_count(len(outline.cases), 'case')} "
        f"({join(map(title_of, outline.cases))}), {join(f'{size:,}' for size in outline.sizes)} rows, "
        f"{join(outline.data)} data, {_count(len(outline.seeds), 'seed')}."
    )


def cautions(results: Results) -> Iterator[str]:
    """What a reader must know before the numbers."""
    if results.reference is None:
        yield (
            "No contestant stands for MAHC, so all that is compared with it is empty below. Give one of the plan "
            'paper_name = "MAHC", or the label MAHC.'
        )
    if not covers_the_paper(results):
        yield (
            "The paper's printed averages are over its own six cases and 100 to 100,000 rows. This run has other cases "
            "or sizes, so a difference from them is also one of what was averaged."
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


def failures(results: Results, place: str = "listed below") -> str:
    """How many cells gave no graph, by outcome, how many an unfinished one, and where the reasons are."""
    counts = Counter(row.outcome for row in results.failed)
    total, early = sum(counts.values()), len(results.early)
    told = "Every cell that was run gave a graph."
    if total:
        kinds = join(f"{counts[outcome]:,} {words}" for outcome, words in OUTCOME_WORDS.items() if counts[outcome])
        told = f"{_count(total, 'cell')} gave no graph ({kinds}); the reasons are {place}."
    if early:
        told += f" {_count(early, 'cell')} gave the best graph found when stopped, also {place}."
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


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


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
