"""From data, or from a count source in its place, to the scorer of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mahc.cluster.wide_rows import WideRows
from mahc.data import Dataset
from mahc.engine import CountScorer, CountSource, EngineRows, FamilyScorer, RowScorer
from mahc.engine.control import RunControl, Stopped
from mahc.engine.counts import ArrangedPasses, ArrangedSource, PassSource, RowHolder
from mahc.engine.pass_scoring import PassScorer
from mahc.engine.rows import MOST_WEIGHT
from mahc.learning.tie_order import order_variables
from mahc.scores import Score


def arrange(
    data: Dataset | CountSource,
    ties: str,
    threads: int | None,
    cache_mebibytes: int,
    control: RunControl | None = None,
) -> tuple[list[int], CountSource]:
    """The order of the variables by which ties are broken, and the counts with the variables in that order."""
    if isinstance(data, PassSource):
        return _arrange_passes(data, ties, control)
    held = data.distinct if isinstance(data, RowHolder) else data
    if isinstance(held, Dataset) and held.size <= MOST_WEIGHT:
        return arrange_rows(EngineRows(held, threads=threads, cache_mebibytes=cache_mebibytes), ties, control)
    source = WideRows(held, threads, cache_mebibytes) if isinstance(held, Dataset) else held
    order = order_variables(source, ties, stops(control))
    return order, ArrangedSource(source, order)


def _arrange_passes(data: PassSource, ties: str, control: RunControl | None) -> tuple[list[int], CountSource]:
    """The same for a source of passes; a run that is stopped while it breaks ties has no use for their order."""
    data.watch(control)
    try:
        order = order_variables(data, ties, stops(control))
    except Stopped:
        order = order_variables(data, "file-order")
    return order, ArrangedPasses(data, order)


def arrange_rows(rows: EngineRows, ties: str, control: RunControl | None = None) -> tuple[list[int], EngineRows]:
    """The same for rows that the core holds already and that nobody else uses: they are renumbered in place."""
    order = order_variables(rows, ties, stops(control))
    rows.arrange(order)
    return order, rows


def stops(control: RunControl | None) -> Callable[[], bool]:
    """Whether to stop, as a function; never without a control."""
    return (lambda: False) if control is None else (lambda: control.token.cancelled or control.seconds_left() <= 0)


def make_scorer(
    source: CountSource, score: Score, divisors: Sequence[float] | None, control: RunControl | None = None
) -> FamilyScorer:
    """The scorer of a source: rows in this process are counted and scored in one pass."""
    if isinstance(source, EngineRows):
        return RowScorer(source, score, divisors)
    if isinstance(source, PassSource):
        return PassScorer(source, score, divisors, control)
    return CountScorer(source, score, divisors)
