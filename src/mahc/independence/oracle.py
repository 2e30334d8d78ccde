"""What constraint-based algorithms ask: the interface, its settings, the oracle of a known graph, stored answers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.engine import Families
from mahc.graphs import DAG
from mahc.graphs.bitset import to_bitset
from mahc.graphs.names import as_group
from mahc.graphs.walks import MSeparation
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import setting

STATISTICS = ("g2", "x2", "mi")  # of tests on tables
AUTO, SMOOTH, FISHER = "auto", "smooth", "fisher-z"
TESTS = (AUTO, *STATISTICS, SMOOTH, FISHER)
DEGREES_OF_FREEDOM = ("adjusted", "plain")
ALPHA = Number(above=0, below=1, hint="0.01 is usual")
MAX_CONDITIONS = Whole(0, 1_000_000)
# "Is x independent of y given Z?" is the family of x with parents (Z, y). Questions that follow each other and
# share x and Z are answered together: put y last and let it vary fastest.
Questions = Families
LogP = NDArray[np.float64]
Key = tuple[int, int, frozenset[int]]
MAX_CACHED = 1_000_000  # answers: some hundreds of megabytes; later ones are not cached


def declare_alpha(default: float) -> float:
    """The significance level of the tests."""
    return setting(default, help="Significance level of the independence tests.", check=ALPHA, metavar="P")


def declare_statistic(default: str) -> str:
    """The statistic of the tests."""
    help_text = "Test of independence: g2 (likelihood ratio), x2 (Pearson's chi-squared) or mi (mutual information)."
    return setting(default, help=help_text, check=OneOf(*STATISTICS), metavar="NAME")


def declare_test() -> str:
    """The test of independence."""
    help_text = (
        "Test of independence: g2 (likelihood ratio), x2 (Pearson's chi-squared) or mi (mutual information) of "
        "discrete columns, smooth (functions of ranks, any columns), fisher-z (partial correlation of numbers), "
        "or auto: smooth where there are numbers, otherwise g2 (fci x2, mmhc mi)."
    )
    return setting(AUTO, help=help_text, check=OneOf(*TESTS), metavar="NAME")


def declare_degrees_of_freedom(default: str) -> str:
    """How degrees of freedom are counted."""
    help_text = "Degrees of freedom of a test: adjusted (without empty rows and columns) or plain (with them)."
    return setting(default, help=help_text, check=OneOf(*DEGREES_OF_FREEDOM), metavar="NAME")


def declare_min_rows_per_df() -> float:
    """The rows that a test needs."""
    help_text = "Rows per degree of freedom that a test needs; with fewer the pair counts as independent."
    return setting(0.0, help=help_text, check=Number(least=0), metavar="N")


def declare_max_conditions() -> int | None:
    """The size of the largest conditioning set."""
    return setting(
        None, help="Size of the largest conditioning set; no limit if left out.", check=MAX_CONDITIONS, metavar="N"
    )


class IndependenceOracle(Protocol):
    """Answers questions about conditional independence in batches; the protocol of all oracles.

    An answer is the natural logarithm of a p-value: 0 is certainly independent, -inf certainly not.

    Examples
    --------
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import Questions, SeparationOracle
    >>> oracle = SeparationOracle(DAG(["a", "b"], [("a", "b")]))
    >>> oracle.log_p_values(Questions.of([(0, [1])])).tolist()
    [-inf]
    """

    @property
    def variables(self) -> int:
        """How many variables there are; questions name them 0, 1, ..."""
        ...

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question, in their order; None when it was stopped."""
        ...


def independent(log_p: LogP, alpha: float) -> NDArray[np.bool_]:
    """Which answers of an oracle count as independent: those with a p-value above alpha.

    Parameters
    ----------
    log_p : array of float
        Natural logarithms of p-values.
    alpha : float
        The significance level.

    Returns
    -------
    array of bool
        True where the pair counts as independent.

    Examples
    --------
    >>> independent(np.log([0.005, 0.01, 0.5]), 0.01).tolist()
    [False, False, True]
    """
    return log_p > math.log(alpha)


def check_alpha(alpha: float) -> None:
    """A significance level lies between 0 and 1."""
    ALPHA.require("alpha", alpha)


def check_max_conditions(max_conditions: int | None) -> None:
    """The size of the largest conditioning set is a whole number, or None for no limit."""
    if max_conditions is not None:
        MAX_CONDITIONS.require("max_conditions", max_conditions, optional=True)


class SeparationOracle:
    """Answers from a graph instead of data, by d-separation.

    The variables are those that are not latent, in the graph's order.

    Parameters
    ----------
    dag : DAG
        The graph.
    latent : str or iterable of str
        Variables that are not observed.

    Examples
    --------
    >>> chain = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> SeparationOracle(chain).log_p_values(Questions.of([(0, [2]), (0, [1, 2])])).tolist()
    [-inf, 0.0]
    >>> SeparationOracle(chain, latent="b").names
    ('a', 'c')
    """

    def __init__(self, dag: DAG, latent: str | Iterable[str] = ()) -> None:
        hidden = {dag.index(name) for name in as_group(latent)}
        self._place = [v for v in range(len(dag.names)) if v not in hidden]
        self.names = tuple(dag.names[v] for v in self._place)
        none = (0,) * len(dag.names)
        self._paths = MSeparation(tuple(dag.parent_bitsets), tuple(dag.child_bitsets), none, none)

    @property
    def variables(self) -> int:
        """How many variables are observed."""
        return len(self._place)

    def log_p_values(self, questions: Questions) -> LogP:
        """0 where the conditions separate the two, -inf where they do not."""
        at = self._place
        found = np.zeros(len(questions))
        for i, (x, parents) in enumerate(questions):
            given = to_bitset(at[v] for v in parents[:-1])
            if self._paths.connected(1 << at[x], 1 << at[parents[-1]], given):
                found[i] = -np.inf
        return found


class CachedOracle:
    """An oracle that passes each question on to another one only once, in either order of x and y.

    Parameters
    ----------
    oracle : IndependenceOracle
        The oracle that answers.

    Examples
    --------
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> oracle = CachedOracle(SeparationOracle(DAG(["a", "b"], [("a", "b")])))
    >>> both = [oracle.log_p_values(Questions.of([pair])) for pair in [(0, [1]), (1, [0])]]
    >>> oracle.tests_made
    1
    """

    def __init__(self, oracle: IndependenceOracle) -> None:
        self._oracle = oracle
        self._cache: dict[Key, float] = {}
        self._tests_made = 0

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self._oracle.variables

    @property
    def tests_made(self) -> int:
        """The number of tests passed on to the other oracle."""
        return self._tests_made

    def log_p_values(self, questions: Questions) -> LogP | None:
        """One answer per question; None when it was stopped."""
        keys = [_key(x, parents) for x, parents in questions]
        new: dict[Key, tuple[int, tuple[int, ...]]] = {}
        for key, question in zip(keys, questions, strict=True):
            if key not in self._cache:
                new.setdefault(key, question)
        if new:
            found = self._oracle.log_p_values(Families.of(new.values()))
            if found is None:
                return None
            self._tests_made += len(new)
            answers = dict(zip(new, found.tolist(), strict=True))
            if len(self._cache) >= MAX_CACHED:
                return np.array([answers.get(key, self._cache.get(key)) for key in keys], np.float64)
            self._cache.update(answers)
        return np.array([self._cache[key] for key in keys], np.float64)


def _key(x: int, parents: tuple[int, ...]) -> Key:
    y = parents[-1]
    return min(x, y), max(x, y), frozenset(parents[:-1])
