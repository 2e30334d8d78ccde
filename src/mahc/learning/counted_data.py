"""From data, or from a count source in its place, to rows whose variables are in the order that breaks ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.data import Dataset
from mahc.engine import CountSource
from mahc.engine.control import RunControl, Stopped
from mahc.engine.counts import ArrangedPasses, ArrangedSource, PassSource, RowHolder
from mahc.errors import MahcError
from mahc.learning.tie_order import order_variables
from mahc.scores import Score


def arrange(
    data: Dataset | CountSource,
    score: Score,
    ties: str,
    threads: int | None,
    cache_mebibytes: int,
    control: RunControl | None = None,
) -> tuple[list[int], Any]:
    """The order of the variables by which ties are broken, and the rows with the variables in that order."""
    if isinstance(data, PassSource):
        return _arrange_passes(data, score, ties, threads, control)
    held = data.distinct if isinstance(data, RowHolder) else data
    if not isinstance(held, Dataset):
        order = order_variables(held, ties, stops(control))
        return order, ArrangedSource(held, order)
    return arrange_rows(score.hold(held, threads=threads, cache_mebibytes=cache_mebibytes), ties, control)


def _arrange_passes(
    data: PassSource, score: Score, ties: str, threads: int | None, control: RunControl | None
) -> tuple[list[int], Any]:
    """The same for a source of passes; a run that is stopped while it breaks ties has no use for their order."""
    data.watch(control)
    try:
        held = score.hold_pieces(data, threads)
    except Stopped:
        raise MahcError(
            "the run was stopped while it counted the pieces, before learning began: give it more time"
        ) from None
    try:
        order = order_variables(held, ties, stops(control))
    except Stopped:
        order = order_variables(held, "file-order")
    if held is data:
        return order, ArrangedPasses(data, order)
    held.arrange(order)
    return order, held


def arrange_rows(rows: Any, ties: str, control: RunControl | None = None) -> tuple[list[int], Any]:
    """The same for rows that nobody else uses: they are renumbered in place where that is possible."""
    order = order_variables(rows, ties, stops(control))
    if not hasattr(rows, "arrange"):
        return order, ArrangedSource(rows, order)
    rows.arrange(order)
    return order, rows


def stops(control: RunControl | None) -> Callable[[], bool]:
    """Whether to stop, as a function; never without a control."""
    return (lambda: False) if control is None else (lambda: control.token.cancelled or control.seconds_left() <= 0)
