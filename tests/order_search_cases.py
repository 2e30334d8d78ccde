"""Random problems of order search, and the same in the terms of its oracle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from knowledge_rules import rules_of, with_consequences
from numpy.typing import NDArray
from oracles_order_search import OrderSearch
from random_learning import dependent_data

from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.control import Control
from mahc.learning.problem import Problem
from mahc.learning.start_graph import complete_start
from mahc.learning.tie_order import order_variables
from mahc.scores import make_score


def random_data(rng: random.Random) -> Dataset:
    names = tuple(f"v{v}" for v in range(rng.choice([3, 5, 6, 7, 8])))
    return dependent_data(rng, names, rng.choice([30, 200, 500]))


def make_problem(
    data: Dataset,
    knowledge: Knowledge,
    in_degree: int,
    score: str,
    price: float,
    start: Sequence[tuple[str, str]] = (),
    share: float = 0.0,
) -> Problem:
    rows = EngineRows(data, threads=1)
    order = order_variables(rows)
    rows.arrange(order)
    constraints = knowledge.check(data.names, in_degree).reordered(order)
    problem = Problem(RowScorer(rows, make_score(score)), constraints, (), Control())
    given = [(constraints.names.index(a), constraints.names.index(b)) for a, b in start]
    return problem.starting(complete_start(problem, given)).priced_by(price, share)


def make_oracle(
    problem: Problem,
    knowledge: Knowledge,
    allowed: NDArray[np.bool_],
    in_degree: int,
    paired: int,
    early_dropping: bool = False,
) -> OrderSearch:
    """The same problem in the oracle's terms; local scores are the engine's, one family at a time."""
    names = list(problem.constraints.names)
    rules = with_consequences(rules_of(knowledge, names, in_degree), knowledge, names, in_degree)
    arcs = frozenset((int(u), int(v)) for u, v in zip(*np.nonzero(allowed), strict=True))

    @cache
    def local(child: int, parents: tuple[int, ...]) -> float:
        plain = problem.scorer.score_families(Families.of([(child, parents)]))[0]
        return float(plain) - problem.prices.of_family(child, parents)

    return OrderSearch(replace(rules, allowed=arcs), local, problem.tolerance, paired, early_dropping)
