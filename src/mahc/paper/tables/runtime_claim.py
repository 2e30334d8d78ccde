"""Section 3.4 for a run: MAHC's total seconds divided by every other contestant's."""

from __future__ import annotations

from functools import partial

from mahc.paper.figures.runtime import runtime_ratio
from mahc.paper.results import Results
from mahc.paper.table import Block, Cell, Column, Line, Table

CAPTION = (
    "MAHC's total seconds of learning divided by each other contestant's, on the same experiments of the same run; "
    "above 1 MAHC took longer. A cell that failed counts with the time limit. The paper prints no totals, only words."
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
    """MAHC's total divided by every other learner's, by kind of data and overall."""
    data = results.outline.data
    groups = [(kind, (kind,)) for kind in data] + ([("all", data)] if len(data) > 1 else [])
    reference = results.reference
    lines = []
    for other in results.learners:
        if reference is None or other is reference:
            continue
        values = [results.over_seeds(partial(runtime_ratio, results, reference, other, kinds)) for _, kinds in groups]
        cells = tuple(Cell(value, None, "" if value else "not run") for value in values)
        lines.append(Line((other.label, WORDS.get(other.paper_name, "")), cells))
    columns = tuple(Column(f"{name} data", digits=3, unit="×") for name, _ in groups)
    heads = ("MAHC's time divided by that of", "The paper says MAHC is")
    return Table(
        "runtime-claim", "MAHC's runtime divided by the others'", CAPTION, heads, columns, (Block("", tuple(lines)),)
    )
