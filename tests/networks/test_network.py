from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mahc.errors import DataError, GraphError, UnknownNameError
from mahc.networks import Network, load_network

YES_NO = ("yes", "no")
RAIN = np.array([[0.2, 0.8]])
WET = np.array([[0.9, 0.1], [0.05, 0.95]])


@pytest.fixture
def lawn() -> Network:
    return Network("lawn", ("rain", "wet"), (YES_NO, YES_NO), ((), (0,)), (RAIN, WET), "made up")


def test_a_network_knows_its_size(lawn: Network) -> None:
    assert (lawn.free_parameters, lawn.average_degree, lawn.max_in_degree) == (3, 1.0, 1)
    assert lawn.dag.arcs == (("rain", "wet"),)
    assert lawn.order == (0, 1)


def test_the_order_puts_parents_first_whatever_the_order_of_the_file() -> None:
    turned = Network("lawn", ("wet", "rain"), (YES_NO, YES_NO), ((1,), ()), (WET, RAIN))
    assert turned.order == (1, 0)


def test_tables_are_copied_and_read_only(lawn: Network) -> None:
    table = RAIN.copy()
    network = Network("one", ("rain",), (YES_NO,), ((),), (table,))
    table[:] = 0
    assert network.tables[0].tolist() == [[0.2, 0.8]]
    with pytest.raises(ValueError, match="read-only"):
        network.tables[0][0, 0] = 1


def test_equality_looks_at_structure_and_numbers(lawn: Network) -> None:
    same = replace(lawn, name="other", origin="elsewhere")
    assert same == lawn
    assert hash(same) == hash(lawn)
    assert replace(lawn, tables=(RAIN, np.array([[0.9, 0.1], [0.06, 0.94]]))) != lawn


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"names": ("rain", "rain")}, "'rain' is named twice"),
        ({"names": ("rain", "")}, "a variable is named ''"),
        ({"states": (("yes", "yes"), YES_NO)}, "'rain' has the state 'yes' twice"),
        ({"states": (("yes", " "), YES_NO)}, "'rain' has the state ' '"),
        ({"states": ((), YES_NO)}, "'rain' has 0 states"),
        ({"parents": ((), (0, 0))}, "'wet' lists a parent twice"),
        ({"parents": ((), (7,))}, "the parent number 7, which does not exist"),
        ({"parents": ((1,), (0,)), "tables": (WET, WET)}, "the arcs form a cycle: rain -> wet -> rain"),
        ({"tables": (RAIN, RAIN)}, r"table of 'wet' has shape \(1, 2\): 2 rows"),
        (
            {"tables": (RAIN, np.array([[0.9, 0.1], [0.1, 0.8]]))},
            r"of 'wet' .* sum to 0.9 in row 2 \(rain=no\)",
        ),
        ({"tables": (np.array([[1.2, -0.2]]), WET)}, "table of 'rain' holds 1.2 in row 1"),
        ({"tables": (np.array([[np.nan, 1.0]]), WET)}, "table of 'rain' holds nan in row 1"),
        ({"tables": (RAIN,)}, "a table for each variable"),
        ({"names": (), "states": (), "parents": (), "tables": ()}, "has no variables"),
    ],
)
def test_a_broken_network_is_refused_by_name(lawn: Network, change: dict[str, object], sentence: str) -> None:
    with pytest.raises((DataError, GraphError), match=sentence):
        replace(lawn, **change)  # type: ignore[arg-type]


def test_a_row_may_miss_one_by_a_millionth_and_no_more(lawn: Network) -> None:
    replace(lawn, tables=(np.array([[0.2, 0.8 + 9e-7]]), WET))
    with pytest.raises(DataError, match=r"sum to 1\.000002"):
        replace(lawn, tables=(np.array([[0.2, 0.8 + 2e-6]]), WET))


def test_a_table_as_a_frame_has_the_numbers_of_the_network() -> None:
    network = load_network("asia")
    frame = network.table("dysp")
    node = network.names.index("dysp")
    parents = [network.names[parent] for parent in network.parents[node]]
    assert frame.columns == [*parents, *(f"P(dysp={state})" for state in network.states[node])]
    assert frame.select(parents).unique().height == frame.height == 4
    np.testing.assert_array_equal(frame.select(frame.columns[2:]).to_numpy(), network.tables[node])
    last = network.states[network.parents[node][-1]]
    assert frame[parents[-1]].to_list() == [*last, *last]
    with pytest.raises(UnknownNameError, match="nobody"):
        network.table("nobody")
