"""The true graph's BIC and the exact learner's: Table 6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.experiment.row import TRUTH
from mahc.paper.estimate import mean
from mahc.paper.findings.finding import POINTS, Finding, show
from mahc.paper.numbers import DATA, SIZES, normalised_scores
from mahc.paper.results import Results
from mahc.paper.tables.normalised import mean_normalised, normalised
from mahc.plurals import count


def scores(results: Results) -> Iterator[Finding]:
    """The truth scores better with more rows, and exact learning scores higher than MAHC."""
    exact, mahc = results.by_paper_name("GOBNILP"), results.by_paper_name("MAHC")
    if results.truth is None or mahc is None:
        return
    sizes = results.outline.sizes
    if len(sizes) > 1 and "clean" in results.outline.data:
        ours = results.over_seeds(partial(_rise, results, results.truth, sizes))
        printed = {size: normalised_scores()["clean", size, TRUTH] for size in SIZES}
        first, last = SIZES[0], SIZES[-1]
        yield Finding(
            f"On clean data the true graph's normalised BIC rises from {sizes[0]:,} to {count(sizes[-1], 'row')}",
            f"{POINTS.show(printed[last] - printed[first], signed=True)} from {first:,} to {count(last, 'row')}",
            show(ours, True, POINTS),
            ours,
        )
    for data in (kind for kind in results.outline.data if kind in DATA and exact is not None):
        if exact is not None:
            ours = results.over_seeds(partial(_lead, results, exact, mahc, data))
            yield Finding(
                f"On {data} data {exact.label} reaches a higher normalised BIC than MAHC",
                f"{POINTS.show(_printed_lead(data), signed=True)} at the mean of the sizes",
                f"{show(ours, True, POINTS)} at the mean of the sizes",
                ours,
            )


def _printed_lead(data: str) -> float:
    printed = normalised_scores()
    return sum(printed[data, size, "GOBNILP"] - printed[data, size, "MAHC"] for size in SIZES) / len(SIZES)


def _rise(results: Results, who: ContestantInfo, sizes: tuple[int, ...], seed: int) -> float | None:
    """The change from the smallest to the largest size, over the cases that have both."""
    first, last = (
        {
            where.case: normalised(results, where).get(who.label)
            for where in results.experiments("clean", size=n, seed=seed)
        }
        for n in (sizes[0], sizes[-1])
    )
    rises = (
        None if (a := first[case]) is None or (b := last[case]) is None else b - a for case in first if case in last
    )
    return mean(rises)


def _lead(results: Results, one: ContestantInfo, other: ContestantInfo, data: str, seed: int) -> float | None:
    gaps = []
    for size in results.outline.sizes:
        a, b = (mean_normalised(results, who, data, size, seed) for who in (one, other))
        gaps.append(None if a is None or b is None else a - b)
    return mean(gaps)
