"""The same exact answers from pyAgrum's lazy propagation, as a check or where its speed on large tables is wanted."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from mahc.errors import MahcError, Mention
from mahc.inference.evidence import ImpossibleEvidenceError, Question, describe_given
from mahc.inference.exact import Cost, require_memory
from mahc.inference.factors import Values
from mahc.networks.export import load_pyagrum, to_pyagrum
from mahc.networks.network import Network


def joint_by_pyagrum(network: Network, question: Question, max_bytes: int) -> Values:
    """The joint distribution of the targets: a batch of one, then an axis for each.

    The junction tree is built first, and refused where its largest clique does not fit.
    """
    gum = load_pyagrum()
    net = to_pyagrum(_mutilate(network, question))  # kept here: the engine does not keep it alive
    names = [network.names[v] for v in question.targets]
    # Not the engine that answers: pyAgrum 3 fails on soft evidence after it was asked for its junction tree.
    require_memory(_cost(_engine(gum, net, network, question, names), net), max_bytes)
    engine = _engine(gum, net, network, question, names)
    try:
        engine.makeInference()
        found = engine.posterior(names[0]) if len(names) == 1 else engine.jointPosterior(set(names))
    except gum.IncompatibleEvidence:
        shown = describe_given(network, question)
        raise ImpossibleEvidenceError(f"{shown} has probability 0 in the network: give possible states") from None
    except gum.GumException as problem:
        reason = " ".join(str(problem).split())
        raise MahcError(f"pyAgrum did not answer ({reason}): use ", Mention("method", "exact")) from None
    axes = list(reversed(found.names))
    sizes = [len(network.states[network.names.index(name)]) for name in axes]  # pyAgrum drops axes of one state
    others = tuple(k for k, name in enumerate(axes) if name not in names)  # it may add axes of one state
    table = np.reshape(found.toarray(), sizes).sum(axis=others)
    axes = [name for name in axes if name in names]
    table = np.transpose(table, [axes.index(name) for name in names])
    values: Values = table[None]
    return values


def _engine(gum: Any, net: Any, network: Network, question: Question, names: list[str]) -> Any:
    engine = gum.LazyPropagation(net)
    engine.setEvidence(_evidence(network, question))
    if len(names) == 1:
        engine.addTarget(names[0])
    else:
        engine.addJointTarget(set(names))
    return engine


def _mutilate(network: Network, question: Question) -> Network:
    """The network in which the variables set by do have no parents; their states are given as evidence."""
    parents, tables = list(network.parents), list(network.tables)
    for v in question.do:
        parents[v] = ()
        tables[v] = np.full((1, len(network.states[v])), 1 / len(network.states[v]))
    return replace(network, parents=tuple(parents), tables=tuple(tables))


def _evidence(network: Network, question: Question) -> dict[str, Any]:
    found: dict[str, Any] = {network.names[v]: state for v, state in {**question.observed, **question.do}.items()}
    return {**found, **{network.names[v]: values.tolist() for v, values in question.soft.items()}}


def _cost(engine: Any, net: Any) -> Cost:
    tree = engine.junctionTree()
    cliques = [[net.variable(node) for node in tree.clique(number)] for number in tree.nodes()]
    cells = {tuple(sorted(v.name() for v in clique)): prod(v.domainSize() for v in clique) for clique in cliques}
    largest = max(cells, key=lambda names: (cells[names], names))
    needed = 8 * (2 * cells[largest] + sum(cells.values()))
    return Cost(max(len(clique) for clique in cliques) - 1, largest, cells[largest], needed)
