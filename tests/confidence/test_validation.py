from __future__ import annotations

import itertools
import json
import tracemalloc

import numpy as np
import pytest

import mahc
from mahc.cli.main import run
from mahc.confidence import Candidate, validate
from mahc.confidence.validation import ValidationSettings, _parts
from mahc.data import Dataset
from mahc.errors import MahcError
from mahc.networks import fit, load_network, row_bits, sample

DATA = sample(load_network("asia"), 400, 1)


def test_the_numbers_equal_a_loop_over_the_parts() -> None:
    found = validate(DATA, ["hc"], folds=4, seed=2)
    expected = []
    for rest, part in _parts(DATA, ValidationSettings(folds=4, seed=2)):
        network = fit(mahc.learn(rest, "hc").dag, rest, 1.0)
        expected.append(np.average(row_bits(network, part), weights=part.weights))
    assert found.held[0].fold_bits == pytest.approx(expected)
    assert found.held[0].bits == pytest.approx(np.mean(expected))
    assert found.held[0].standard_error == pytest.approx(np.std(expected, ddof=1) / 2)


def test_every_row_is_held_out_once_and_the_parts_are_even() -> None:
    parts = list(_parts(DATA, ValidationSettings(folds=7)))
    assert sum(part.size for _, part in parts) == DATA.size
    assert max(part.size for _, part in parts) - min(part.size for _, part in parts) <= 1
    assert all(rest.size + part.size == DATA.size for rest, part in parts)


def test_a_better_setting_is_picked_in_a_constructed_case() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 2, (2, 1500))
    c = np.where(generator.random(1500) < 0.05, 1 - (a ^ b), a ^ b)  # c depends on both together, on none alone
    data = Dataset.coded(("a", "b", "c"), (("n", "y"),) * 3, (a, b, c))
    poor, good = (
        Candidate("exact", settings={"search_in_degree": 1}),
        Candidate("exact", settings={"search_in_degree": 2}),
    )
    found = validate(data, [poor, good], folds=5)
    assert found.best == good
    more, error = found.held[1].difference(found.held[0])
    assert more > 5 * error > 0


def test_rows_columns_weights_and_threads_change_nothing() -> None:
    found = validate(DATA, ["hc"], folds=3)
    turned = Dataset.coded(DATA.names, DATA.labels, tuple(column[::-1] for column in DATA.codes)).select(
        DATA.names[::-1]
    )
    assert validate(turned, ["hc"], folds=3, threads=3).held[0].bits == pytest.approx(found.held[0].bits, rel=1e-12)
    weighted = Dataset.coded(DATA.names, DATA.labels, DATA.codes, np.ones(DATA.rows, int))
    assert validate(weighted, ["hc"], folds=3).held[0].bits == pytest.approx(found.held[0].bits, rel=1e-12)


def test_a_cancelled_run_keeps_the_finished_parts() -> None:
    token = mahc.CancelToken()

    def stop(progress) -> None:
        if progress.seconds > 0 and progress.steps >= 2:
            token.cancel()

    found = validate(DATA, ["hc", "tabu"], folds=40, progress=stop, cancel=token)
    assert 1 <= found.folds < found.requested
    token = mahc.CancelToken()
    token.cancel()
    with pytest.raises(MahcError, match="stopped before the first part was finished"):
        validate(DATA, ["hc"], folds=3, cancel=token)


@pytest.mark.parametrize(
    ("candidates", "settings", "message"),
    [
        ([], {}, "give a list of names of algorithms"),
        ("hc", {}, "give a list of names of algorithms"),
        (["hc", "hc"], {}, "the candidate 'hc' is named twice"),
        (["hcc"], {}, "unknown algorithm 'hcc'"),
        ([Candidate("hc", settings={"depth": 1})], {}, "has no setting depth"),
        (["hc"], {"folds": 1}, "folds is 1: give a whole number from 2"),
        (["hc"], {"folds": 500}, "the data have 400 rows and folds is 500: give at most 400"),
        (["hc"], {"prior": 0}, "prior is 0: give a number above 0"),
    ],
)
def test_a_mistake_is_one_sentence(candidates: object, settings: dict[str, object], message: str) -> None:
    with pytest.raises(MahcError) as refused:
        validate(DATA, candidates, **settings)
    assert message in str(refused.value)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["validate", "asia", "--algorithms", "hc,tabu", "--vary", "search-in-degree=1,2", "--folds", "3"]
    with pytest.raises(SystemExit):
        run(words)
    out = capsys.readouterr().out
    assert out.count("search_in_degree=") == 4
    with pytest.raises(SystemExit):
        run([*words, "--json"])
    assert len(json.loads(capsys.readouterr().out)["candidates"]) == 4
    with pytest.raises(SystemExit):
        run([*words, "--pick"])
    assert capsys.readouterr().out.startswith("--algorithm ")
    with pytest.raises(SystemExit) as end:
        run(["validate", "asia", "--vary", "depth=1"])
    assert end.value.code == 2
    assert "which no algorithm or score has" in capsys.readouterr().err


def relabelled(data: Dataset, seed: int) -> Dataset:
    """The same rows under other labels, states, columns and rows in another order."""
    generator = np.random.default_rng(seed)
    columns, states = [], []
    for column in data.discrete:
        turn = generator.permutation(len(column.states))
        columns.append(turn[column.codes])
        states.append(tuple(f"s{seed}{k}" for k in generator.permutation(len(turn))))
    turned = Dataset.coded(data.names, states, columns, data.weights)
    return turned.select(tuple(generator.permutation(data.names))).take(generator.permutation(data.rows))


def symmetric() -> Dataset:
    """Two pairs of copies and noise; exchanging the states of a pair changes nothing but their labels."""
    a, b = np.array([[0, 1] * 30, [0, 0, 1, 1] * 15])
    return Dataset.coded(("a", "b", "c", "d"), (("n", "y"),) * 4, (a, a, b, b))


@pytest.mark.parametrize("data", [DATA, sample(load_network("asia"), 60, 2), symmetric()])
def test_other_labels_and_orders_give_the_same_answers(data: Dataset) -> None:
    held = validate(data, ["hc", "mahc"], folds=5).to_dict()
    found = mahc.bootstrap(data, "hc", resamples=20)
    for seed in (1, 2, 3):
        other = relabelled(data, seed)
        assert validate(other, ["hc", "mahc"], folds=5).to_dict() == held
        again = mahc.bootstrap(other, "hc", resamples=20)
        assert {names: again.edge(*names) for names in itertools.permutations(sorted(data.names), 2)} == {
            names: found.edge(*names) for names in itertools.permutations(sorted(data.names), 2)
        }


def test_weights_are_not_expanded() -> None:
    """Four rows of 10^15 copies: each copy would be a number."""
    columns = (np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    weights = np.array([3, 1, 1, 3]) * 10**15
    data = Dataset.coded(("a", "b"), (("n", "y"),) * 2, columns, weights)
    tracemalloc.start()
    try:
        parts = list(_parts(data, ValidationSettings(folds=4)))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert sum(part.size for _, part in parts) == data.size
    few = data.take(np.arange(4), weights // 10**13)
    repeated = few.take(np.repeat(np.arange(4), few.weights), np.ones(few.size, np.int64))
    assert validate(few, ["hc"], folds=4).to_dict() == validate(repeated, ["hc"], folds=4).to_dict()
