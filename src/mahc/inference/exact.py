"""Exact answers: what is relevant to a question is eliminated, after an estimate of the memory that this takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from mahc.errors import Mention, Message, SettingError
from mahc.inference.bucket_tree import collect, maximise, propagate
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.elimination import Elimination, eliminate
from mahc.inference.evidence import ImpossibleEvidenceError, Question, describe_given
from mahc.inference.factors import Factor, Values
from mahc.plurals import count

MAX_BYTES = 2**30  # of memory for one question


class TooLargeError(SettingError):
    """An exact answer would take more memory than is allowed.

    Parameters
    ----------
    *parts
        The parts of the sentence, as of every MahcError.

    Examples
    --------
    >>> from mahc.inference import Model
    >>> Model.load("alarm").query("CVP", given={"PRESS": "HIGH", "BP": "LOW"}, max_bytes=1024)
    Traceback (most recent call last):
    mahc.inference.exact.TooLargeError: an exact answer needs about ...
    """


@dataclass(frozen=True)
class Cost:
    """What an exact answer takes, estimated before it is computed.

    Parameters
    ----------
    treewidth : int
        That of the min-fill order, on what is relevant to the question.
    largest : tuple of str
        The variables of the largest table.
    cells : int
        The numbers in it.
    bytes : int
        An upper bound of the memory.

    Examples
    --------
    >>> from mahc.inference import Model
    >>> Model.load("asia").cost("lung", given={"dysp": "yes"}).largest
    ('either', 'lung', 'tub')
    """

    treewidth: int
    largest: tuple[str, ...]
    cells: int
    bytes: int


@dataclass(frozen=True)
class Part:
    """Factors that share variables, directly or over others, and the order to eliminate these."""

    factors: tuple[Factor, ...]
    elimination: Elimination
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """The parts of a question, those with targets first."""

    compiled: CompiledNetwork
    question: Question
    constants: tuple[Factor, ...]
    parts: tuple[Part, ...]
    batch: int

    def cost(self, *, both_ways: bool = False) -> Cost:
        """The cost of the parts that have targets; of all parts where there is no target."""
        counted = [part for part in self.parts if part.targets] or list(self.parts)
        names, targets = self.compiled.network.names, self.question.targets
        joint = prod(self.compiled.sizes[v] for v in targets) if targets and not both_ways else 1
        cells, width, largest = joint, max(0, len(targets) - 1 if not both_ways else 0), targets
        for part in counted:
            there = part.elimination.cells(part.elimination.largest)
            if there > cells:
                cells, largest = there, part.elimination.largest
            width = max(width, part.elimination.treewidth)
        held = [part.elimination.bytes(both_ways=both_ways, batch=self.batch) for part in counted]
        bytes_needed = max(held, default=0) + 16 * joint * self.batch
        return Cost(width, tuple(sorted(names[v] for v in largest)), cells, bytes_needed)


def prepare(compiled: CompiledNetwork, question: Question, *, one_by_one: bool = False) -> Task:
    """Find the relevant variables, restrict their factors and order the eliminations; nothing large is computed.

    With `one_by_one` the targets are eliminated too, as propagation in both directions needs.
    """
    nodes = compiled.relevant([*question.targets, *question.observed, *question.soft], question.do)
    fixed = {**compiled.single_states, **question.observed, **question.do}
    factors = compiled.restrict(nodes, fixed, question.do)
    factors += [
        Factor((), f.values[:, 0]) if f.scope[0] in compiled.single_states else f for f in question.soft_factors
    ]
    constants = tuple(factor for factor in factors if not factor.scope)
    parts = []
    for group in _connected([factor for factor in factors if factor.scope]):
        there = {v for factor in group for v in factor.scope}
        targets = tuple(v for v in question.targets if v in there)
        keep = () if one_by_one else targets
        elimination = eliminate([factor.scope for factor in group], compiled.sizes, compiled.rank, keep)
        parts.append(Part(tuple(group), elimination, targets))
    parts.sort(key=lambda part: not part.targets)
    batch = max((factor.values.shape[0] for factor in factors), default=1)
    return Task(compiled, question, constants, tuple(parts), batch)


def _connected(factors: Sequence[Factor]) -> list[list[Factor]]:
    """The factors in groups that have no variable in common, in the order of their first factors."""
    owner: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for place, factor in enumerate(factors):
        groups[place] = [place]
        for number in sorted({owner[v] for v in factor.scope if v in owner}):
            groups[place] += groups.pop(number)
        for member in groups[place]:
            owner.update(dict.fromkeys(factors[member].scope, place))
    found = sorted(sorted(group) for group in groups.values())
    return [[factors[place] for place in group] for group in found]


ADVICE = Message(
    "give more variables, raise ", Mention("max_bytes"), ", or use ", Mention("method", "weighting"), " for an estimate"
)


def require_memory(cost: Cost, max_bytes: int, advice: Message = ADVICE) -> None:
    """Refuse what would not fit, in one sentence."""
    if cost.bytes > max_bytes:
        shown = ", ".join(cost.largest[:6]) + (", ..." if len(cost.largest) > 6 else "")
        raise TooLargeError(
            f"an exact answer needs about {describe_bytes(cost.bytes)} (a table of {cost.cells:.3g} numbers over "
            f"{count(len(cost.largest), 'variable')}: {shown}; treewidth {cost.treewidth}) "
            f"and {describe_bytes(max_bytes)} are allowed: ",
            advice,
        )


def describe_bytes(number: float) -> str:
    """A number of bytes in a unit that people read.

    >>> describe_bytes(3 * 2**30)
    '3.0 GiB'
    """
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if number < 1024 or unit == "TiB":
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:,.1f} {unit}"
        number /= 1024
    raise AssertionError


def joint(compiled: CompiledNetwork, question: Question, max_bytes: int = MAX_BYTES) -> tuple[Values, Values]:
    """The joint distribution of the targets, and the binary logarithm of the probability of what is given.

    The first has the batch and an axis per target. The second is that of the parts that fit: a part without targets
    changes nothing in the first unless it is impossible, and is left out where it does not fit.
    """
    task = prepare(compiled, question)
    require_memory(task.cost(), max_bytes)
    scope = question.targets
    result = Factor((), np.ones(task.batch))
    logs: Values = np.zeros(task.batch)
    for factor in task.constants:
        with np.errstate(divide="ignore"):
            logs = logs + np.log2(factor.values)
    for part in task.parts:
        if not part.targets and part.elimination.bytes(batch=task.batch) > max_bytes:
            continue
        table, log = collect(part.elimination, part.factors, part.targets)
        total = table.reshape(table.shape[0], -1).sum(axis=1)
        with np.errstate(divide="ignore"):
            logs = logs + log + np.log2(total)
        if part.targets:
            divisor = np.where(total > 0, total, 1.0).reshape(-1, *(1,) * (table.ndim - 1))
            result = _outer(result, Factor(part.targets, table / divisor))
    _require_possible(task, logs)
    lone = tuple(v for v in scope if v in compiled.single_states)
    result = _outer(result, Factor(lone, np.ones((1,) * (len(lone) + 1))))
    return result.values.transpose(0, *(1 + result.scope.index(v) for v in scope)), logs


def _outer(first: Factor, second: Factor) -> Factor:
    shape = first.values.shape + (1,) * len(second.scope)
    other = second.values.reshape(second.values.shape[0], *(1,) * len(first.scope), *second.values.shape[1:])
    return Factor(first.scope + second.scope, first.values.reshape(shape) * other)


def marginals(
    compiled: CompiledNetwork, question: Question, max_bytes: int = MAX_BYTES
) -> tuple[Mapping[int, Values], Values]:
    """The distribution of each target, all of them at once, and the binary logarithm of the evidence."""
    task = prepare(compiled, question, one_by_one=True)
    require_memory(task.cost(both_ways=True), max_bytes)
    logs: Values = np.zeros(task.batch)
    for factor in task.constants:
        with np.errstate(divide="ignore"):
            logs = logs + np.log2(factor.values)
    found: dict[int, Values] = {v: np.ones((1, 1)) for v in question.targets if v in compiled.single_states}
    for part in task.parts:
        if not part.targets and part.elimination.bytes(both_ways=True, batch=task.batch) > max_bytes:
            continue
        beliefs = propagate(part.elimination, part.factors)
        logs = logs + beliefs.log2_total
        found.update({v: beliefs.marginal((v,)) for v in part.targets})
    _require_possible(task, logs)
    return {v: found[v] for v in question.targets}, logs


def most_probable(
    compiled: CompiledNetwork, question: Question, max_bytes: int = MAX_BYTES
) -> tuple[dict[int, int], float]:
    """The most probable states of the targets together, all others observed; and their binary logarithm."""
    task = prepare(compiled, question, one_by_one=True)
    require_memory(task.cost(), max_bytes)
    states: dict[int, int] = {v: 0 for v in question.targets if v in compiled.single_states}
    logs: Values = np.zeros(1)
    for factor in task.constants:
        with np.errstate(divide="ignore"):
            logs = logs + np.log2(factor.values)
    for part in task.parts:
        chosen, log = maximise(part.elimination, part.factors)
        logs = logs + log
        states.update({v: int(state[0]) for v, state in chosen.items()})
    _require_possible(task, logs)
    return states, float(logs[0])


def _require_possible(task: Task, logs: Values) -> None:
    if np.isneginf(logs).any():
        shown = describe_given(task.compiled.network, task.question)
        raise ImpossibleEvidenceError(
            f"{shown or 'this'} has probability 0 in the network, so nothing follows from it: give possible states, "
            "or fit the tables with a prior above 0"
        )
