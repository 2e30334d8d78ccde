"""Which families a search will probably ask for next: the neighbours of parent sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Family = tuple[int, frozenset[int]]
MOST_CHILDREN = 8  # of a batch: larger ones are no step of a climb, and nothing is added to them
LONGEST_CHAIN = 32
PLACES = 4  # sets at which the search has been, for each child
FEW_TRIALS = 3  # neighbours of a set that are tried in turn before all others are counted at once


class Neighbourhoods:
    """Follows, for each child, the parent set at which the search stands, and guesses where it goes.

    The neighbours of a set differ from it in one parent. A search that improves a score goes to the best one next, so
    the neighbours of that are asked for ahead of time, for the children that gain most. A search that goes elsewhere
    tries many neighbours in turn (an escape from a local optimum); then the neighbours of all of them are asked for.

    Parameters
    ----------
    variables : int
        How many variables there are.
    children : int
        For how many children neighbours are guessed in one batch.

    Examples
    --------
    >>> guesses = Neighbourhoods(3, children=1)
    >>> guesses.start(np.array([[-9.0, -5.0, -8.0], [-5.0, -9.0, -7.0], [-8.0, -7.0, -9.0]]))
    >>> [(child, sorted(parents)) for child, parents in guesses.propose([(0, frozenset([1, 2]))])]
    [(0, [1, 2]), (0, [2]), (0, [1]), (1, [0]), (1, []), (1, [0, 2])]
    """

    def __init__(self, variables: int, children: int) -> None:
        self._children = children
        self._others = [[u for u in range(variables) if u != v] for v in range(variables)]
        self._at: dict[int, list[frozenset[int]]] = {v: [frozenset()] for v in range(variables)}
        self._trials: dict[Family, int] = {}
        self._best: dict[Family, tuple[float, frozenset[int]]] = {}
        self._proposed: list[Family] = []

    def start(self, pairs: NDArray[np.float64]) -> None:
        """Take the scores of all single parents: the neighbours of the empty sets."""
        for v, others in enumerate(self._others):
            if others:
                u = max(others, key=lambda u: (pairs[u, v], -u))
                self._best[v, frozenset()] = float(pairs[u, v] - pairs[v, v]), frozenset((u,))

    def restrict(self, candidates: Sequence[Sequence[int]]) -> None:
        """From now on the parents of variable v are among `candidates[v]`."""
        self._others = [[u for u in parents if u != v] for v, parents in enumerate(candidates)]

    def propose(self, missing: Sequence[Family]) -> Iterator[Family]:
        """The families to score together with the missing ones, likeliest first."""
        self._proposed = []
        by_child: dict[int, list[frozenset[int]]] = {}
        for child, parents in missing:
            by_child.setdefault(child, []).append(parents)
        if len(by_child) > MOST_CHILDREN:
            return
        for child, sets in by_child.items():
            centre = find_centre(sets)
            yield from self._neighbours(child, centre)
            for place in self._tried_from(child, centre):
                yield from self._second_neighbours(child, place)
        for child, parents in self._guess(set(by_child)):
            yield from self._neighbours(child, parents)

    def learn(self, scores: Mapping[Family, float]) -> None:
        """Find the best neighbour of every set whose neighbours were proposed and are scored now."""
        for child, centre in self._proposed:
            own = scores.get((child, centre))
            found = [
                (scores[child, one], sorted(one)) for one in self._toggled(child, centre) if (child, one) in scores
            ]
            if own is not None and found:
                best, parents = max(found)
                self._best[child, centre] = best - own, frozenset(parents)

    def _neighbours(self, child: int, centre: frozenset[int]) -> Iterator[Family]:
        self._proposed.append((child, centre))
        yield child, centre
        for parents in self._toggled(child, centre):
            yield child, parents

    def _toggled(self, child: int, centre: frozenset[int]) -> Iterator[frozenset[int]]:
        for u in self._others[child]:
            yield centre ^ {u}

    def _second_neighbours(self, child: int, place: frozenset[int]) -> Iterator[Family]:
        for centre in self._toggled(child, place):
            yield from self._neighbours(child, centre)

    def _tried_from(self, child: int, centre: frozenset[int]) -> list[frozenset[int]]:
        """The set from which the search tries neighbours that are not the best one, this one not being the first."""
        for place in [*self._chain(child), *self._at[child][1:]]:
            best = self._best.get((child, place))
            if best is not None and len(place ^ centre) == 1 and (best[0] <= 0 or best[1] != centre):
                self._trials[child, place] = self._trials.get((child, place), 0) + 1
                return [place] if self._trials[child, place] == FEW_TRIALS else []
        self._at[child] = [centre, *self._at[child][: PLACES - 1]]
        return []

    def _guess(self, asked: set[int]) -> list[Family]:
        """For the children that gain most, the first set on their way whose neighbours are not known."""
        found = []
        for child in self._at.keys() - asked:
            gain, parents = self._follow(child)
            if gain > 0:
                found.append((-gain, child, parents))
        found.sort(key=lambda one: one[:2])
        return [(child, parents) for _, child, parents in found[: self._children]]

    def _follow(self, child: int) -> tuple[float, frozenset[int]]:
        """The end of the chain of best neighbours, and what the last step gains; 0 if its neighbours are known."""
        *_, last = places = self._chain(child)
        if (child, last) in self._best or len(places) == 1:
            return 0.0, last
        return self._best[child, places[-2]][0], last

    def _chain(self, child: int) -> list[frozenset[int]]:
        """From where the search was seen last, by best neighbours while they gain."""
        places = [self._at[child][0]]
        while (child, places[-1]) in self._best and len(places) < LONGEST_CHAIN:
            gain, following = self._best[child, places[-1]]
            if gain <= 0:
                break
            places.append(following)
        return places


def find_centre(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """The set of which these are probably the neighbours: what the largest of them share.

    >>> sorted(find_centre([frozenset((1, 2, 3)), frozenset((1, 2, 4)), frozenset((1,))]))
    [1, 2]
    """
    most = max(len(one) for one in sets)
    largest = [one for one in sets if len(one) == most]
    return frozenset.intersection(*largest)
