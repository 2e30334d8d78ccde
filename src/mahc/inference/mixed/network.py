"""A network over numbers and states: variables, parents and nodes; log density and sampling."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.documents import Document, Index
from mahc.errors import DataError, UnknownNameError
from mahc.graphs import DAG
from mahc.inference.mixed.nodes import Node, fit_node
from mahc.inference.mixed.variables import Variable, inner_values, make_variable
from mahc.networks.random_streams import stream
from mahc.networks.sampling import check_rows
from mahc.plurals import count

Inner = NDArray[Any]
Values = NDArray[np.float64]


class MixedNetwork(Document, frozen=True):
    """A graph with one node per variable; parents come in the order of their names."""

    name: str
    variables: tuple[Variable, ...]
    parents: tuple[tuple[Index, ...], ...]
    nodes: tuple[Node, ...]
    origin: str = ""

    def __post_init__(self) -> None:
        if not len(self.variables) == len(self.parents) == len(self.nodes):
            raise ValueError("variables, parents and nodes differ in number")
        if any(parent >= len(self.variables) for parents in self.parents for parent in parents):
            raise ValueError("the number of a variable is out of range")
        self.dag  # noqa: B018 - refuses cycles
        for variable, parents, node in zip(self.variables, self.parents, self.nodes, strict=True):
            if not node.fits(variable, [self.variables[parent] for parent in parents]):
                raise ValueError(f"the node of '{variable.name}' does not fit its parents")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def dag(self) -> DAG:
        """The graph."""
        names = self.names
        return DAG(names, [(names[p], names[v]) for v, parents in enumerate(self.parents) for p in parents])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The variables, parents first; else by name."""
        found: list[int] = []
        waiting = sorted(range(len(self.names)), key=self.names.__getitem__)
        while waiting:
            ready = next(v for v in waiting if all(parent in found for parent in self.parents[v]))
            found.append(ready)
            waiting.remove(ready)
        return tuple(found)

    def log_node(self, node: int, child: Inner, parents: Sequence[Inner]) -> Values:
        """The log density of inner values of one variable given those of its parents."""
        return self.nodes[node].log_density(child, parents, [self.variables[p] for p in self.parents[node]])

    def draw_node(self, node: int, parents: Sequence[Inner], rows: int, random: np.random.Generator) -> Inner:
        """Inner values of one variable, given those of its parents."""
        return self.nodes[node].draw(parents, [self.variables[p] for p in self.parents[node]], rows, random)

    def log_density(self, rows: Sequence[Inner]) -> Values:
        """The natural logarithm of the density of each row, in the units of the data."""
        total = np.zeros(len(rows[0]))
        for node, parents in enumerate(self.parents):
            total += self.log_node(node, rows[node], [rows[parent] for parent in parents])
            total += self.variables[node].log_slope(rows[node])
        return total

    def sample(self, rows: int, seed: int) -> Dataset:
        """Draw rows; each variable has a stream of its own, so that neither order nor other variables matter."""
        check_rows(rows)
        drawn: dict[int, Inner] = {}
        for node in self.order:
            given = [drawn[parent] for parent in self.parents[node]]
            drawn[node] = self.draw_node(node, given, rows, stream(seed, "sample", self.names[node]))
        columns = tuple(variable.column(drawn[node]) for node, variable in enumerate(self.variables))
        return Dataset(self.names, columns).without_unused_states()

    def ancestors(self, nodes: Collection[int], do: Mapping[int, object]) -> list[int]:
        """These variables and their ancestors, parents first, where arcs into variables in `do` are cut."""
        found, waiting = set(nodes), list(nodes)
        while waiting:
            node = waiting.pop()
            fresh = [p for p in self.parents[node] if p not in found] if node not in do else []
            found.update(fresh)
            waiting += fresh
        return [node for node in self.order if node in found]


def fit_network(dag: DAG, data: Dataset, degree: int, prior: float, name: str) -> MixedNetwork:
    """Fit every node of a graph to complete rows.

    The rows are sorted first, so that their order does not change a bit of the result; nor does that of the columns.
    """
    lacking = next((each for each in dag.names if each not in data.names), None)
    if lacking is not None:
        raise DataError(f"the data lack a variable of the graph: {UnknownNameError('column', lacking, data.names)}")
    data.require_complete()
    keys = [data.columns[data.index(each)].sort_keys() for each in sorted(dag.names)]
    data = data.take(np.lexsort(keys))
    weights = np.ones(data.rows) if data.weights is None else data.weights.astype(np.float64)
    columns = [data.columns[data.index(each)] for each in dag.names]
    variables = tuple(make_variable(each, own, weights) for each, own in zip(dag.names, columns, strict=True))
    inner = [inner_values(variable, own) for variable, own in zip(variables, columns, strict=True)]
    parents = tuple(tuple(sorted(own, key=dag.names.__getitem__)) for own in dag.parent_sets)
    nodes = []
    for node, own in enumerate(parents):
        speaking = None if data.interventions is None else data.interventions.speaking(dag.names[node])
        rows = slice(None) if speaking is None else speaking  # the others say nothing about its causes
        given = [inner[parent][rows] for parent in own]
        around = [variables[parent] for parent in own]
        nodes.append(fit_node(variables[node], around, inner[node][rows], given, weights[rows], degree, prior))
    origin = f"fitted to {count(data.size, 'row')}"
    return MixedNetwork(name=name, variables=variables, parents=parents, nodes=tuple(nodes), origin=origin)
