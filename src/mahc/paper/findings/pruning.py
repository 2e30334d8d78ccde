"""How much is pruned, and where: Figure 7."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from mahc.paper.estimate import mean
from mahc.paper.figures.pruning import pruned_share
from mahc.paper.findings.finding import POINTS, Finding, show
from mahc.paper.results import Results


def pruning(results: Results) -> Iterator[Finding]:
    """Whether level 1 prunes most arcs, and whether noise prunes more."""

    def share(data: str, level: int, seed: int) -> float | None:
        cells = [(case, size) for case in results.outline.cases for size in results.outline.sizes]
        return mean(pruned_share(results, case, data, size, level, seed) for case, size in cells)

    def lead(data: str) -> Callable[[int], float | None]:
        def of(seed: int) -> float | None:
            first, all_levels = share(data, 1, seed), share(data, 0, seed)
            return None if first is None or all_levels is None else 2 * first - all_levels

        return of

    for data in results.outline.data:
        first = results.over_seeds(partial(share, data, 1))
        if first is not None:
            total = results.over_seeds(partial(share, data, 0))
            yield Finding(
                f"On {data} data more arcs are pruned at level 1 than at all deeper levels",
                "Asia, 1,000 clean rows: 28 of 45" if data == "clean" else "Figure 7, no number printed",
                f"{show(first)} of all arcs at level 1, {show(total)} in all",
                results.over_seeds(lead(data)),
            )
    if "clean" in results.outline.data and "cMISL" in results.outline.data:
        more = results.over_seeds(lambda seed: _minus(share("cMISL", 0, seed), share("clean", 0, seed)))
        if more is not None:
            yield Finding(
                "Noise (cMISL) prunes more arcs than clean data",
                "Figure 7, no number printed",
                show(more, True, POINTS),
                more,
            )


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
