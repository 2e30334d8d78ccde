"""From data, or from a count source in its place, to the scorer of a search."""

from __future__ import annotations

from collections.abc import Sequence

from mahc.data import Dataset
from mahc.engine import CountScorer, CountSource, EngineRows, FamilyScorer, RowScorer
from mahc.engine.counts import ArrangedSource, RowHolder
from mahc.engine.rows import MOST_WEIGHT
from mahc.learning.tie_order import order_variables
from mahc.scores import Score


def arrange(
    data: Dataset | CountSource, ties: str, threads: int | None, cache_mebibytes: int
) -> tuple[list[int], CountSource]:
    """The order of the variables by which ties are broken, and the counts with the variables in that order."""
    held = data.distinct if isinstance(data, RowHolder) else data
    if not isinstance(held, Dataset) or (held is not data and held.size > MOST_WEIGHT):
        assert not isinstance(data, Dataset)
        order = order_variables(data, ties)
        return order, ArrangedSource(data, order)
    return arrange_rows(EngineRows(held, threads=threads, cache_mebibytes=cache_mebibytes), ties)


def arrange_rows(rows: EngineRows, ties: str) -> tuple[list[int], EngineRows]:
    """The same for rows that the core holds already and that nobody else uses: they are renumbered in place."""
    order = order_variables(rows, ties)
    rows.arrange(order)
    return order, rows


def make_scorer(source: CountSource, score: Score, divisors: Sequence[float] | None) -> FamilyScorer:
    """The scorer of a source: rows in this process are counted and scored in one pass."""
    if isinstance(source, EngineRows):
        return RowScorer(source, score, divisors)
    return CountScorer(source, score, divisors)
