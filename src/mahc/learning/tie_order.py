"""The order of the variables by which ties are broken; it comes from the data, not from the file.

The variable with the larger marginal entropy comes first. Among equals the sorted counts of the states decide, then
how the variable's states are distributed over the rows relative to all other variables (refined until no more
variables can be distinguished), then what follows for the others if a state of one of the equals is singled out. Only
variables that a symmetry of the data exchanges, such as copies, are ordered by name. Columns of numbers come after
those of two states or more, by a hash of their content. Nothing here depends on the order of columns or rows, on the
labels of states, or on the order of states. Plain climbs use this order only where looking ahead finds two additions
equal too (engine/cpp/search/lookahead.hpp).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.engine import CountSource, Families
from mahc.engine.counts import mix_bits
from mahc.errors import UnknownNameError

TIE_RULES = ("data", "file-order")
Numbers = NDArray[np.uint64]

MOST_ROUNDS = 6
MOST_TRIALS = 200  # passes over the data to distinguish variables by singling out one


def order_variables(
    source: CountSource, ties: str = "data", should_stop: Callable[[], bool] = lambda: False
) -> list[int]:
    """The variables in the order by which ties are broken: `data` (see above) or `file-order`.

    Where `should_stop` says so, variables that are not distinguished yet are ordered by name.

    >>> from mahc.data import read
    >>> from mahc.engine import EngineRows
    >>> order_variables(EngineRows(read({"skew": ["x", "x", "x", "y"], "flat": ["a", "b", "a", "b"]})))
    [1, 0]
    """
    if ties not in TIE_RULES:
        raise UnknownNameError("tie rule", ties, TIE_RULES)
    names = source.names
    variables = range(len(names))
    if ties == "file-order":
        return list(variables)
    refinement = _Refinement(source)
    profiles = [tuple(sorted(counts.tolist(), reverse=True)) for counts in refinement.marginals]
    contents = source.content_hashes().tolist() if hasattr(source, "content_hashes") else [0] * len(names)
    keys = [(-round(_entropy(own), 12), own, content) for own, content in zip(profiles, contents, strict=True)]
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    classes = np.array([rank[key] for key in keys], np.uint64)
    discrete = [key for key in keys if key[1]]
    if len(set(discrete)) < len(discrete) and not should_stop():
        classes = _rank(classes, refinement.refine(classes))
        classes = _separate(refinement, names, classes, should_stop)
    found = classes.tolist()
    return sorted(variables, key=lambda v: (found[v], names[v]))


def _separate(
    refinement: _Refinement, names: Sequence[str], classes: Numbers, should_stop: Callable[[], bool]
) -> Numbers:
    """Finer classes, so that variables of one class are images of each other under a symmetry of the data.

    One state of a variable of the smallest tied class is singled out, and what follows for all variables is computed;
    of these states the one is taken for which that gives the least numbers. Where several do, the data are symmetric
    and the names decide, which then changes nothing but the names. States that even the names do not tell apart are all
    kept as alternatives, so that their labels decide nothing. Constant columns and copies need no trial: any order of
    them is a symmetry. Classes for which the budget is too small are left to the names as well.
    """
    by_name = np.array(sorted(range(len(names)), key=lambda v: names[v]), np.int64)
    alternatives: list[tuple[int, ...]] = [()]  # the states that are singled out
    budget = MOST_TRIALS
    left_to_names = refinement.sizes < 2  # the variables whose classes are left to the names
    while True:
        refinement.mark_copies(classes, left_to_names)
        for group in sorted(_tied_classes(classes, ~left_to_names), key=len):  # of equally small ones the first class
            trials = len(alternatives) * int(refinement.sizes[group].sum())
            if trials <= budget:
                break
            left_to_names[group] = True
        else:
            return classes
        if should_stop():
            return classes
        budget -= trials
        best = _Trials(classes, by_name)
        for marked in alternatives:
            for v in group.tolist():
                for state in range(refinement.first[v], refinement.first[v + 1]):
                    if should_stop():
                        return classes
                    best.add(v, (*marked, state), refinement.refine(classes, patience=3, marked=(*marked, state)))
        alternatives, classes = best.marked, best.classes


class _Trials:
    """Of several ways to single out a state, those with the least numbers; `classes` are the finer ones they give."""

    def __init__(self, classes: Numbers, by_name: NDArray[np.int64]) -> None:
        self._before, self._by_name = classes, by_name
        self._least: tuple[bytes, bytes] | None = None
        self.classes = classes
        self.marked: list[tuple[int, ...]] = []

    def add(self, v: int, marked: tuple[int, ...], refined: Numbers) -> None:
        """A state of v is singled out, with this result; kept if none before gave less."""
        other = np.ones(len(refined), np.uint64)
        other[v] = 0
        outcome = np.stack([self._before, other, refined], axis=1)
        in_order = np.lexsort((refined, other, self._before))
        # Big-endian bytes compare as the rows of numbers do.
        numbers = outcome[in_order].astype(">u8").tobytes(), outcome[self._by_name].astype(">u8").tobytes()
        if self._least is None or numbers < self._least:
            self._least, self.marked = numbers, []
            self.classes = _rank(self._before, other, refined)
        if numbers == self._least:
            self.marked.append(marked)


class _Refinement:
    """The states of all variables, and the classes of variables that follow from how states occur together."""

    def __init__(self, source: CountSource) -> None:
        self._source = source
        self.marginals = [np.asarray(counts) for counts in source.marginals]
        self.sizes = np.array([len(counts) for counts in self.marginals], np.int64)
        self.first: list[int] = [0, *np.cumsum(self.sizes).tolist()]
        self._of_state = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self._counts = np.concatenate([np.zeros(0, np.int64), *self.marginals]).astype(np.uint64)

    def mark_copies(self, classes: Numbers, marked: NDArray[np.bool_]) -> None:
        """Mark the variables of each class whose members are the same column, up to the labels of the states.

        Classes that are marked already, or that no budget allows to try, are left out; all others are counted in one
        batch.
        """
        tied = [group for group in _tied_classes(classes, ~marked) if self.sizes[group].sum() <= MOST_TRIALS]
        pairs = [(v, [group[0]]) for group in tied for v in group[1:].tolist()]
        if not pairs:
            return
        counts = self._source.count_families(Families.of(pairs))
        tables = iter(np.split(counts.cells, counts.offsets[1:-1]))
        for group in tied:
            same = [self._is_copy(group[0], v, next(tables)) for v in group[1:].tolist()]
            if all(same):
                marked[group] = True

    def _is_copy(self, u: int, v: int, cells: NDArray[np.int64]) -> bool:
        one, other = self.marginals[u], self.marginals[v]
        same_rows = cells.sum() == one.sum() == other.sum()  # values may be missing
        return bool(same_rows and np.count_nonzero(cells) == np.count_nonzero(one) == np.count_nonzero(other))

    def refine(self, classes: Numbers, patience: int = 1, marked: Sequence[int] = ()) -> Numbers:
        """One number per variable, from its class and its joint distribution with the others.

        A state's hash comes from its variable's class and its count; a row's hash from those of its states; then a
        state's hash takes in the sum of its rows, and so on, until `patience` rounds distinguish no more variables.
        Sums do not depend on any order. Numbers are equal only for variables that no round distinguishes. The
        `marked` states have hashes of their own.
        """
        found, of_state = classes.copy(), self._of_state
        hashes = mix_bits(mix_bits(found)[of_state] + self._counts)
        for place, state in enumerate(marked, 1):
            hashes[state] = mix_bits(hashes[state : state + 1] + np.uint64(place))[0]
        told_apart, in_vain = len(np.unique(classes)), 0
        for _ in range(MOST_ROUNDS):
            unclear = _shared(found)
            sums = self._source.sum_row_hashes(hashes, unclear)
            changed = unclear[of_state]
            hashes[changed] = mix_bits(hashes ^ mix_bits(sums))[changed]
            summary = mix_bits(found)
            np.add.at(summary, of_state, mix_bits(hashes))
            found[unclear] = summary[unclear]
            now = len(np.unique(found))
            in_vain = in_vain + 1 if now == told_apart else 0
            if in_vain == patience or now == len(found):
                break
            told_apart = now
        return found


def _rank(*columns: Numbers) -> Numbers:
    """The rows of the columns as numbers from 0, in the order of the rows; equal rows have equal numbers."""
    in_order = np.lexsort(columns[::-1])
    new = np.zeros(len(in_order), np.bool_)
    for column in columns:
        new[1:] |= column[in_order][1:] != column[in_order][:-1]
    ranks = np.empty(len(in_order), np.uint64)
    ranks[in_order] = np.cumsum(new)
    return ranks


def _tied_classes(classes: Numbers, eligible: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The variables of each eligible class of more than one, in the order of the classes."""
    variables = np.flatnonzero(eligible)
    in_order = variables[np.argsort(classes[variables], kind="stable")]
    _, first, counts = np.unique(classes[in_order], return_index=True, return_counts=True)
    tied = counts > 1
    return [in_order[i : i + n] for i, n in zip(first[tied].tolist(), counts[tied].tolist(), strict=True)]


def _shared(numbers: Numbers) -> NDArray[np.bool_]:
    """Which of the numbers occur more than once."""
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    shared: NDArray[np.bool_] = counts[which] > 1
    return shared


def _entropy(profile: Sequence[int]) -> float:
    total = sum(profile)
    return -math.fsum(n / total * math.log2(n / total) for n in profile if n)
