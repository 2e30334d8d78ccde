"""Futures of a panel whose columns hold numbers, or numbers and states, drawn from its regressions and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.inference.mixed.network import MixedNetwork
from mahc.inference.mixed.variables import NumberVariable, inner_values
from mahc.networks.random_streams import stream
from mahc.panels.slices import before, now

TAILS = (0.05, 0.5, 0.95)


def draw_number_futures(
    network: MixedNetwork,
    variables: Sequence[str],
    lags: int,
    known: Mapping[str, NDArray[Any]],
    horizon: int,
    fixed: Mapping[str, Sequence[float | None]],
    seed: int,
) -> dict[str, list[NDArray[np.float64]]]:
    """For each variable and step the probabilities of its states in each drawn future, or its numbers there.

    `known` has for each variable the numbers or codes of the last `lags` slices, oldest first, one row per future, and
    for each static variable those of its last column. A number of the present slice is mapped to its normal score once
    more when it is the past of the next one: each slice has a distribution of its own.
    """
    place = {name: node for node, name in enumerate(network.names)}
    present = {now(name): name for name in variables}
    rows = len(next(iter(known.values())))
    values = {before(name, lag): known[name][:, -lag] for name in variables for lag in range(1, lags + 1)}
    values |= {name: own[:, -1] for name, own in known.items() if name not in variables}
    order = [network.names[node] for node in network.order if network.names[node] in present]
    random = stream(seed, "forecast")
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in variables}
    for step in range(horizon):
        for called in order:
            node, name = place[called], present[called]
            variable, given = network.variables[node], []
            for parent in network.parents[node]:
                other, value = network.variables[parent], values[network.names[parent]]
                given.append(other.to_inner(value) if isinstance(other, NumberVariable) else value)
            setting = fixed[name][step] if name in fixed else None
            if isinstance(variable, NumberVariable):
                scores = network.draw_node(node, given, rows, random)
                values[called] = variable.to_outer(scores) if setting is None else np.full(rows, setting)
                found[name].append(values[called])
                continue
            codes = range(len(variable.states))
            logs = [network.log_node(node, np.full(rows, code), given) for code in codes]
            shares = np.exp(np.stack(logs, axis=1))
            drawn = random.random(rows)[:, None] * shares.sum(axis=1, keepdims=True)
            values[called] = (np.cumsum(shares, axis=1)[:, :-1] <= drawn).sum(axis=1)
            if setting is not None:
                values[called] = np.full(rows, int(setting))
                shares = np.eye(len(variable.states))[values[called]]
            found[name].append(shares)
        for name in variables:
            for lag in range(lags, 0, -1):
                values[before(name, lag)] = values[before(name, lag - 1)]
    return found


def describe_numbers(numbers: NDArray[np.float64]) -> dict[str, float]:
    """What a forecast says of a number: mean, standard deviation, median, and the interval that holds 90 %.

    >>> describe_numbers(np.arange(101.0))["low"]
    5.0
    """
    low, median, high = np.quantile(numbers, TAILS).tolist()
    mean, deviation = float(numbers.mean()), float(numbers.std())
    return {"mean": mean, "deviation": deviation, "low": low, "median": median, "high": high}


def number_bits(network: MixedNetwork, variables: Sequence[str], windows: Dataset) -> float:
    """The mean bits of the present slices of windows, per variable; of a number those of its density."""
    inner = [inner_values(variable, windows.columns[windows.index(variable.name)]) for variable in network.variables]
    total = 0.0
    for name in variables:
        node = network.names.index(now(name))
        logs = network.log_node(node, inner[node], [inner[parent] for parent in network.parents[node]])
        total -= math.fsum((logs + network.variables[node].log_slope(inner[node])).tolist())
    return total / windows.rows / len(variables) / math.log(2)
