"""Exact sums over products of factors: elimination in one direction, and propagation in both.

Each variable that is eliminated has a bucket. It multiplies the factors in it, sums (or maximises) over its variable
and passes the result to the bucket of the clique's next variable. The buckets form a tree, so a second pass from the
last bucket to the first gives the distribution of every clique (Dechter 1999; Shafer and Shenoy 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.inference.deadline import check_deadline
from mahc.inference.elimination import Elimination
from mahc.inference.factors import Arithmetic, Factor, Logarithms, Plain, Values, sum_out

Arrays = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Beliefs:
    """What both passes give: the distribution of each clique, and the logarithm of the sum of the whole product."""

    elimination: Elimination
    tables: tuple[Values, ...]
    log2_total: Values

    def marginal(self, variables: Sequence[int]) -> Values:
        """The distribution of variables that some factor has together: batch first, then one axis for each."""
        step = min(self.elimination.place[v] for v in variables)
        return sum_out(self.tables[step], self.elimination.cliques[step], variables)


def collect(elimination: Elimination, factors: Sequence[Factor], kept: Sequence[int]) -> tuple[Values, Values]:
    """The sum of the product of the factors over all variables but `kept`, and its scale.

    The first value has the batch and an axis for each variable of `kept`; it is to be multiplied by 2 to the power of
    the second, which has one number for each case of the batch.
    """

    def work(arithmetic: Arithmetic, factors: Sequence[Factor]) -> Arrays:
        buckets, rest, logs = _fill(arithmetic, elimination, factors)
        for step, clique in enumerate(elimination.cliques):
            check_deadline()
            message, log = arithmetic.scale(arithmetic.sum_first(arithmetic.multiply(clique, buckets[step])))
            logs = logs + log
            _pass_on(elimination, buckets, rest, Factor(clique[1:], message))
            buckets[step] = []
        product, log = arithmetic.scale(arithmetic.multiply(kept, rest))
        return arithmetic.give(product), logs + log

    product, logs = _without_underflow(work, factors)
    return product, logs


def maximise(elimination: Elimination, factors: Sequence[Factor]) -> tuple[dict[int, NDArray[np.intp]], Values]:
    """The states that make the product of the factors largest, and the binary logarithm of it, for each case.

    Of states that make it equally large the first is taken. Every variable must be eliminated.
    """

    def work(arithmetic: Arithmetic, factors: Sequence[Factor]) -> Arrays:
        buckets, rest, logs = _fill(arithmetic, elimination, factors)
        best: list[NDArray[np.intp]] = []
        for step, clique in enumerate(elimination.cliques):
            check_deadline()
            table = arithmetic.multiply(clique, buckets[step])
            best.append(table.argmax(axis=1))
            message, log = arithmetic.scale(table.max(axis=1))
            logs = logs + log
            _pass_on(elimination, buckets, rest, Factor(clique[1:], message))
            buckets[step] = []
        states: dict[int, NDArray[np.intp]] = {}
        for clique, chosen in zip(reversed(elimination.cliques), reversed(best), strict=True):
            at = [np.where(length == 1, 0, states[v]) for v, length in zip(clique[1:], chosen.shape[1:], strict=True)]
            states[clique[0]] = chosen[(np.arange(chosen.shape[0]), *at)]
        return *(states[v] for v in elimination.order), logs

    *states, logs = _without_underflow(work, factors)
    return dict(zip(elimination.order, states, strict=True)), logs


def propagate(elimination: Elimination, factors: Sequence[Factor]) -> Beliefs:
    """The distribution of every clique; every variable must be eliminated.

    Where the whole product is 0 in a case, its distributions are 0 and its logarithm is minus infinity.
    """

    def work(arithmetic: Arithmetic, factors: Sequence[Factor]) -> Arrays:
        buckets, rest, logs = _fill(arithmetic, elimination, factors)
        tables: list[Values] = []
        messages: list[Values] = []
        for step, clique in enumerate(elimination.cliques):
            check_deadline()
            table, log = arithmetic.scale(arithmetic.multiply(clique, buckets[step]))
            message, more = arithmetic.scale(arithmetic.sum_first(table))
            logs = logs + log + more
            _pass_on(elimination, buckets, rest, Factor(clique[1:], message))
            separate = arithmetic.separate(table, message)
            tables.append(separate[0])
            messages.append(separate[1])
        return *_spread_down(elimination, tables, messages), logs

    *tables, logs = _without_underflow(work, factors)
    return Beliefs(elimination, tuple(tables), logs)


def _spread_down(elimination: Elimination, tables: list[Values], messages: list[Values]) -> list[Values]:
    """The second pass: the distribution of each clique from its table, its message and the clique above it."""
    for step in range(len(tables) - 1, -1, -1):
        check_deadline()
        clique = elimination.cliques[step]
        if clique[1:]:
            above = elimination.place[clique[1]]
            wanted = sum_out(tables[above], elimination.cliques[above], clique[1:])
            sent = messages[step]
            zero = np.zeros(np.broadcast_shapes(wanted.shape, sent.shape))
            ratio = np.divide(wanted, sent, out=zero, where=np.broadcast_to(sent > 0, zero.shape))
            tables[step] = tables[step] * ratio[:, np.newaxis]
        total = tables[step].reshape(tables[step].shape[0], -1).sum(axis=1)
        divisor = np.where(total > 0, total, 1.0).reshape(-1, *(1,) * (tables[step].ndim - 1))
        tables[step] = tables[step] / divisor
    return tables


def _without_underflow(work: Callable[[Arithmetic, Sequence[Factor]], Arrays], factors: Sequence[Factor]) -> Arrays:
    """What `work` makes of the factors, batch first: in logarithms for those cases in which a product underflows."""
    try:
        with np.errstate(under="raise"):
            return work(Plain(), factors)
    except FloatingPointError:
        cases = max(factor.values.shape[0] for factor in factors)
    if cases == 1:
        return work(Logarithms(), factors)
    found = []
    for first, last in ((0, cases // 2), (cases // 2, cases)):  # a case has one answer, whatever the others are
        some = [
            factor if len(factor.values) == 1 else Factor(factor.scope, factor.values[first:last]) for factor in factors
        ]
        made = _without_underflow(work, some)
        found.append([np.broadcast_to(array, (last - first, *array.shape[1:])) for array in made])
    return tuple(np.concatenate(both) for both in zip(*found, strict=True))


def _fill(
    arithmetic: Arithmetic, elimination: Elimination, factors: Sequence[Factor]
) -> tuple[list[list[Factor]], list[Factor], Values]:
    """Every factor in the bucket of its first variable; those without one are left over. All are in their order."""
    place = elimination.place
    buckets: list[list[Factor]] = [[] for _ in elimination.order]
    rest: list[Factor] = []
    logs: Values = np.zeros(1)
    for factor in factors:
        if not factor.scope:
            with np.errstate(divide="ignore"):
                logs = logs + np.log2(factor.values)
            continue
        steps = [place[v] for v in factor.scope if v in place]
        (buckets[min(steps)] if steps else rest).append(arithmetic.take(factor))
    return buckets, rest, logs


def _pass_on(elimination: Elimination, buckets: list[list[Factor]], rest: list[Factor], message: Factor) -> None:
    """Into the bucket of the first variable of the message; a message without variables is in the scale already."""
    if message.scope:
        step = elimination.place.get(message.scope[0])
        (rest if step is None else buckets[step]).append(message)
