"""The paper's own rows, cut down to the cases, sizes and data of a run."""

from __future__ import annotations

from mahc.paper.names import paper_case
from mahc.paper.numbers import CASES, SIZES, raw_rows
from mahc.paper.results import Results


def paper_results(results: Results) -> Results:
    """Table B.1 on what this run has too, so that like stands beside like."""
    outline = results.outline
    cases = {paper_case(case) for case in outline.cases}
    kept = [row for row in raw_rows() if row.case in cases and row.rows in outline.sizes and row.data in outline.data]
    return Results(kept)


def covers_the_paper(results: Results) -> bool:
    """Whether the run has exactly the cases and sizes behind the paper's averages."""
    outline = results.outline
    return {paper_case(case) for case in outline.cases} == set(CASES) and set(outline.sizes) == set(SIZES)
