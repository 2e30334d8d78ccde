"""Expectation-maximisation: the tables of a given graph, fitted to data with missing values.

Each step computes the expected counts of all families under the present tables, exactly, in the compiled core, and fits
new tables to them. The log-likelihood of the observed values (with a prior: plus the log prior) never decreases. The
result does not depend on the order of rows or columns or on the number of threads: expected counts are sums of
whole numbers, each share of a row being rounded to a multiple of 2^-30.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.engine import RunControl, _native
from mahc.engine.rows import available_processors
from mahc.errors import DataError, Mention, SettingError, UnknownNameError
from mahc.graphs import DAG
from mahc.inference.deadline import is_over
from mahc.networks.fitting import MAX_NUMBERS, refuse_bad_prior
from mahc.networks.network import Network, Table
from mahc.plurals import count

Tables = NDArray[np.float64]


@dataclass(frozen=True)
class Fitted:
    """A network fitted by expectation-maximisation.

    `log_likelihoods` holds the log-likelihood of the observed values in bits before each step and at the end.
    `converged` is False where a limit on the steps, a time limit or Ctrl-C ended the fit.
    """

    network: Network
    log_likelihoods: tuple[float, ...]
    converged: bool
    counts: tuple[Table, ...] = ()  # the last expected counts, shaped as the tables


def fit_em(
    dag: DAG,
    data: Dataset,
    ess: float = 0.0,
    *,
    name: str = "fitted",
    tolerance: float = 1e-6,
    max_steps: int = 1000,
    threads: int | None = None,
    control: RunControl | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> Fitted:
    """Fit the tables of a graph to data with missing values, by expectation-maximisation.

    Parameters
    ----------
    dag : DAG
        The graph; the data must have its variables.
    data : Dataset
        The data. Values are assumed to be missing at random: whether one is missing depends on observed values only.
    ess : float
        Equivalent sample size of a Dirichlet prior, as in `mahc.networks.fit`; 0 is maximum likelihood.
    name : str
        The name of the network.
    tolerance : float
        The fit ends when a step gains less than this, in bits per row.
    max_steps : int
        The largest number of steps.
    threads : int, optional
        Number of threads; all processors if left out.
    control : RunControl, optional
        Ends the fit early with the best tables so far.
    progress : callable, optional
        Called with the number of steps and the log-likelihood in bits.

    Returns
    -------
    Fitted
        The network, and the log-likelihood of each step.

    Raises
    ------
    MahcError
        Where a table would be too large, a variable is not in the data, or a setting is out of range.

    Examples
    --------
    >>> from mahc.data import read
    >>> columns = {"rain": ["no", "no", "yes", ""], "wet": ["no", "no", "yes", "yes"]}
    >>> data = read(columns, missing="state").state_as_missing()
    >>> fitted = fit_em(DAG(["rain", "wet"], [("rain", "wet")]), data)
    >>> fitted.converged, fitted.network.tables[0].round(3).tolist()
    (True, [[0.5, 0.5]])
    """
    refuse_bad_prior(ess)
    if not tolerance > 0 or max_steps < 1:
        raise SettingError(f"tolerance is {tolerance!r} and max_steps {max_steps!r}: both must be above 0")
    refuse_fractions(data, "expectation-maximisation")
    completer = Completer(dag, data, threads)
    tables = completer.fit_available()
    trace: list[float] = []
    best, converged = -math.inf, False
    counts: Tables | None = None
    while True:
        found = completer.expect(tables, control)
        if found is None:
            break
        counts, bits = found
        trace.append(bits)
        if progress is not None:
            progress(len(trace) - 1, bits)
        objective = bits + completer.log_prior(tables, ess)
        converged = objective - best < tolerance * data.size
        best = max(best, objective)
        if converged or len(trace) > max_steps or is_over():
            break
        tables = completer.maximise(counts, ess)
    how = f"Dirichlet prior of equivalent sample size {ess:g}" if ess else "maximum likelihood"
    end = "" if converged else ", not converged"
    steps = count(max(0, len(trace) - 1), "step")
    origin = f"fitted to {count(data.size, 'row')} with missing values by {steps} of EM{end}, {how}"
    network = completer.network(tables, name, origin)
    return Fitted(network, tuple(trace), converged, () if counts is None else completer.arranged(counts))


def observed_bits(network: Network, data: Dataset, control: RunControl | None = None) -> float | None:
    """Minus the log-likelihood of what is observed in some rows, in bits; None when the control stops the run.

    >>> from mahc.data import read
    >>> from mahc.networks import fit
    >>> data = read({"coin": ["heads", "tails"]})
    >>> gaps = read({"coin": ["heads", "tails", ""]}, missing="state").state_as_missing()
    >>> observed_bits(fit(DAG(["coin"], []), data), gaps)
    2.0
    """
    completer = Completer(network.dag, data)
    found = completer.expect(completer.numbers(network), control)
    return None if found is None else -found[1]


class Completer:
    """The incomplete rows of some data as the compiled core needs them for one graph.

    Variables are numbered by name, so that no result depends on the order of columns.
    """

    def __init__(self, dag: DAG, data: Dataset, threads: int | None = None) -> None:
        lacking = next((name for name in dag.names if name not in data.names), None)
        if lacking is not None:
            raise DataError(f"the data lack a variable of the graph: {UnknownNameError('column', lacking, data.names)}")
        if data.interventions is not None:
            raise DataError(
                "rows of experiments must have all values, because a missing value may be one that was set: use ",
                Mention("missing", "drop"),
            )
        self._dag = dag
        self._names = sorted(dag.names)
        places = [data.index(name) for name in self._names]
        number = {name: i for i, name in enumerate(self._names)}
        self._parents = [
            sorted(number[dag.names[p]] for p in dag.parent_sets[dag.names.index(name)]) for name in self._names
        ]
        self._discrete = [data.discrete[place] for place in places]
        self.sizes = [len(column.states) for column in self._discrete]
        self._shapes = [(*(self.sizes[p] for p in mine), self.sizes[v]) for v, mine in enumerate(self._parents)]
        for v, shape in enumerate(self._shapes):
            if prod(shape) > MAX_NUMBERS:
                raise SettingError(
                    f"the table of '{self._names[v]}' with its {count(len(shape) - 1, 'parent')} "
                    f"would have {count(prod(shape), 'number')}: at most {MAX_NUMBERS:,} are fitted"
                )
        self._ends = np.cumsum([prod(shape) for shape in self._shapes])
        self._columns = [column.codes for column in self._discrete]
        self._weights = data.weights
        self._threads = available_processors() if threads is None else threads

    @cached_property
    def _rows(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint64]]:
        """The rows, equal ones merged, with their weights and their hashes."""
        hashes = np.zeros(len(self._columns[0]), np.uint64)
        for v, column in enumerate(self._columns):
            hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64) + np.uint64(v + 1)
        order = np.argsort(hashes, kind="stable")
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for column in self._columns:
            sorted_codes = column[order]
            new[1:] |= sorted_codes[1:] != sorted_codes[:-1]
        first = np.flatnonzero(new)
        kept = order[first]
        own = np.ones(len(order), np.int64) if self._weights is None else self._weights[order]
        codes = np.stack([column[kept].astype(np.uint32) for column in self._columns], axis=1)
        return codes, np.add.reduceat(own, first), hashes[kept]

    @cached_property
    def _native(self) -> _native.RowCompleter:
        codes, weights, _ = self._rows
        return _native.RowCompleter(self.sizes, self._parents, codes.ravel(), weights, self._threads)

    def expect(self, tables: Tables, control: RunControl | None = None) -> tuple[Tables, float] | None:
        """Expected counts and the log-likelihood in bits; None when the control stops the run."""
        try:
            return self._native.expect(tables, control)
        except OverflowError as error:
            raise DataError(f"{error}: use a sparser graph, or leave out rows that lack most values") from None

    def draw(
        self, tables: Tables, seed: int, draws: int, control: RunControl | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]] | None:
        """Every row `draws` times, the missing values drawn from their joint posterior; variables ordered by name.

        Equal draws of a row are one row; the second array has the weights. What is drawn for a row depends on its
        content, not on its place.
        """
        return self._native.draw(tables, self._rows[2], seed, draws, control)

    def maximise(self, counts: Tables, ess: float) -> Tables:
        """Tables from expected counts; a configuration without any is uniform."""
        return np.concatenate([_normalise(part, ess).ravel() for part in self._split(counts)])

    def fit_available(self) -> Tables:
        """Tables from the rows that are complete in each family, with a pseudo-count of 1 spread over each table."""
        found = []
        for v, (mine, shape) in enumerate(zip(self._parents, self._shapes, strict=True)):
            columns = [self._columns[member] for member in (*mine, v)]
            known = np.logical_and.reduce([codes < size for codes, size in zip(columns, shape, strict=True)])
            cells = np.ravel_multi_index(tuple(codes[known].astype(np.intp) for codes in columns), shape)
            weights = None if self._weights is None else self._weights[known]
            counts = np.bincount(cells, weights, prod(shape)).reshape(-1, shape[-1]).astype(np.float64)
            found.append(_normalise(counts, 1.0).ravel())
        return np.concatenate(found)

    def log_prior(self, tables: Tables, ess: float) -> float:
        """The part of the objective that the prior adds, in bits."""
        if not ess:
            return 0.0
        return math.fsum(
            float(ess / part.size * np.log2(np.maximum(part, 1e-300)).sum()) for part in self._split(tables)
        )

    def network(self, tables: Tables, name: str, origin: str) -> Network:
        """The network with these tables, its variables and parents in the order of the graph."""
        number = {variable: i for i, variable in enumerate(self._names)}
        columns = [self._discrete[number[variable]] for variable in self._dag.names]
        labels, values = tuple(each.labels for each in columns), tuple(each.states for each in columns)
        return Network(name, self._dag.names, labels, self._dag.parent_sets, self.arranged(tables), origin, values)

    def arranged(self, numbers: Tables) -> tuple[Table, ...]:
        """One table per variable, in the order of the graph."""
        number = {variable: i for i, variable in enumerate(self._names)}
        made: list[Table] = []
        for child, parents in zip(self._dag.names, self._dag.parent_sets, strict=True):
            v = number[child]
            table = self._split(numbers)[v].reshape(self._shapes[v])
            axes = [self._parents[v].index(number[self._dag.names[p]]) for p in parents]
            made.append(np.ascontiguousarray(table.transpose(*axes, len(axes)).reshape(-1, self.sizes[v])))
        return tuple(made)

    def numbers(self, network: Network) -> Tables:
        """The tables of such a network as one array, in the order of this completer."""
        found = []
        for v, name in enumerate(self._names):
            child = network.names.index(name)
            parents = [self._names.index(network.names[p]) for p in network.parents[child]]
            shape = (*(self.sizes[p] for p in parents), self.sizes[v])
            axes = [parents.index(p) for p in self._parents[v]]
            found.append(network.tables[child].reshape(shape).transpose(*axes, len(axes)).ravel())
        return np.concatenate(found)

    def _split(self, numbers: Tables) -> list[Tables]:
        parts = np.split(numbers, self._ends[:-1])
        return [part.reshape(-1, size) for part, size in zip(parts, self.sizes, strict=True)]


def _normalise(counts: Tables, ess: float) -> Tables:
    smoothed = counts + ess / counts.size
    sums = smoothed.sum(axis=1, keepdims=True)
    uniform = np.full_like(smoothed, 1 / counts.shape[1])
    found: Tables = np.divide(smoothed, sums, out=uniform, where=sums > 0)
    return found
