from __future__ import annotations

import hashlib
import math
from dataclasses import replace

import numpy as np
import pytest

from mahc.errors import SettingError
from mahc.networks import Network, load_network, sample
from mahc.networks.sampling import sample_chunks, sample_codes


def test_the_same_seed_draws_the_same_bytes_for_ever() -> None:
    columns = sample_codes(load_network("asia"), 1_000, 7)
    digest = hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()
    assert digest == "f304e1eba5e47c6d271abe47c67e1e2dc8fac21f4bf73bee17b27bc642b151f0"


def test_another_seed_draws_others() -> None:
    network = load_network("alarm")
    assert sample(network, 200, 1) != sample(network, 200, 2)


@pytest.mark.parametrize("chunk", [1, 7, 1_000, 10_000])
def test_neither_chunks_nor_length_change_what_is_drawn(chunk: int) -> None:
    network = load_network("alarm")
    whole = sample_codes(network, 2_500, 3)
    rows = 50 if chunk == 1 else 2_500
    pieces = list(sample_chunks(network, rows, 3, chunk))
    for node, column in enumerate(whole):
        np.testing.assert_array_equal(np.concatenate([piece[node] for piece in pieces]), column[:rows])


def test_the_order_of_the_variables_changes_nothing() -> None:
    network = load_network("asia")
    turn = [3, 1, 7, 0, 2, 6, 5, 4]
    turned = Network(
        "turned",
        tuple(network.names[i] for i in turn),
        tuple(network.states[i] for i in turn),
        tuple(tuple(turn.index(p) for p in network.parents[i]) for i in turn),
        tuple(network.tables[i] for i in turn),
    )
    one, other = sample(network, 500, 5), sample(turned, 500, 5)
    assert other.select(one.names) == one


def upper_tail(statistic: float, freedom: int) -> float:
    """The chi-square tail by Wilson and Hilferty's cube root."""
    spread = 2 / (9 * freedom)
    return math.erfc(((statistic / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread)) / 2


def test_frequencies_agree_with_the_tables_by_chi_square() -> None:
    values = []
    for name, rows in (("alarm", 50_000), ("hailfinder", 50_000), ("insurance", 50_000)):
        network = load_network(name)
        columns = sample_codes(network, rows, 11)
        for node, table in enumerate(network.tables):
            configuration = np.zeros(rows, dtype=np.int64)
            for parent in network.parents[node]:
                configuration = configuration * len(network.states[parent]) + columns[parent]
            own = len(network.states[node])
            counts = np.bincount(configuration * own + columns[node], minlength=table.size).reshape(table.shape)
            expected = table / table.sum(axis=1, keepdims=True) * counts.sum(axis=1, keepdims=True)
            assert not counts[table == 0].any()
            used = expected >= 5
            whole = used.sum(axis=1) >= 2
            used &= whole[:, None]
            # Cells too small for the test are left out of a row; the rest of it is rescaled to itself.
            kept = np.where(used, counts, 0)
            fair = np.where(used, expected, 0)
            fair *= np.divide(kept.sum(axis=1), fair.sum(axis=1), where=whole, out=np.zeros(len(table)))[:, None]
            freedom = int(used.sum() - whole.sum())
            if freedom > 0:
                statistic = float((((kept - fair) ** 2)[used] / fair[used]).sum())
                values.append(upper_tail(statistic, freedom))
    assert len(values) > 100
    assert min(values) > 0.001 / len(values)  # Bonferroni
    ranks = np.arange(1, len(values) + 1) / len(values)
    assert np.abs(np.sort(values) - ranks).max() * len(values) ** 0.5 < 1.95  # Kolmogorov-Smirnov at 0.001


def test_a_state_of_probability_zero_is_never_drawn_even_at_the_ends() -> None:
    table = np.array([[0.0, 0.5, 0.0, 0.5, 0.0]])
    network = Network("gaps", ("x",), (tuple("abcde"),), ((),), (table,))
    assert np.unique(sample_codes(network, 100_000, 1)[0]).tolist() == [1, 3]


def test_more_than_256_states_and_one_state_are_drawn() -> None:
    states = tuple(map(str, range(300)))
    tables = (np.full((1, 300), 1 / 300), np.ones((300, 1)))
    network = Network("wide", ("x", "y"), (states, ("only",)), ((), (0,)), tables)
    columns = sample_codes(network, 20_000, 1)
    assert columns[0].dtype == np.uint16
    assert len(np.unique(columns[0])) == 300
    assert not columns[1].any()


def test_states_that_no_row_shows_are_left_out_unless_asked_for() -> None:
    network = load_network("asia")
    few = sample(network, 3, 1)
    assert few == sample(network, 3, 1, unseen_states=True).without_unused_states()
    assert sample(network, 3, 1, unseen_states=True).labels == network.states
    for states, column in zip(few.labels, few.codes, strict=True):
        assert len(np.unique(column)) == len(states)


@pytest.mark.parametrize("rows", [0, -5, 1.5, True, 2**41])
def test_a_number_of_rows_that_is_none_is_refused(rows: object) -> None:
    with pytest.raises(SettingError, match="number of rows"):
        sample(load_network("asia"), rows, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 2**64, "a", 1.0, None])
def test_a_seed_that_is_none_is_refused(seed: object) -> None:
    with pytest.raises(SettingError, match="the seed is"):
        sample(load_network("asia"), 5, seed)  # type: ignore[arg-type]


def test_a_row_that_sums_to_one_only_nearly_is_drawn_in_proportion() -> None:
    network = load_network("asia")
    near = replace(network, tables=tuple(table * (1 + 5e-7) for table in network.tables))
    assert sample(near, 300, 1) == sample(network, 300, 1)
