"""A panel network as a dynamic Bayesian network of pgmpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mahc.errors import MahcError, Mention
from mahc.panels.slices import now

if TYPE_CHECKING:
    from mahc.panels.network import PanelNetwork


def to_pgmpy(panel: PanelNetwork) -> Any:
    """See `PanelNetwork.to_pgmpy`."""
    try:
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.models import DynamicBayesianNetwork
    except ImportError:
        raise MahcError("pgmpy is not installed: run pip install pgmpy") from None
    if panel.lags != 1:
        raise MahcError(
            f"pgmpy has dynamic networks of one lag, and this one has {panel.lags}: use ", Mention("lags", 1)
        )
    transition, initial = panel._tables()
    model = DynamicBayesianNetwork()
    model.add_nodes_from([*panel.static, *panel.variables])
    place = {name: node for node, name in enumerate(transition.names)}
    names = {now(name): (name, 1) for name in panel.variables} | {f"{name}(t-1)": (name, 0) for name in panel.variables}
    names |= {name: (name, 1) for name in panel.static}
    for name in panel.variables:
        for parent in transition.parents[place[now(name)]]:
            base, step = names[transition.names[parent]]
            model.add_edge((base, 0), (name, 0 if step else 1))  # pgmpy repeats an edge within slice 0 in slice 1
    for name in panel.static:
        model.add_edge((name, 0), (name, 1))
    tables = []
    for name in panel.variables:
        node = place[now(name)]
        tables.append(
            _cpd(
                TabularCPD, (name, 1), transition, node, [names[transition.names[p]] for p in transition.parents[node]]
            )
        )
        tables.append(_first_slice(TabularCPD, panel, name, names))
    for name in panel.static:
        node = initial.names.index(name)
        states = len(initial.states[node])
        tables.append(TabularCPD((name, 1), states, np.eye(states), [(name, 0)], [states]))
        tables.append(TabularCPD((name, 0), states, _marginal(initial, node).reshape(-1, 1)))
    model.add_cpds(*tables)
    return model


def _cpd(kind: Any, variable: tuple[str, int], network: Any, node: int, parents: list[tuple[str, int]]) -> Any:
    sizes = [len(network.states[p]) for p in network.parents[node]]
    return kind(variable, len(network.states[node]), network.tables[node].T, parents or None, sizes or None)


def _first_slice(kind: Any, panel: PanelNetwork, name: str, names: dict[str, tuple[str, int]]) -> Any:
    """The table in slice 0 with the parents that the variable has within a slice, from the initial network."""
    from mahc.inference import Model
    from mahc.panels.slices import at

    transition, initial = panel._tables()
    inside = [
        names[transition.names[p]][0]
        for p in transition.parents[transition.names.index(now(name))]
        if names[transition.names[p]][1]
    ]
    own = initial.names.index(at(name, 0))
    called = [each if each in panel.static else at(each, 0) for each in inside]
    sizes = [len(initial.states[initial.names.index(each)]) for each in called]
    model, states = Model(initial), initial.states[own]
    columns = []
    for configuration in np.ndindex(*sizes):
        given = {
            each: initial.states[initial.names.index(each)][k] for each, k in zip(called, configuration, strict=True)
        }
        try:
            answer = model.query(at(name, 0), given=given)
            columns.append([answer[state] for state in states])
        except MahcError:  # a combination that has probability 0
            columns.append([1 / len(states)] * len(states))
    return kind((name, 0), len(states), np.array(columns).T, [(each, 0) for each in inside] or None, sizes or None)


def _marginal(network: Any, node: int) -> Any:
    from mahc.inference import Model

    answer = Model(network).query(network.names[node])
    return np.array([answer[state] for state in network.states[node]])
