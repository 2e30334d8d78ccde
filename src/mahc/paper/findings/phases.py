"""What MAHC and each of its phases change against HC: Table 7."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mahc.paper.estimate import Estimate
from mahc.paper.findings.finding import PERCENT, POINTS, Finding, show
from mahc.paper.numbers import DATA, ONLY_AVERAGING, ONLY_PRUNING, average_changes
from mahc.paper.results import Results
from mahc.paper.tables.phases import change

_CHANGES = (("f1", 1, "raises the mean F1"), ("shd", -1, "lowers the mean SHD"), ("edges", -1, "learns fewer edges"))


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
