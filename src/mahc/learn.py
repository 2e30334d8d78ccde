"""`mahc.learn`: from data to a learned graph."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

from mahc.data import Dataset, read
from mahc.engine import EngineRows, RowScorer
from mahc.errors import MahcError, SettingError
from mahc.graphs import DAG
from mahc.knowledge.constraints import Constraints
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.knowledge.parsing import check_pairs
from mahc.learning.algorithm import Algorithm
from mahc.learning.connecting import connect
from mahc.learning.control import Halted, Progress, Watch
from mahc.learning.found import Found
from mahc.learning.problem import Problem
from mahc.learning.settings import check_resources, check_use, choose_algorithm, choose_score
from mahc.learning.start_graph import complete_start
from mahc.learning.tie_order import order_variables
from mahc.results.description import Run, describe
from mahc.results.learned import Learned
from mahc.scores import Score

DEFAULT_CACHE = 1024  # mebibytes


def learn(
    data: object,
    algorithm: str | Algorithm = "mahc",
    *,
    score: str | Score = "bic",
    base: float = 2.0,
    equivalent_sample_size: float | None = None,
    prune_in_degree: int | None = None,
    search_in_degree: int | None = None,
    pruning: bool | None = None,
    averaging: bool | None = None,
    alpha: float | None = None,
    test: str | None = None,
    degrees_of_freedom: str | None = None,
    min_rows_per_df: float | None = None,
    max_conditions: int | None = None,
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
    start: DAG | Iterable[tuple[str, str]] = (),
    ties: str = "data",
    missing: str = "error",
    weights: str | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    threads: int | None = None,
    memory_mebibytes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """Learn the structure of a Bayesian network from discrete data.

    `data` is whatever `mahc.data.read` takes: a path, a pandas, polars or Arrow table, arrays, a dict of lists.
    Settings left out keep the algorithm's defaults; one that the algorithm does not have is refused.
    `knowledge` may also be the path of a knowledge file, or what such a file says as a dict.

    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> learn(columns, "hc").arcs
    (('rain', 'wet'),)
    """
    settings = {
        "prune_in_degree": prune_in_degree,
        "search_in_degree": search_in_degree,
        "pruning": pruning,
        "averaging": averaging,
        "alpha": alpha,
        "test": test,
        "degrees_of_freedom": degrees_of_freedom,
        "min_rows_per_df": min_rows_per_df,
        "max_conditions": max_conditions,
        "step_limit": step_limit,
        "memory_mebibytes": memory_mebibytes,
    }
    watch = Watch(time_limit, progress)
    check_resources(ties, threads)
    chosen = choose_algorithm(algorithm, settings)
    counted = choose_score(score, base, equivalent_sample_size)
    table = _take_data(data, missing, weights)
    wish = take_knowledge(knowledge)
    constraints = wish.check(table.names, chosen.in_degree)
    arcs = tuple(sorted(DAG(table.names, start.arcs if isinstance(start, DAG) else check_pairs("start", start)).arcs))
    check_use(chosen, wish, bool(arcs))
    with watch.catching_interrupts():
        return _learn(table, chosen, counted, wish, constraints, arcs, ties, threads, watch)


def _learn(
    data: Dataset,
    algorithm: Algorithm,
    score: Score,
    wish: Knowledge,
    constraints: Constraints,
    start: tuple[tuple[str, str], ...],
    ties: str,
    threads: int | None,
    watch: Watch,
) -> Learned:
    began = time.perf_counter()
    limit: int | None = getattr(algorithm, "memory_mebibytes", None)
    cache = DEFAULT_CACHE if limit is None else max(64, limit // 2)
    rows = EngineRows(data, threads=threads, cache_mebibytes=cache)
    order = order_variables(rows, ties)
    rows.arrange(order)
    constraints = constraints.reordered(order)
    scorer = RowScorer(rows, score, constraints.divisors)
    names = [data.names[v] for v in order]
    place = {name: i for i, name in enumerate(names)}
    given = [(place[a], place[b]) for a, b in start]
    problem = Problem(scorer, constraints, (), watch, max(64, cache // 4), data_ties=ties == "data")
    problem = problem.starting(complete_start(problem, given))
    try:
        found = algorithm.search(problem)
    except Halted:
        found = Found(problem.start, (), watch.stopped_because() or "interrupted")
    except MemoryError:
        raise MahcError(
            "the search ran out of memory: use fewer variables or rows, switch pruning on, or lower cache settings"
        ) from None
    watch.phase = "finishing"
    watch.tell(len(found.steps), found.steps[-1].score if found.steps else math.nan)
    arcs, cost_of_joining = list(found.arcs), None
    if constraints.all_relevant:
        arcs, cost_of_joining = connect(problem, arcs, names)
    seconds = time.perf_counter() - began
    return describe(
        Run(
            data=data,
            algorithm=algorithm,
            score=score,
            knowledge=wish,
            start=start,
            ties=ties,
            order=tuple(order),
            problem=problem,
            found=found,
            arcs=tuple(arcs),
            cost_of_joining=cost_of_joining,
            seconds=seconds,
        )
    )


def _take_data(data: object, missing: str, weights: str | None) -> Dataset:
    if not isinstance(data, Dataset):
        return read(data, missing=missing, weights=weights)
    if missing != "error" or weights is not None:
        name = "weights" if weights is not None else "missing"
        raise SettingError(f"{name} is given beside a Dataset, which was read already: give it to mahc.read")
    return data


def take_knowledge(knowledge: object) -> Knowledge:
    """Knowledge in any of the ways it may be given: as itself, as a dict, as the path of a file, not at all."""
    if knowledge is None or isinstance(knowledge, Knowledge):
        return knowledge or Knowledge()
    if isinstance(knowledge, Mapping):
        return Knowledge.from_dict(knowledge)
    if isinstance(knowledge, str | PathLike):
        return read_knowledge(knowledge)
    raise SettingError(f"knowledge is {knowledge!r}: give a Knowledge, a dict, or the path of a knowledge file")
