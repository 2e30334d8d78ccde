"""The measures against every row of the paper's Table B1."""

from __future__ import annotations

import json
from functools import cache

import pytest
from table_b1 import CLEAN, LATENT, PAPER, Row, read_rows, solutions

from mahc.graphs import DAG, dag_to_mag

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not PAPER.exists(), reason="needs ../shared/paper")]

NETWORKS = PAPER.parents[1] / "networks"
# How many edges the true PAG has is not printed: these are the numbers that all rows agree on.
NOISY_EDGES = {"Asia": 6, "Sports": 13, "Property": 32, "Alarm": 45, "ForMed": 140, "Pathfinder": 230}


@cache
def rows() -> tuple[Row, ...]:
    return tuple(read_rows())


def test_the_table_has_365_rows_with_measures() -> None:
    assert len(rows()) == 365


@pytest.mark.parametrize("case", CLEAN)
def test_every_clean_row_pins_down_one_set_of_counts(case: str) -> None:
    chosen = [row for row in rows() if (row.case, row.data) == (case, "Clean")]
    assert len(chosen) >= 24
    assert [len(solutions(row, *CLEAN[case])) for row in chosen] == [1] * len(chosen)


@pytest.mark.parametrize("case", CLEAN)
def test_every_noisy_row_pins_down_one_set_of_counts(case: str) -> None:
    variables = CLEAN[case][0] - LATENT[case]
    chosen = [row for row in rows() if (row.case, row.data) == (case, "Noisy")]
    assert len(chosen) >= 25
    assert [len(solutions(row, variables, NOISY_EDGES[case])) for row in chosen] == [1] * len(chosen)


@pytest.mark.parametrize("case", ["Asia", "Sports", "Property", "Alarm"])
def test_no_other_number_of_true_edges_explains_the_noisy_rows(case: str) -> None:
    variables = CLEAN[case][0] - LATENT[case]
    chosen = [row for row in rows() if (row.case, row.data) == (case, "Noisy")]
    fitting = [
        present for present in range(1, 2 * CLEAN[case][1]) if all(solutions(row, variables, present) for row in chosen)
    ]
    assert fitting == [NOISY_EDGES[case]]


@pytest.mark.parametrize(
    ("case", "file", "latents"),
    [
        ("Asia", "asia.json", ["dysp"]),
        ("Property", "property.json", ["interest"]),
        ("Alarm", "alarm_bayesys.json", ["LVFAILURE", "SHUNT"]),
    ],
)
def test_the_latents_of_reading_give_that_number_of_true_edges(case: str, file: str, latents: list[str]) -> None:
    document = json.loads((NETWORKS / file).read_text(encoding="utf-8"))
    names = [entry["name"] for entry in document["variables"]]
    arcs = [(parent, entry["name"]) for entry in document["variables"] for parent in entry["parents"]]
    assert len(dag_to_mag(DAG(names, arcs), latents).edges) == NOISY_EDGES[case]
