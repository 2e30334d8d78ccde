"""Numbers and patterns at the edge: huge weights, tiny probabilities, values that are missing in odd ways."""

from __future__ import annotations

import logging
import math
import random
import time

import numpy as np
from fuzz import Outcome

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.data.settings import MISSING_METHODS
from mahc.graphs import DAG
from mahc.inference import Model
from mahc.inference.em import Completer, fit_em
from mahc.networks import Network


def attack_weights(seed: int, cases: int, seconds: float) -> Outcome:
    """Expected counts of EM grow with the weights, to the bit; a fit with huge weights never loses likelihood."""
    logging.disable(logging.WARNING)
    end, outcome = time.monotonic() + seconds, Outcome()
    while outcome.cases < cases and time.monotonic() < end:
        chance = random.Random(f"weights {seed} {outcome.cases}")
        rows = chance.randint(2, 8)
        columns = {name: [chance.choice(["x", "y", ""]) for _ in range(rows)] + ["x", "y"] for name in "abc"}
        data = mahc.read(columns, missing="state").state_as_missing()
        weights = np.array([chance.randint(1, 9) for _ in range(data.rows)])
        power = chance.randint(0, 52 - int(weights.sum()).bit_length())
        dag = DAG(data.names, chance.sample([("a", "b"), ("a", "c"), ("b", "c")], 2))
        small, large = (data.take(np.arange(data.rows), weights * scale) for scale in (1, 1 << power))
        tables = Completer(dag, small).fit_available()
        one, many = Completer(dag, small).expect(tables), Completer(dag, large).expect(tables)
        assert one is not None
        assert many is not None
        trace = fit_em(dag, large, max_steps=20).log_likelihoods
        outcome.cases += 1
        if (many[0] != one[0] * 2.0**power).any() or min(np.diff(trace), default=0.0) < -1e-6 * large.size:
            outcome.faults.append(f"weights, seed {seed}, case {outcome.cases}: EM differs for weights x 2^{power}")
    return outcome


def attack_queries(seed: int, cases: int, seconds: float) -> Outcome:
    """The posterior of a class with many improbable children is that of sums of logarithms."""
    end, outcome = time.monotonic() + seconds, Outcome()
    while outcome.cases < cases and time.monotonic() < end:
        chance = random.Random(f"queries {seed} {outcome.cases}")
        count = chance.choice([1, 5, 40, 300])
        tables = [np.array([[0.5, 0.5]])]
        logs = [0.0, 0.0]
        for _ in range(count):
            first = np.array([10.0 ** chance.uniform(-12, -0.5), 10.0 ** chance.uniform(-12, -0.5)])
            tables.append(np.stack([first, 1 - first], axis=1))
            logs = [log + math.log(p) for log, p in zip(logs, first, strict=True)]
        names = ("class", *(f"c{i}" for i in range(count)))
        network = Network("n", names, (("x", "y"),) * (count + 1), ((), *((0,),) * count), tuple(tables))
        expected = 1 / (1 + math.exp(min(700.0, logs[1] - logs[0])))
        outcome.cases += 1
        try:
            found = Model(network).query("class", dict.fromkeys(names[1:], "x"))["x"]
        except mahc.MahcError as refusal:
            outcome.faults.append(f"queries, seed {seed}, case {outcome.cases}: {refusal}")
            continue
        if not math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-12):
            outcome.faults.append(f"queries, seed {seed}, case {outcome.cases}: {found} for {expected}")
    return outcome


def attack_missing(seed: int, cases: int, seconds: float) -> Outcome:
    """Values that are missing in any pattern are learned from, by every method and algorithm, or refused."""
    logging.disable(logging.WARNING)
    end, outcome = time.monotonic() + seconds, Outcome()
    while outcome.cases < cases and time.monotonic() < end:
        chance = random.Random(f"missing {seed} {outcome.cases}")
        rows, rates = chance.choice([4, 30, 60]), {name: chance.choice([0.0, 0.3, 0.95]) for name in "abcd"}
        columns = {
            name: ["" if chance.random() < rate else chance.choice("xyz") for _ in range(rows)]
            for name, rate in rates.items()
        }
        if chance.random() < 0.5:  # two that are never observed together
            columns["a"] = [value if i % 2 else "" for i, value in enumerate(columns["a"])]
            columns["b"] = ["" if i % 2 else value for i, value in enumerate(columns["b"])]
        algorithm, method = chance.choice(sorted(ALGORITHMS)), chance.choice(MISSING_METHODS)
        outcome.cases += 1
        try:
            mahc.learn(columns, algorithm, missing=method)
        except mahc.MahcError:
            continue
        except Exception as problem:  # what is looked for
            outcome.faults.append(f"missing, seed {seed}, case {outcome.cases}, {algorithm}, {method}: {problem!r}")
    return outcome
