from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from mahc.data import Dataset
from mahc.errors import DataError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag, dag_to_mag, dag_to_pag
from mahc.measures import compare_scores
from mahc.networks import load_network, sample
from mahc.scores import AIC, BIC, Score

ASIA = load_network("asia").dag
ROWS = sample(load_network("asia"), 500, seed=3, unseen_states=True)


def bic(dag: DAG, data: Dataset) -> float:
    """Counted with dictionaries, in bits."""
    total = 0.0
    for child, parents in enumerate(dag.parent_sets):
        places = [data.index(dag.names[v]) for v in (*parents, child)]
        columns = [data.codes[place].tolist() for place in places]
        cells: dict[tuple[int, ...], int] = {}
        for row in zip(*columns, strict=True):
            cells[row] = cells.get(row, 0) + 1
        given: dict[tuple[int, ...], int] = {}
        for row, count in cells.items():
            given[row[:-1]] = given.get(row[:-1], 0) + count
        sizes = [len(data.labels[place]) for place in places]
        total += sum(count * math.log2(count / given[row[:-1]]) for row, count in cells.items())
        total -= math.log2(data.size) / 2 * (sizes[-1] - 1) * math.prod(sizes[:-1])
    return total


def test_a_dag_is_scored_as_it_is() -> None:
    empty = DAG(ASIA.names)
    result = compare_scores(empty, ASIA, ROWS)
    assert result.learned.value == pytest.approx(bic(empty, ROWS), rel=1e-12)
    assert result.true.value == pytest.approx(bic(ASIA, ROWS), rel=1e-12)
    assert (result.learned.free_parameters, result.true.free_parameters) == (8, 18)
    assert result.difference == pytest.approx(bic(empty, ROWS) - bic(ASIA, ROWS), rel=1e-9)
    assert result.percent == pytest.approx(100 * (bic(empty, ROWS) / -bic(ASIA, ROWS) + 1), rel=1e-9)


@pytest.mark.parametrize("score", [BIC(), AIC(base=math.e)])
def test_a_cpdag_scores_what_its_dags_do(score: Score) -> None:
    result = compare_scores(dag_to_cpdag(ASIA), ASIA, ROWS, score)
    assert result.learned.value == pytest.approx(result.true.value, rel=1e-12)
    assert result.learned.free_parameters == 18
    assert result.learned.taken_from == "a DAG of its class"


def test_a_mag_is_the_mean_over_the_ways_to_direct_its_two_headed_edges() -> None:
    mag = dag_to_mag(ASIA, ["smoke"])
    double = [edge for edge in mag.edges if edge.mark == "<->"]
    arcs = [(edge.left, edge.right) for edge in mag.edges if edge.mark == "-->"]
    assert len(double) == 1
    turned = [[(e.left, e.right) for e in double], [(e.right, e.left) for e in double]]
    values = [bic(DAG(mag.names, [*arcs, *more]), ROWS) for more in turned]
    result = compare_scores(mag, mag, ROWS)
    assert result.true.value == pytest.approx(sum(values) / 2, rel=1e-12)
    assert result.true.taken_from == "mean over the 2 DAGs of its MAG"
    assert result.true.free_parameters is None


def test_a_pag_without_two_headed_edges_scores_as_the_cpdag() -> None:
    result = compare_scores(dag_to_pag(ASIA), ASIA, ROWS)
    assert result.learned.value == pytest.approx(result.true.value, rel=1e-12)
    assert result.learned.taken_from == "a DAG of its class"
    assert result.learned.free_parameters == 18


def test_what_cannot_be_scored_says_why_and_the_other_is_scored_still() -> None:
    names = [f"x{i}" for i in range(14)]
    codes = np.arange(40) % 2
    data = Dataset.coded(tuple(names), (("a", "b"),) * 14, (codes,) * 14)
    many = MixedGraph(names, [(a, "<->", b) for a, b in itertools.pairwise(names)])
    result = compare_scores(DAG(names), many, data)
    assert result.true.value is None
    assert "13 bidirected edges, so 2^13 orientations" in result.true.taken_from
    assert result.learned.value is not None
    assert result.difference is None
    assert result.percent is None
    square = MixedGraph(names, [("x0", "---", "x1"), ("x1", "---", "x2"), ("x2", "---", "x3"), ("x3", "---", "x0")])
    assert "no consistent extension" in compare_scores(square, DAG(names), data).learned.taken_from


def test_the_order_of_columns_changes_no_bit() -> None:
    again = ROWS.select(ROWS.names[::-1])
    graphs = dag_to_mag(ASIA, ["smoke"]), dag_to_cpdag(DAG(ASIA.names[::-1], ASIA.arcs))
    assert compare_scores(*graphs, ROWS) == compare_scores(*graphs, again)


def test_a_variable_that_the_data_lack_is_refused() -> None:
    with pytest.raises(DataError, match="the data have no column 'dysp'"):
        compare_scores(ASIA, ASIA, ROWS.select([name for name in ROWS.names if name != "dysp"]))
