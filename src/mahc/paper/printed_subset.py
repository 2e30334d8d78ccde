"""The paper's rows for the cases, sizes and data of a run, so that both are averaged over the same."""

from __future__ import annotations

from mahc.paper.names import paper_case
from mahc.paper.numbers import CASES, SIZES, raw_rows
from mahc.paper.results import Results


def printed_subset(results: Results) -> Results:
    """Table B.1, restricted to the cases, sizes and data of this run."""
    outline = results.outline
    if not results.follows_paper:
        return Results(())
    cases = {paper_case(case) for case in outline.cases}
    kept = [row for row in raw_rows() if row.case in cases and row.rows in outline.sizes and row.data in outline.data]
    return Results(kept)


def covers_paper(results: Results) -> bool:
    """Whether the run has exactly the cases and sizes behind the paper's averages, and compares with MAHC."""
    outline = results.outline
    return (
        results.follows_paper
        and {paper_case(case) for case in outline.cases} == set(CASES)
        and set(outline.sizes) == set(SIZES)
    )
