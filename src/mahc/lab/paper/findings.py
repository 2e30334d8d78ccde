"""Which of the paper's findings hold in a run: for each, the sign of a number, computed for every seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from mahc.lab.outline import TRUTH, ContestantInfo
from mahc.lab.paper.case_tables import mean_normalised, normalised
from mahc.lab.paper.comparisons import change, win_share
from mahc.lab.paper.numbers import DATA, ONLY_AVERAGING, ONLY_PRUNING, SIZES, average_changes, normalised_scores
from mahc.lab.paper.numbers import wins as printed_wins
from mahc.lab.paper.phase_figures import pruned_share
from mahc.lab.paper.results import Results, printed_subset
from mahc.lab.report.table import Column, Estimate, mean
from mahc.plurals import count

HOLDS, FAILS, OPEN, UNTESTED = "holds", "does not hold", "undecided", "not tested"
PERCENT, POINTS = Column("", unit="%"), Column("", unit=" points")
_CHANGES = (("f1", 1, "raises the mean F1"), ("shd", -1, "lowers the mean SHD"), ("edges", -1, "learns fewer edges"))


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, its number, ours, and the margin: above zero the claim holds.

    >>> Finding("x", "", "", Estimate(2.0, 1.0, 5)).verdict, Finding("x", "", "", Estimate(2.0, 3.0, 5)).verdict
    ('holds', 'undecided')
    """

    claim: str
    paper: str
    ours: str
    margin: Estimate | None
    printed_here: str = ""  # the paper's number on the cases and sizes of this run, from Table B.1

    @property
    def verdict(self) -> str:
        """Whether it holds; undecided where the 95 % interval over the seeds contains zero."""
        if self.margin is None:
            return UNTESTED
        half_width = self.margin.margin or 0.0
        if abs(self.margin.mean) <= half_width:
            return OPEN
        return HOLDS if self.margin.mean > 0 else FAILS


def show(value: Estimate | None, signed: bool = False, column: Column = PERCENT) -> str:
    """Our number as text."""
    if value is None:
        return "not run"
    margin = "" if value.margin is None else f" ± {value.margin:.1f}"
    return column.show(value.mean, signed=signed) + margin


def wins(results: Results, paper: Results) -> Iterator[Finding]:
    """Whether MAHC beats each other algorithm more often than it loses, or the reverse, as in the paper."""
    for data in (kind for kind in results.outline.data if kind in DATA):
        for other in results.others:
            printed = printed_wins(data).get(other.paper_name)
            if printed is None:
                continue
            better, worse = printed["overall", "better"], printed["overall", "worse"]
            sign, words = (
                (1, "beats {} more often than it loses")
                if better > worse
                else (-1, "loses to {} more often than it wins")
            )
            gap = results.over_seeds(partial(_gap, results, other, data, sign))
            printed_here = _shares(paper, paper.by_paper_name(other.paper_name), data)
            yield Finding(
                f"On {data} data MAHC {words.format(other.label)}",
                f"{PERCENT.show(better)} won, {PERCENT.show(worse)} lost",
                _shares(results, other, data),
                gap,
                printed_here,
            )


def _shares(results: Results, other: ContestantInfo | None, data: str) -> str:
    if other is None:
        return ""
    better, worse = (
        results.over_seeds(partial(win_share, results, other, data, "overall", word)) for word in ("better", "worse")
    )
    return show(None) if better is None else f"{show(better)} won, {show(worse)} lost"


def _gap(results: Results, other: ContestantInfo, data: str, sign: int, seed: int) -> float | None:
    better, worse = (win_share(results, other, data, "overall", word, seed) for word in ("better", "worse"))
    return None if better is None or worse is None else sign * (better - worse)


def phases(results: Results, paper: Results) -> Iterator[Finding]:
    """Whether both phases improve the averages of HC with fewer edges, and together by more than their sum."""
    everyone = {name: results.by_paper_name(name) for name in ("MAHC", ONLY_PRUNING, ONLY_AVERAGING)}
    for data in (kind for kind in results.outline.data if kind in DATA):
        for name, who in everyone.items():
            if who is None or results.by_paper_name("HC") is None:
                continue
            for key, sign, words in _CHANGES if name == "MAHC" else _CHANGES[:1]:
                printed = average_changes()[data, name][key]
                ours = results.over_seeds(partial(change, results, who, (data,), key))
                same = paper.by_paper_name(name)
                printed_here = None if same is None else paper.over_seeds(partial(change, paper, same, (data,), key))
                margin = None if ours is None else Estimate(sign * ours.mean, ours.margin, ours.seeds)
                yield Finding(
                    f"Against HC on {data} data, {who.label} {words}",
                    PERCENT.show(printed, signed=True),
                    show(ours, True),
                    margin,
                    "" if printed_here is None else show(printed_here, True),
                )
        if all(who is not None for who in everyone.values()):
            yield _more_than_the_sum(results, data)


def _more_than_the_sum(results: Results, data: str) -> Finding:
    def surplus(seed: int) -> float | None:
        gains = [
            None if (who := results.by_paper_name(name)) is None else change(results, who, (data,), "f1", seed)
            for name in ("MAHC", ONLY_PRUNING, ONLY_AVERAGING)
        ]
        whole, *parts = gains
        known = [part for part in parts if part is not None]
        return None if whole is None or len(known) < len(parts) else whole - sum(known)

    both, pruning, averaging = (average_changes()[data, name]["f1"] for name in ("MAHC", ONLY_PRUNING, ONLY_AVERAGING))
    ours = results.over_seeds(surplus)
    return Finding(
        f"On {data} data both phases together raise F1 by more than the sum of each alone",
        f"{POINTS.show(both - pruning - averaging, signed=True)} beyond the sum",
        f"{show(ours, True, POINTS)} beyond the sum",
        ours,
    )


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


def findings(results: Results) -> tuple[Finding, ...]:
    """All findings of the paper that can be tested with the contestants of this run."""
    results = results.on_networks
    if not results.follows_paper:
        return ()
    paper = printed_subset(results)
    return (*wins(results, paper), *phases(results, paper), *scores(results), *pruning(results))
