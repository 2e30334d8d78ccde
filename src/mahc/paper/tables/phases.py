"""Table 7: what each phase of MAHC changes, against HC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mahc.experiment.outline import ContestantInfo
from mahc.experiment.row import Row
from mahc.paper.estimate import mean
from mahc.paper.numbers import ONLY_AVERAGING, ONLY_PRUNING, average_changes
from mahc.paper.printed_subset import covers_paper
from mahc.paper.results import Experiment, Results
from mahc.paper.table import Block, Cell, Column, Line, Table

PHASES = (ONLY_PRUNING, ONLY_AVERAGING, "MAHC")
CAPTION = (
    "The mean over all experiments minus HC's mean, in percent of HC's. Only experiments that both finished count. BIC "
    "is negative, so its change is HC's mean divided by the other's, minus one, as in the paper: above zero is better."
)
_READ: dict[str, Callable[[Row], float | None]] = {
    "bsf": lambda row: row.measures.get("bsf"),
    "f1": lambda row: row.measures.get("f1"),
    "recall": lambda row: row.measures.get("recall"),
    "precision": lambda row: row.measures.get("precision"),
    "shd": lambda row: row.measures.get("shd"),
    "bic": lambda row: row.score,
    "free_parameters": lambda row: row.free_parameters,
    "edges": lambda row: row.edges,
    "seconds": lambda row: row.seconds,
}
TITLES = {
    "bsf": "BSF",
    "f1": "F1",
    "recall": "Recall",
    "precision": "Precision",
    "shd": "SHD",
    "bic": "BIC",
    "free_parameters": "Free parameters",
    "edges": "Edges learned",
}


def phases_table(results: Results) -> Table:
    """Table 7 without its runtime column, which depends on the machine."""
    columns = tuple(Column(title, digits=2, unit="%") for title in TITLES.values())
    return Table(
        "table-7", "Table 7. The phases of MAHC against HC", CAPTION, ("Phase",), columns, _blocks(results, _line)
    )


def phase_seconds_table(results: Results) -> Table:
    """Table 7's runtime column: seconds per experiment beyond HC's, and the ratio to HC's."""
    columns = (
        Column("Seconds more than HC, per experiment", digits=2),
        Column("Times HC's seconds", digits=1, unit="×"),
    )
    caption = "The mean over the experiments that both finished. The paper prints the seconds alone."
    return Table("table-7-seconds", "Table 7. Runtime per case", caption, ("Phase",), columns, _blocks(results, _times))


def change(results: Results, who: ContestantInfo, data: Sequence[str], key: str, seed: int) -> float | None:
    """The change of an average against HC, in percent, over one seed's experiments on these kinds of data."""
    value, base = _averages(results, who, data, key, seed)
    if value is None or base is None:
        return None
    top, bottom = (base, value) if key == "bic" else (value, base)
    return 100 * (top / bottom - 1) if bottom else None


def _averages(
    results: Results, who: ContestantInfo, data: Sequence[str], key: str, seed: int
) -> tuple[float | None, float | None]:
    baseline = results.by_paper_name("HC")
    if baseline is None:
        return None, None
    pairs = []
    for kind in data:
        for where in results.experiments(kind, seed=seed):
            value, base = _value(results, who, where, key), _value(results, baseline, where, key)
            if value is not None and base is not None:
                pairs.append((value, base))
    return mean(value for value, _ in pairs), mean(base for _, base in pairs)


def _value(results: Results, who: ContestantInfo, where: Experiment, key: str) -> float | None:
    row = results.row(who, where)
    return _READ[key](row) if row is not None and row.finished else None


def _blocks(results: Results, line: Callable[[Results, ContestantInfo, str], Line]) -> tuple[Block, ...]:
    present = [one for name in PHASES if (one := results.by_paper_name(name)) is not None]
    kinds = (*results.outline.data, *(("overall",) if len(results.outline.data) > 1 else ()))
    return tuple(
        Block("Overall" if kind == "overall" else f"{kind} data", tuple(line(results, one, kind) for one in present))
        for kind in kinds
    )


def _kinds(results: Results, kind: str) -> tuple[str, ...]:
    return results.outline.data if kind == "overall" else (kind,)


def _line(results: Results, who: ContestantInfo, kind: str) -> Line:
    printed = average_changes().get((kind, who.paper_name), {}) if covers_paper(results) else {}
    cells = []
    for key in TITLES:
        ours = results.over_seeds(partial(change, results, who, _kinds(results, kind), key))
        cells.append(Cell(ours, printed.get(key), "" if ours else "not known"))
    return Line((who.label,), tuple(cells))


def _times(results: Results, who: ContestantInfo, kind: str) -> Line:
    def extra(seed: int) -> float | None:
        value, base = _averages(results, who, _kinds(results, kind), "seconds", seed)
        return None if value is None or base is None else value - base

    def ratio(seed: int) -> float | None:
        value, base = _averages(results, who, _kinds(results, kind), "seconds", seed)
        return None if value is None or not base else value / base

    known = average_changes().get((kind, who.paper_name), {}) if covers_paper(results) else {}
    printed = known.get("seconds")
    return Line((who.label,), (Cell(results.over_seeds(extra), printed), Cell(results.over_seeds(ratio))))
