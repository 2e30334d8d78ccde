"""CPDAG and PAG from data: the tests, the order of the variables and the knowledge put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mahc.constraint.fci import fci
from mahc.constraint.finding import Finding
from mahc.constraint.pc_stable import pc_stable
from mahc.data import Dataset, read
from mahc.engine import EngineRows
from mahc.independence import IndependenceTest, TableOracle
from mahc.search.algorithm import make_algorithm
from mahc.search.choice import check_use
from mahc.search.constraints import Constraints
from mahc.search.knowledge import Knowledge
from mahc.search.order import order_variables
from mahc.search.watch import Progress, Watch

Report = Callable[[Progress], None]


def learn_cpdag(
    data: object,
    *,
    alpha: float = 0.01,
    test: IndependenceTest | None = None,
    most_given: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Report | None = None,
) -> Finding:
    """PC-Stable on whatever `mahc.read` takes, with the G2 test unless another is given.

    The answer does not depend on the order of columns, rows or states. Knowledge that would change nothing (targets,
    `all_relevant`) is refused.

    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> learn_cpdag(columns).graph.edges
    (Edge(left='rain', mark='---', right='wet'),)
    """
    with _prepared(
        "pc-stable", data, test or IndependenceTest("g2"), knowledge, Watch(time_limit, progress), threads
    ) as given:
        return pc_stable(given[0], given[1], alpha=alpha, most_given=most_given, watch=given[2])


def learn_pag(
    data: object,
    *,
    alpha: float = 0.01,
    test: IndependenceTest | None = None,
    most_given: int | None = None,
    only_needed: bool = True,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Report | None = None,
) -> Finding:
    """FCI on whatever `mahc.read` takes, with the X2 test unless another is given.

    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> learn_pag(columns).graph.edges
    (Edge(left='rain', mark='o-o', right='wet'),)
    """
    with _prepared(
        "fci", data, test or IndependenceTest("x2"), knowledge, Watch(time_limit, progress), threads
    ) as given:
        oracle, constraints, watch = given
        return fci(oracle, constraints, alpha=alpha, most_given=most_given, only_needed=only_needed, watch=watch)


@contextmanager
def _prepared(
    algorithm: str, data: object, test: IndependenceTest, knowledge: Knowledge | None, watch: Watch, threads: int | None
) -> Iterator[tuple[TableOracle, Constraints, Watch]]:
    table = data if isinstance(data, Dataset) else read(data)
    wish = knowledge or Knowledge()
    check_use(make_algorithm(algorithm), wish, start=False)
    constraints = wish.check(table.names, max(1, len(table.names)))
    with watch.catching_interrupts():
        watch.phase = "testing"
        rows = EngineRows(table, threads=threads)
        order = order_variables(rows)
        rows.arrange(order)
        yield TableOracle(rows, test, watch), constraints.reordered(order), watch
