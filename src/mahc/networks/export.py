"""Networks to and from objects of pyAgrum and pgmpy."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from mahc.data.columns import State
from mahc.data.prepare.types import label
from mahc.errors import GraphError, MahcError
from mahc.networks.network import Network


def to_pyagrum(network: Network) -> Any:
    """A pyAgrum BayesNet with the same variables, arcs and tables (needs the extra `inference`)."""
    gum = load_pyagrum()
    net = gum.BayesNet(network.name)
    for name, states in zip(network.names, network.states, strict=True):
        net.add(gum.LabelizedVariable(name, name, list(states)))
    for parent, child in network.arcs:
        net.addArc(parent, child)
    for node, name in enumerate(network.names):
        axes = [network.names[parent] for parent in network.parents[node]] + [name]
        table = _cube(network, node)
        # pyAgrum's own order of axes: cpt.names runs from the last axis of its array to the first.
        target = list(reversed(net.cpt(name).names))
        reordered = np.transpose(table, [axes.index(axis) for axis in target])
        net.cpt(name)[:] = np.ascontiguousarray(reordered)
    return net


def load_pyagrum() -> Any:
    """Import pyagrum; raise MahcError with the command that installs it if it is missing."""
    return _load("pyagrum", 'pip install "mahc[inference]"')


def from_pyagrum(net: Any) -> Network:
    """The network of a pyAgrum BayesNet."""
    _require(net, "BayesNet of pyAgrum", "cpt", "variable")
    nodes = sorted(net.nodes())
    names = [net.variable(node).name() for node in nodes]
    parents, tables = [], []
    for name in names:
        axes = list(reversed(net.cpt(name).names))
        parent_names = [axis for axis in net.cpt(name).names if axis != name]
        cube = np.transpose(net.cpt(name)[:], [axes.index(axis) for axis in [*parent_names, name]])
        parents.append(tuple(names.index(parent) for parent in parent_names))
        tables.append(np.reshape(cube, (-1, cube.shape[-1])))
    states = tuple(tuple(net.variable(node).labels()) for node in nodes)
    return Network(net.propertyWithDefault("name", ""), tuple(names), states, tuple(parents), tuple(tables))


def to_pgmpy(network: Network) -> Any:
    """A pgmpy network with the same variables, states in their type, arcs and tables (pgmpy must be installed)."""
    factors = _load("pgmpy.factors.discrete", "pip install pgmpy")
    models = _load("pgmpy.models", "pip install pgmpy")
    # The class was renamed in pgmpy 1.0.
    kind = getattr(models, "DiscreteBayesianNetwork", None) or models.BayesianNetwork
    net = kind(list(network.arcs))
    net.add_nodes_from(network.names)
    for node, name in enumerate(network.names):
        parent_names = [network.names[parent] for parent in network.parents[node]]
        states = {axis: list(network.values[network.names.index(axis)]) for axis in [name, *parent_names]}
        net.add_cpds(
            factors.TabularCPD(
                name,
                len(network.states[node]),
                network.tables[node].T,
                evidence=parent_names or None,
                evidence_card=[len(states[parent]) for parent in parent_names] or None,
                state_names=states,
            )
        )
    return net


def from_pgmpy(net: Any) -> Network:
    """The network of a pgmpy network with tables (`DiscreteBayesianNetwork`)."""
    _require(net, "DiscreteBayesianNetwork of pgmpy", "get_cpds", "predecessors")
    names = list(net.nodes())
    states: list[tuple[State, ...]] = []
    parents, tables = [], []
    for name in names:
        table = net.get_cpds(name)
        if table is None:
            raise GraphError(f"the pgmpy network has no table for '{name}': fit it, or add one with add_cpds")
        own, *others = table.variables
        if own != name or set(others) != set(net.predecessors(name)):
            raise GraphError(
                f"the table of '{name}' has other parents than the graph: check_model() of pgmpy says more"
            )
        states.append(tuple(table.state_names[name]))
        parents.append(tuple(names.index(parent) for parent in others))
        tables.append(np.moveaxis(np.asarray(table.values, float), 0, -1).reshape(-1, len(states[-1])))
    for name, chosen in zip(names, parents, strict=True):
        table = net.get_cpds(name)
        for parent in chosen:
            if tuple(table.state_names[names[parent]]) != states[parent]:
                raise GraphError(f"the table of '{name}' has other states of '{names[parent]}' than its own table")
    labels = tuple(tuple(map(label, own)) for own in states)
    typed = None if all(isinstance(state, str) for own in states for state in own) else tuple(states)
    return Network(str(net.name or ""), tuple(names), labels, tuple(parents), tuple(tables), typed_states=typed)


def _require(net: object, wanted: str, *methods: str) -> None:
    """Refuse what does not have the methods of the wanted kind of network."""
    if not all(hasattr(net, method) for method in methods):
        raise GraphError(f"{type(net).__name__} is no network with tables: give a {wanted}")


def _cube(network: Network, node: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    shape = [len(network.states[axis]) for axis in (*network.parents[node], node)]
    return network.tables[node].reshape(shape)


def _load(module: str, install: str) -> Any:
    """Import a module; raise MahcError with the command that installs it if it is missing."""
    try:
        # SWIG modules warn while they load, and crash the interpreter where warnings are errors.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise MahcError(f"this needs {name}, which is not installed: {install}") from None
