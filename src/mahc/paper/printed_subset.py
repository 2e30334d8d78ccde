"""The paper's rows for the cases, sizes and data of a run, so that both are averaged over the same."""

from __future__ import annotations

from mahc.experiment.outline import ContestantInfo
from mahc.paper.names import paper_case
from mahc.paper.numbers import CASES, SIZES, raw_rows
from mahc.paper.results import Results


def printed_subset(results: Results) -> Results:
    """Table B.1, restricted to the cases, sizes and data of this run, and of each contestant in it."""
    if not results.follows_paper:
        return Results(())
    everyone = {one.paper_name: one for one in results.outline.contestants}
    ran = {name: _paper_places(results, one) for name, one in everyone.items()}
    every = _paper_places(results, None)
    kept = [row for row in raw_rows() if (row.data, row.case, row.rows) in ran.get(row.contestant, every)]
    return Results(kept)


def _paper_places(results: Results, who: ContestantInfo | None) -> set[tuple[str, str, int]]:
    return {(data, paper_case(case), size) for data, case, size in results.places(who)}


def covers_paper(results: Results) -> bool:
    """Whether the run has exactly the cases and sizes behind the paper's averages, and compares with MAHC."""
    outline = results.outline
    return (
        results.follows_paper
        and len(results.places()) == len(outline.data) * len(outline.cases) * len(outline.sizes)
        and all(results.places(one) == results.places() for one in results.learners)
        and {paper_case(case) for case in outline.cases} == set(CASES)
        and set(outline.sizes) == set(SIZES)
    )
