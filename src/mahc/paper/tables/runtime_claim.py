"""Section 3.4 for a run: the reference's total seconds divided by every other contestant's."""

from __future__ import annotations

from functools import partial

from mahc.paper.figures.runtime import runtime_ratio
from mahc.paper.results import Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "{who}'s total seconds of learning divided by each other contestant's, on the same experiments of the same run; "
    "above 1 {who} took longer. A cell that failed counts with the time limit; one that was not available is left out."
)
WORDS = {
    "HC": "slightly slower (section 3.4), a few times slower (section 4)",
    "MMHC": "a few times slower",
    "PC-Stable": "many times faster",
    "FCI": "many times faster",
    "GOBNILP": "many times faster",
    "MAHC_onlyAveraging": "impractical without pruning; 10 experiments given up after 12 hours",
}


def runtime_claim(results: Results) -> Table:
    """The reference's total divided by every other learner's, by kind of data and overall."""
    data = results.outline.data
    groups = [(kind, (kind,)) for kind in data] + ([("all", data)] if len(data) > 1 else [])
    reference = results.reference
    lines = []
    for other in results.learners:
        if reference is None or other is reference:
            continue
        values = [results.over_seeds(partial(runtime_ratio, results, reference, other, kinds)) for _, kinds in groups]
        cells = tuple(Cell(value, None, "" if value else "not run") for value in values)
        words = (WORDS.get(other.paper_name, ""),) if results.follows_paper else ()
        lines.append(Line((other.label, *words), cells))
    columns = tuple(Column(f"{name} data", digits=3, unit="×") for name, _ in groups)
    name = results.reference_name
    paper = ("The paper says MAHC is",) if results.follows_paper else ()
    heads = (f"{name}'s time divided by that of", *paper)
    title, caption = f"{name}'s runtime divided by the others'", CAPTION.format(who=name)
    return Table("runtime-claim", title, caption, heads, columns, (Block("", tuple(lines)),))
