"""Tables with columns of numbers and a known graph: random networks over numbers and states, drawn by seed.

The graph and the nodes depend on kind, number of columns and seed, the rows on these and their number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mahc.errors import UnknownNameError
from mahc.plurals import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mahc.data import Dataset
    from mahc.data.columns import Continuous, Discrete
    from mahc.graphs import DAG, MixedGraph

    Column = Discrete | Continuous
    Numbers = NDArray[np.float64]
    Draw = np.random.Generator

NEIGHBOURS = 3.0  # of a variable, on average
MOST_PARENTS = 4


@dataclass(frozen=True)
class Generated:
    """A table and the graph that it was drawn from; nothing is hidden in it."""

    dag: DAG
    data: Dataset
    latents: tuple[str, ...] = ()
    truth_kind: str = "cpdag"

    def truth(self) -> MixedGraph:
        """The true CPDAG."""
        from mahc.graphs import dag_to_cpdag

        return dag_to_cpdag(self.dag)


def generate(kind: str, rows: int, seed: int, *, columns: int = 12, noise: float = 0.0) -> Generated:
    """Draw a table of a random network.

    Parameters
    ----------
    kind : str
        linear (lines and normal residuals), curved (lines, saturations, parabolas and waves), mixed (as curved, half
        of the columns seen as ordered or unordered states), measured (states from random tables, half of them seen as
        overlapping numbers).
    rows : int
        Number of rows.
    seed : int
        The seed of graph, nodes and rows.
    columns : int
        Number of columns.
    noise : float
        Standard deviation of the errors of measurement that are added to columns of numbers, in units of theirs.

    Returns
    -------
    Generated
        The table and its graph.

    Examples
    --------
    >>> made = generate("mixed", 200, seed=1, columns=6)
    >>> made.data.rows, len(made.dag.names), sorted(kind.value for kind in made.data.kinds)
    (200, 6, ['continuous', 'discrete'])
    """
    from mahc.data import Dataset
    from mahc.graphs import DAG
    from mahc.networks.random_streams import stream
    from mahc.networks.sampling import check_rows

    if kind not in GENERATORS:
        raise UnknownNameError("generator", kind, GENERATORS)
    check_rows(rows)
    names = [f"x{v + 1:0{len(str(columns))}}" for v in range(columns)]
    plan = stream(seed, f"generator {kind}", count(columns, "column"))
    parents = _random_parents(columns, plan)
    order = plan.permutation(columns).tolist()  # so that the order of the columns says nothing
    called = [names[place] for place in order]
    make, values, shown = GENERATORS[kind], list[Any](), dict[str, Any]()
    for v, own in enumerate(parents):
        node, draws = (stream(seed, f"generator {kind} {purpose}", called[v]) for purpose in ("node", "rows"))
        value, column = make([values[u] for u in own], rows, noise, node, draws)
        values.append(value)
        shown[called[v]] = column
    dag = DAG(names, [(called[u], called[v]) for v, own in enumerate(parents) for u in own])
    data = Dataset(tuple(names), tuple(shown[name] for name in names))
    return Generated(dag, data.without_unused_states())


def _random_parents(columns: int, draw: Draw) -> list[list[int]]:
    """Parents among earlier variables; each variable has three neighbours on average."""
    pairs = [(u, v) for v in range(columns) for u in range(v)]
    chosen = draw.permutation(len(pairs))[: round(columns * NEIGHBOURS / 2)]
    found: list[list[int]] = [[] for _ in range(columns)]
    for u, v in sorted(pairs[k] for k in chosen.tolist()):
        if len(found[v]) < MOST_PARENTS:
            found[v].append(u)
    return found


def _linear(parents: list[Numbers], rows: int, noise: float, node: Draw, draw: Draw) -> tuple[Numbers, Column]:
    value = _sum([one * _weight(node) for one in parents], rows, node, draw)
    return value, _number(value, noise, draw)


def _curved(parents: list[Numbers], rows: int, noise: float, node: Draw, draw: Draw) -> tuple[Numbers, Column]:
    value = _sum([_curve(one, node) * _weight(node) for one in parents], rows, node, draw)
    return value, _number(value, noise, draw)


def _mixed(parents: list[Numbers], rows: int, noise: float, node: Draw, draw: Draw) -> tuple[Numbers, Column]:
    import numpy as np

    from mahc.data.columns import Discrete

    value, column = _curved(parents, rows, noise, node, draw)
    cuts = np.sort(node.normal(0, 0.8, int(node.integers(2, 4))))
    ordered = bool(node.random() < 0.5)
    if node.random() < 0.5:
        return value, column
    codes = np.searchsorted(cuts, value + 0.3 * draw.logistic(size=rows))
    return value, Discrete(tuple(f"s{k}" for k in range(len(cuts) + 1)), codes.astype(np.uint8), ordered)


def _measured(parents: list[Numbers], rows: int, noise: float, node: Draw, draw: Draw) -> tuple[Numbers, Column]:
    import numpy as np

    from mahc.data.columns import Discrete

    states, row = int(node.integers(2, 5)), np.zeros(rows, np.int64)
    for one in parents:
        row = row * 4 + one.astype(np.int64)
    tables = node.dirichlet(np.full(states, 0.5), size=4 ** len(parents))
    codes = (tables[row].cumsum(axis=1)[:, :-1] < draw.random(rows)[:, None]).sum(axis=1)
    if node.random() < 0.5:
        return codes.astype(np.float64), _number(np.exp(0.5 * codes + 0.15 * draw.normal(size=rows)), noise, draw)
    named = tuple(f"s{k}" for k in range(states))
    return codes.astype(np.float64), Discrete(named, codes.astype(np.uint8))


GENERATORS: dict[str, Callable[..., tuple[Numbers, Column]]] = {
    "linear": _linear,
    "curved": _curved,
    "mixed": _mixed,
    "measured": _measured,
}


def _weight(node: Draw) -> float:
    return float(node.uniform(0.5, 1.2) * node.choice([-1, 1]))


def _curve(x: Numbers, node: Draw) -> Numbers:
    import numpy as np

    shapes: list[Numbers] = [x, 1.3 * np.tanh(2 * x), (x * x - 1) / 1.3, 1.4 * np.sin(1.5 * x)]
    return shapes[int(node.integers(4))]


def _sum(effects: list[Numbers], rows: int, node: Draw, draw: Draw) -> Numbers:
    """The sum of effects and a residual, with mean 0 and standard deviation 1."""
    import numpy as np

    value = sum(effects, draw.normal(size=rows) * node.uniform(0.6, 1.2))
    found: Numbers = (value - value.mean()) / max(float(np.std(value)), 1e-12)
    return found


def _number(value: Numbers, noise: float, draw: Draw) -> Column:
    from mahc.data.columns import Continuous

    return Continuous(value + noise * float(value.std()) * draw.normal(size=len(value)))
