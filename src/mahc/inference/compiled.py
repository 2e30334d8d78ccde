"""A network prepared for inference: tables as arrays with one axis per variable, ancestors, relevant parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from mahc.graphs.bitset import members, to_bitset, transitive_closure
from mahc.graphs.names import rank_by_name
from mahc.inference.factors import Factor, Values
from mahc.networks.network import Network


class CompiledNetwork:
    """The factors of a network: one per variable, over its parents and itself.

    `tables` may have a leading axis for a batch of networks with the same graph, as sampled from a posterior; without
    it they are the network's own. Rows of the tables are divided by their sums.

    >>> from mahc.networks import load_network
    >>> CompiledNetwork(load_network("asia")).factors[3].values.shape
    (1, 2, 2)
    """

    def __init__(self, network: Network, tables: Sequence[Values] | None = None) -> None:
        self.network = network
        self.sizes = tuple(len(states) for states in network.states)
        self.rank = rank_by_name(network.names)
        batches = [table[None] for table in network.tables] if tables is None else tables
        self.factors = tuple(self._factor(node, batches[node]) for node in range(len(self.sizes)))

    def _factor(self, node: int, tables: Values) -> Factor:
        scope = (*self.network.parents[node], node)
        values = tables / tables.sum(axis=-1, keepdims=True)
        return Factor(scope, values.reshape(tables.shape[0], *(self.sizes[v] for v in scope)))

    @cached_property
    def parent_bitsets(self) -> tuple[int, ...]:
        """The parents of each variable."""
        return tuple(to_bitset(parents) for parents in self.network.parents)

    @cached_property
    def single_states(self) -> dict[int, int]:
        """Variables with one state, as if they were observed in it."""
        return {node: 0 for node, size in enumerate(self.sizes) if size == 1}

    def relevant(self, nodes: Iterable[int], do: Collection[int]) -> list[int]:
        """These variables and their ancestors, where arcs into variables in `do` are cut; sorted by name.

        No other variable changes an answer: its factor sums to 1 (Shachter 1986).
        """
        parents = [0 if v in do else into for v, into in enumerate(self.parent_bitsets)] if do else self.parent_bitsets
        found = members(transitive_closure(to_bitset(nodes), parents))
        return sorted(found, key=self.rank.__getitem__)

    def restrict(self, nodes: Iterable[int], fixed: Mapping[int, int], do: Collection[int]) -> list[Factor]:
        """The factors of these variables with the fixed variables in their states, but for variables in `do`."""
        return [slice_factor(self.factors[node], fixed) for node in nodes if node not in do]


def slice_factor(factor: Factor, fixed: Mapping[int, int]) -> Factor:
    """The factor where the fixed variables have their states."""
    at = tuple(fixed[v] if v in fixed else slice(None) for v in factor.scope)
    return Factor(tuple(v for v in factor.scope if v not in fixed), factor.values[(slice(None), *at)])
