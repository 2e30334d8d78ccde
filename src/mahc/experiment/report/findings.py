"""Which of the paper's findings hold in a run: each is one number a seed whose sign decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from mahc.experiment.paper_numbers import (
    DATA,
    ONLY_AVERAGING,
    ONLY_PRUNING,
    SIZES,
    average_changes,
    normalised_scores,
    wins,
)
from mahc.experiment.report.estimate import Estimate, mean
from mahc.experiment.report.figures.pruning import pruned_share
from mahc.experiment.report.like_for_like import paper_results
from mahc.experiment.report.outline import Contestant
from mahc.experiment.report.results import Results
from mahc.experiment.report.table import Column
from mahc.experiment.report.tables.normalised import mean_normalised
from mahc.experiment.report.tables.phases import change
from mahc.experiment.report.tables.wins import win_share
from mahc.experiment.row import TRUTH

HOLDS, FAILS, OPEN, UNTESTED = "holds", "does not hold", "undecided", "not tested"
PERCENT, POINTS = Column("", unit="%"), Column("", unit=" points")
_CHANGES = (("f1", 1, "raises the mean F1"), ("shd", -1, "lowers the mean SHD"), ("edges", -1, "learns fewer edges"))


@dataclass(frozen=True)
class Finding:
    """What the paper found, its number, ours, and the margin by which it holds (above zero) or does not.

    >>> Finding("x", "", "", Estimate(2.0, 1.0, 5)).verdict, Finding("x", "", "", Estimate(2.0, 3.0, 5)).verdict
    ('holds', 'undecided')
    """

    claim: str
    paper: str
    ours: str
    margin: Estimate | None
    alike: str = ""  # the paper's number on the cases and sizes of this run alone, where Table B.1 gives it

    @property
    def verdict(self) -> str:
        """Holds or not; undecided where the 95 % interval over the seeds reaches across zero."""
        if self.margin is None:
            return UNTESTED
        if self.margin.low is not None and self.margin.high is not None and self.margin.low <= 0 <= self.margin.high:
            return OPEN
        return HOLDS if self.margin.mean > 0 else FAILS


def findings(results: Results) -> tuple[Finding, ...]:
    """All findings of the paper that the contestants of this run could bear out."""
    paper = paper_results(results)
    return (*_duels(results, paper), *_phases(results, paper), *_scores(results), *_pruning(results))


def _duels(results: Results, paper: Results) -> Iterator[Finding]:
    for data in (kind for kind in results.outline.data if kind in DATA):
        for rival in results.rivals:
            printed = wins(data).get(rival.paper_name)
            if printed is None:
                continue
            better, worse = printed["overall", "better"], printed["overall", "worse"]
            sign, words = (
                (1, "beats {} more often than it loses")
                if better > worse
                else (-1, "loses to {} more often than it wins")
            )
            gap = results.over_seeds(partial(_gap, results, rival, data, sign))
            alike = _shares(paper, paper.outline.called(rival.paper_name), data)
            yield Finding(
                f"On {data} data MAHC {words.format(rival.label)}",
                f"{PERCENT.show(better)} won, {PERCENT.show(worse)} lost",
                _shares(results, rival, data),
                gap,
                alike,
            )


def _shares(results: Results, rival: Contestant | None, data: str) -> str:
    if rival is None:
        return ""
    better, worse = (
        results.over_seeds(partial(win_share, results, rival, data, "overall", word)) for word in ("better", "worse")
    )
    return f"{_told(better)} won, {_told(worse)} lost"


def _gap(results: Results, rival: Contestant, data: str, sign: int, seed: int) -> float | None:
    better, worse = (win_share(results, rival, data, "overall", word, seed) for word in ("better", "worse"))
    return None if better is None or worse is None else sign * (better - worse)


def _phases(results: Results, paper: Results) -> Iterator[Finding]:
    everyone = {name: results.outline.called(name) for name in ("MAHC", ONLY_PRUNING, ONLY_AVERAGING)}
    for data in (kind for kind in results.outline.data if kind in DATA):
        for name, who in everyone.items():
            if who is None or results.outline.called("HC") is None:
                continue
            for key, sign, words in _CHANGES if name == "MAHC" else _CHANGES[:1]:
                printed = average_changes()[data, name][key]
                ours = results.over_seeds(partial(change, results, who, (data,), key))
                same = paper.outline.called(name)
                alike = None if same is None else paper.over_seeds(partial(change, paper, same, (data,), key))
                margin = None if ours is None else Estimate(sign * ours.mean, ours.margin, ours.seeds)
                yield Finding(
                    f"Against HC on {data} data, {who.label} {words}",
                    PERCENT.show(printed, signed=True),
                    _told(ours, True),
                    margin,
                    "" if alike is None else _told(alike, True),
                )
        if all(who is not None for who in everyone.values()):
            yield _more_than_the_sum(results, data)


def _more_than_the_sum(results: Results, data: str) -> Finding:
    def surplus(seed: int) -> float | None:
        gains = [
            None if (who := results.outline.called(name)) is None else change(results, who, (data,), "f1", seed)
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
        f"{_told(ours, True, POINTS)} beyond the sum",
        ours,
    )


def _scores(results: Results) -> Iterator[Finding]:
    exact, own = results.outline.called("GOBNILP"), results.reference
    if results.truth is None or own is None:
        return
    sizes = results.outline.sizes
    if len(sizes) > 1 and "clean" in results.outline.data:
        ours = results.over_seeds(partial(_rise, results, results.truth, sizes))
        printed = {size: normalised_scores()["clean", size, TRUTH] for size in SIZES}
        first, last = SIZES[0], SIZES[-1]
        yield Finding(
            f"On clean data the true graph's normalised BIC rises from {sizes[0]:,} to {sizes[-1]:,} rows",
            f"{POINTS.show(printed[last] - printed[first], signed=True)} from {first:,} to {last:,} rows",
            _told(ours, True, POINTS),
            ours,
        )
    for data in (kind for kind in results.outline.data if kind in DATA and exact is not None):
        if exact is not None:
            ours = results.over_seeds(partial(_lead, results, exact, own, data))
            yield Finding(
                f"On {data} data {exact.label} reaches a higher normalised BIC than MAHC",
                f"{POINTS.show(_printed_lead(data), signed=True)} at the mean of the sizes",
                f"{_told(ours, True, POINTS)} at the mean of the sizes",
                ours,
            )


def _printed_lead(data: str) -> float:
    printed = normalised_scores()
    return sum(printed[data, size, "GOBNILP"] - printed[data, size, "MAHC"] for size in SIZES) / len(SIZES)


def _rise(results: Results, who: Contestant, sizes: tuple[int, ...], seed: int) -> float | None:
    first, last = (mean_normalised(results, who, "clean", size, seed) for size in (sizes[0], sizes[-1]))
    return None if first is None or last is None else last - first


def _lead(results: Results, one: Contestant, other: Contestant, data: str, seed: int) -> float | None:
    gaps = []
    for size in results.outline.sizes:
        a, b = (mean_normalised(results, who, data, size, seed) for who in (one, other))
        gaps.append(None if a is None or b is None else a - b)
    return mean(gaps)


def _pruning(results: Results) -> Iterator[Finding]:
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
                f"{_told(first)} of all arcs at level 1, {_told(total)} in all",
                results.over_seeds(lead(data)),
            )
    if "clean" in results.outline.data and "cMISL" in results.outline.data:
        more = results.over_seeds(lambda seed: _minus(share("cMISL", 0, seed), share("clean", 0, seed)))
        if more is not None:
            yield Finding(
                "Noise (cMISL) prunes more arcs than clean data",
                "Figure 7, no number printed",
                _told(more, True, POINTS),
                more,
            )


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _told(value: Estimate | None, signed: bool = False, column: Column = PERCENT) -> str:
    if value is None:
        return "not run"
    margin = "" if value.margin is None else f" ± {value.margin:.1f}"
    return column.show(value.mean, signed=signed) + margin
