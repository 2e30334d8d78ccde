"""Positivity: configurations of an adjustment set in which a state of the cause was never seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.matching import place_state
from mahc.errors import UnknownNameError
from mahc.graphs.names import as_group
from mahc.plurals import count

SHOWN = 20


@dataclass(frozen=True)
class Gap:
    """A configuration without rows of a state of the cause.

    Parameters
    ----------
    configuration : tuple of (str, str)
        Each variable of the set with its state.
    lacking : tuple of str
        The states of the cause that have no rows there.
    rows : int
        Number of rows of the configuration.

    Examples
    --------
    >>> Gap((("age", "old"),), ("treated",), 12).describe("drug")
    'age = old (12 rows): no drug = treated'
    """

    configuration: tuple[tuple[str, str], ...]
    lacking: tuple[str, ...]
    rows: int

    def describe(self, cause: str) -> str:
        """The configuration and what it lacks, in words.

        Parameters
        ----------
        cause : str
            The name of the cause.

        Returns
        -------
        str
            The sentence.

        Examples
        --------
        >>> Gap((("age", "old"),), ("a", "b"), 3).describe("drug")
        'age = old (3 rows): no drug = a, b'
        """
        where = ", ".join(f"{name} = {state}" for name, state in self.configuration) or "all rows"
        return f"{where} ({count(self.rows, 'row')}): no {cause} = {', '.join(self.lacking)}"


@dataclass(frozen=True)
class Positivity:
    """Where data cannot say what the cause does, because a state of it was never seen.

    Parameters
    ----------
    gaps : tuple of Gap
        The configurations, those with most rows first; at most as many as were asked for.
    number : int
        How many there are in all.
    configurations : int
        How many configurations of the set occur.
    rows : int
        Number of rows in configurations that lack a state.

    Examples
    --------
    >>> Positivity((), 0, 4, 0).number
    0
    """

    gaps: tuple[Gap, ...]
    number: int
    configurations: int
    rows: int


def check_positivity(
    data: Dataset,
    cause: str,
    given: str | Iterable[str] = (),
    *,
    states: Iterable[str] | None = None,
    limit: int = SHOWN,
) -> Positivity:
    """Find the configurations of an adjustment set in which a state of the cause has no rows.

    Parameters
    ----------
    data : Dataset
        Complete rows of variables with states.
    cause : str
        The cause.
    given : str or list of str
        The adjustment set.
    states : list of str, optional
        The states of the cause to look for; all if left out.
    limit : int
        The most configurations that are listed.

    Returns
    -------
    Positivity
        The configurations, and how many there are.

    Raises
    ------
    MahcError
        If a variable or state is unknown, or a variable has numbers or missing values.

    Examples
    --------
    >>> import mahc
    >>> data = mahc.read({"age": ["old", "old", "young"], "drug": ["no", "no", "yes"]})
    >>> [gap.describe("drug") for gap in check_positivity(data, "drug", "age").gaps]
    ['age = old (2 rows): no drug = yes', 'age = young (1 row): no drug = no']
    """
    names = sorted(as_group(given))
    for name in (cause, *names):
        if name not in data.names:
            raise UnknownNameError("variable", str(name), data.names)
    refuse_fractions(data, "positivity")
    chosen = data.select([cause, *names])
    chosen.require_complete()
    by_name = dict(zip(chosen.names, chosen.labels, strict=True))
    labels = by_name[cause]
    wanted = list(labels) if states is None else list(states)
    codes = np.stack([each.astype(np.int64) for each in chosen.codes], axis=1)
    weights = np.ones(data.rows, np.int64) if data.weights is None else data.weights
    found, place = np.unique(codes[:, 1:], axis=0, return_inverse=True)
    table = np.zeros((len(found), len(labels)), np.int64)
    np.add.at(table, (place.reshape(-1), codes[:, 0]), weights)
    places = [place_state(cause, labels, state) for state in wanted]
    occurs = table.sum(axis=1) > 0
    lacking = occurs & (table[:, places] == 0).any(axis=1)
    gaps = [
        Gap(
            tuple((name, by_name[name][code]) for name, code in zip(names, found[row].tolist(), strict=True)),
            tuple(state for state, k in zip(wanted, places, strict=True) if not table[row, k]),
            int(table[row].sum()),
        )
        for row in np.flatnonzero(lacking).tolist()
    ]
    gaps.sort(key=lambda gap: (-gap.rows, gap.configuration))
    return Positivity(tuple(gaps[:limit]), len(gaps), int(occurs.sum()), sum(gap.rows for gap in gaps))
