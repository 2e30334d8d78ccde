"""Sentences that the Markdown and the HTML page share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mahc.lab.outline import OUTCOME_WORDS, TRUTH, ContestantInfo
from mahc.lab.paper.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.lab.paper.results import Results, covers_paper, join, title_of
from mahc.plurals import noun

LISTED = ("Contestant", "Case", "Data", "Rows", "Seed", "Outcome", "Reason")
FINDINGS_TITLE = "Findings of the paper"
PRINTED_HERE = "Paper, these cases and sizes"
GLOSSARY = (
    (
        "MAHC, HC and the others",
        "algorithms that learn a graph from data. MAHC is the paper's; it changes HC, hill climbing, by pruning "
        "(some arcs are never considered) and averaging (the scores of neighbouring graphs count too). All are listed "
        "under Contestants.",
    ),
    (
        "Case",
        "a network whose graph is known. Data are drawn from it, and the learned graph is compared with the true one.",
    ),
    (
        "Clean and cMISL data",
        "data as drawn, and data with noise as in the paper, 5 % of each kind: missing values (M), incorrect values "
        "(I), merged states (S) and hidden variables (L).",
    ),
    ("Seed, cell", "each seed draws all the data once; a cell is one contestant on one sample."),
    (
        "Recall, precision, F1",
        "the share of the true edges that were learned (sensitivity), the share of the learned edges that are true "
        "(positive predictive value), and the harmonic mean of the two; 1 is best. An edge in the wrong direction "
        "counts half.",
    ),
    (
        "BSF",
        "sensitivity and specificity in one number, as in Youden's index: 1 for the true graph, 0 for a graph "
        "without edges or with all of them.",
    ),
    ("SHD", "missing edges, plus extra edges, plus half of the edges in the wrong direction; 0 is best."),
    (
        "BIC",
        "how well a graph fits the data, minus a penalty for each parameter, in bits. It is negative; closer to zero "
        "is better. A graph that fits better is not always closer to the true one.",
    ),
)
READING = (
    "Every number is our mean over the seeds; ± is half of its 95 % interval (Student's t over the seeds), given "
    "for three seeds or more. Where cases, sizes and contestants are the paper's, the paper's printed number and ours "
    "minus the paper's are next to it.",
    "Blue and ▲ mean better than the reference, orange and ▼ worse, in every table and figure.",
    "Won and lost are shares of all comparisons of one measure in one experiment, over the five measures together; a "
    "finding is undecided where its interval over the seeds contains zero; with fewer than three seeds its sign "
    "decides.",
    "The paper drew one sample for each case and size; ours are new samples, so single cells differ by chance.",
    "In the paper's Tables 4 and 5 the headings SHD and F1 are swapped, as its Table B.1 shows; here each column has "
    "its right name. docs/explanation/paper-tables.md explains how each table was read.",
)


def finding_heads(results: Results) -> tuple[str, ...]:
    """The headings of the table of findings."""
    subset = () if covers_paper(results.on_networks) else (PRINTED_HERE,)
    return ("Finding", "Paper", *subset, "Ours", "Verdict")


def scope(results: Results) -> str:
    """What the plan contains."""
    outline = results.outline
    truth = " and the true graph" if results.truth else ""
    return (
        f"{_count(len(results.learners), 'contestant')}{truth} on {_count(len(outline.cases), 'case')} "
        f"({join(map(title_of, outline.cases))}), {join(f'{size:,}' for size in outline.sizes)} rows, "
        f"{join(outline.data)} data, {_count(len(outline.seeds), 'seed')}."
        + (" Some cases have only some of these sizes or seeds." if outline.narrowed else "")
    )


def cautions(results: Results) -> Iterator[str]:
    """What a reader must know before the numbers."""
    if results.reference is None:
        yield (
            "There is no reference, so every comparison with it is empty below. In the plan, name one of the "
            'contestants: reference = "LABEL".'
        )
    yield from _narrowing(results)
    yield from _absences(results)
    networks = results.on_networks
    if not networks.follows_paper:
        yield "The paper's numbers are left out: this run has other cases, or another reference than MAHC."
    elif not covers_paper(networks):
        yield (
            "The paper's averages are over six cases and 100 to 100,000 rows. This run has other cases or sizes, so "
            "part of a difference from them comes from what was averaged."
        )


def _narrowing(results: Results) -> Iterator[str]:
    """What the plan leaves out, and what follows for the means."""
    samples = len(list(results.experiments()))
    if results.partial:
        who = join(f"{one.label} ({_part(results, one):,} of {samples:,})" for one in results.partial)
        verb = "takes" if len(results.partial) == 1 else "take"
        yield (
            f"{who} {verb} part in only some samples of the plan. The leaderboard of all samples, the normalised BIC "
            "and the total runtimes leave them out; a second leaderboard compares each on its own samples."
        )
    elif any(_part(results, one) < samples for one in results.learners):
        yield "No contestant takes part in all samples of the plan: means over all cases are over different samples."
    for one in results.outline.contestants:
        if one.label != TRUTH and not _part(results, one):
            yield f"{one.label} takes part in no sample of this run."
    yield from _seeds(results)


def _seeds(results: Results) -> Iterator[str]:
    """Which seeds the means over several cases use, where the cases have different ones."""
    seeds, shared = results.outline.seeds, results.shared_seeds
    if len(shared) < len(seeds):
        shown = join(map(str, shared))
        yield f"The cases have different seeds: means over several cases use only the seeds that all have ({shown})."
    elif len({(where.case, where.seed) for where in results.experiments()}) < len(results.outline.cases) * len(seeds):
        yield "No seed belongs to all cases: the means of different seeds are over different cases."


def _part(results: Results, who: ContestantInfo) -> int:
    return sum(results.takes_part(who, where) for where in results.experiments())


def _absences(results: Results) -> Iterator[str]:
    counts = Counter(row.contestant for row in results.unavailable)
    reasons = {row.contestant: row.reason for row in reversed(results.unavailable)}
    for label, count in counts.items():
        samples = sum(results.outline.has_cell(label, *where) for where in results.experiments())
        which = "any sample" if count >= samples else f"{count:,} of {samples:,} {noun(samples, 'sample')}"
        yield f"{label} could not run here on {which} and is left out of comparisons there: {reasons[label]}"


def completeness(results: Results) -> str:
    """How many cells have been run."""
    cells, missing = results.outline.cells, len(results.missing)
    if not missing:
        return f"All cells have been run ({cells:,})." if cells != 1 else "The one cell has been run."
    return (
        f"Incomplete: {missing:,} of {cells:,} {noun(cells, 'cell')} not run yet. They are not counted below; "
        "incomplete seeds count as much as complete ones."
    )


def failures(results: Results, place: str = "listed below") -> str:
    """How many cells gave no graph, by outcome, how many an unfinished one, and where the reasons are."""
    counts = Counter(row.outcome for row in results.failed)
    total, early = sum(counts.values()), len(results.early)
    text = "Every cell that was run gave a graph."
    if total:
        kinds = join(f"{counts[outcome]:,} {words}" for outcome, words in OUTCOME_WORDS.items() if counts[outcome])
        text = f"{_count(total, 'cell')} gave no graph ({kinds}); the reasons are {place}."
    if early:
        text += f" {_count(early, 'cell')} gave the best graph found when stopped, also {place}."
    return text


def listed(results: Results) -> Iterator[tuple[str, ...]]:
    """The cells without a graph and those that were stopped early, in words."""
    for row in (*results.failed, *results.early):
        outcome = OUTCOME_WORDS.get(row.outcome, row.outcome)
        reason = row.reason
        if row.finished:
            gap = "" if row.gap is None else f", at most {row.gap:,.1f} bits below the optimum"
            outcome, reason = "stopped early", f"{row.stop_reason}{gap}"
        yield row.contestant, title_of(row.case), row.data, str(row.rows), str(row.seed), outcome, reason


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def tally(found: Sequence[Finding]) -> str:
    """How many findings hold."""
    counts = Counter(finding.verdict for finding in found)
    return join(
        f"{counts[verdict]} {one if counts[verdict] == 1 else many}"
        for verdict, one, many in (
            (HOLDS, "holds", "hold"),
            (FAILS, "does not hold", "do not hold"),
            (OPEN, "is undecided", "are undecided"),
            (UNTESTED, "is not tested", "are not tested"),
        )
        if counts[verdict]
    )
