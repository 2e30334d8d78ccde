"""The algorithms as estimators: parameters, clones, fitted attributes, and data that stay as they were."""

from __future__ import annotations

import doctest
import inspect
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mahc
from mahc.errors import MahcError, SettingError
from mahc.estimators import HC, MAHC, TABU, StructureEstimator, estimator_for
from mahc.learning.algorithm import ALGORITHMS
from mahc.networks import sample_path

ESTIMATORS: list[type[StructureEstimator]] = [MAHC, HC, TABU]
ALL: list[type[StructureEstimator]] = [estimator_for(name) for name in ALGORITHMS]


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.read_csv(sample_path("asia"), dtype="category")


@pytest.mark.parametrize("kind", ALL)
def test_fit_gives_what_learn_gives(kind: type[StructureEstimator], frame: pd.DataFrame) -> None:
    model = kind()
    assert model.fit(frame) is model
    assert model.learned_ == mahc.learn(sample_path("asia"), kind.algorithm)
    assert model.causal_graph_ == model.learned_.graph
    assert model.feature_names_in_.tolist() == list(frame.columns)
    assert model.n_features_in_ == 8


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_row_i_column_j_of_the_matrix_is_the_arc_from_i_to_j(
    kind: type[StructureEstimator], frame: pd.DataFrame
) -> None:
    model = kind(required_arcs=[("asia", "xray")]).fit(frame)  # type: ignore[call-arg]
    names = model.feature_names_in_.tolist()
    matrix = model.adjacency_matrix_
    assert matrix.dtype.kind == "i"
    assert matrix[names.index("asia"), names.index("xray")] == 1
    assert matrix[names.index("xray"), names.index("asia")] == 0
    assert {(names[i], names[j]) for i, j in np.argwhere(matrix)} == set(model.learned_.arcs)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_parameters_are_kept_as_given_read_and_changed(kind: type[StructureEstimator]) -> None:
    pairs = [("smoke", "lung")]
    model = kind(objective="aic", required_edges=pairs)  # type: ignore[call-arg]
    assert list(model.get_params()) == list(inspect.signature(kind).parameters)
    assert model.get_params(deep=False)["required_edges"] is pairs
    assert model.set_params(objective="bdeu", search_in_degree=2) is model
    assert (model.get_params()["objective"], model.get_params()["search_in_degree"]) == ("bdeu", 2)
    with pytest.raises(SettingError, match=f"{kind.__name__} has no setting objectiv: did you mean objective\\?"):
        model.set_params(objectiv="bic")


@pytest.mark.parametrize("kind", ALL)
def test_every_algorithm_has_an_estimator_by_name(kind: type[StructureEstimator]) -> None:
    assert getattr(mahc, kind.__name__) is getattr(mahc.estimators, kind.__name__) is kind
    assert list(kind().get_params()) == list(inspect.signature(kind).parameters)
    assert pickle.loads(pickle.dumps(kind(ties="file-order"))).get_params()["ties"] == "file-order"
    assert repr(kind(objective="aic")) == f"{kind.__name__}(objective='aic')"
    with pytest.raises(TypeError, match=kind.__name__):
        kind(no_such_parameter=1)


@pytest.mark.parametrize("kind", ALL)
def test_the_example_of_an_estimator_runs(kind: type[StructureEstimator]) -> None:
    (example,) = doctest.DocTestFinder(recurse=False).find(kind, kind.__name__, globs={kind.__name__: kind})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_matrix_of_a_pattern_has_an_undirected_edge_both_ways(frame: pd.DataFrame) -> None:
    model = mahc.PCStable().fit(frame)
    names, matrix = model.feature_names_in_.tolist(), model.adjacency_matrix_
    for left, mark, right in model.learned_.graph.edges:
        i, j = names.index(left), names.index(right)
        assert (matrix[i, j], matrix[j, i]) == {"-->": (1, 0), "<--": (0, 1)}.get(mark, (1, 1))
    assert matrix.sum() == sum(1 if mark == "-->" else 2 for _, mark, _ in model.learned_.graph.edges)


def test_an_estimator_prints_what_differs_from_the_default() -> None:
    assert repr(MAHC()) == "MAHC()"
    assert repr(HC(objective="aic", search_in_degree=4)) == "HC(objective='aic', search_in_degree=4)"
    assert repr(TABU(required_edges=[("a", "b")])) == "TABU(required_edges=[('a', 'b')])"
    assert eval(repr(MAHC(pruning=False)), {"MAHC": MAHC}).get_params() == MAHC(pruning=False).get_params()


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_scikit_learn_clones_it(kind: type[StructureEstimator], frame: pd.DataFrame) -> None:
    base = pytest.importorskip("sklearn.base")
    model = kind(search_in_degree=3, forbidden_arcs=[("smoke", "lung")]).fit(frame)  # type: ignore[call-arg]
    copy = base.clone(model)
    assert type(copy) is kind
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "learned_")
    assert copy.fit(frame).learned_ == model.learned_


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_the_data_are_left_as_they_were(kind: type[StructureEstimator], frame: pd.DataFrame) -> None:
    before = frame.copy(deep=True)
    kind().fit(frame)
    pd.testing.assert_frame_equal(frame, before, check_categorical=True)
    numbers = np.array(frame.apply(lambda column: column.cat.codes))
    kept = numbers.copy()
    kind().fit(numbers)
    np.testing.assert_array_equal(numbers, kept)
    assert numbers.flags.writeable
    table = pl.from_pandas(frame.astype(str))
    copy = table.clone()
    kind().fit(table)
    assert table.equals(copy)
    lists = {name: table[name].to_list() for name in table.columns}
    kind().fit(lists)
    assert lists == {name: copy[name].to_list() for name in copy.columns}


@pytest.mark.parametrize("kind", ALL)
def test_the_score_is_the_mean_log_likelihood_of_rows_in_bits(
    kind: type[StructureEstimator], frame: pd.DataFrame
) -> None:
    train, test = frame[:600], frame[600:]
    model = kind().fit(train)
    network = model.network_
    assert network.dag == model.learned_.dag
    expected = []
    for _, row in test.iterrows():
        chance = 1.0
        for node, (parents, table) in enumerate(zip(network.parents, network.tables, strict=True)):
            place = 0
            for parent in parents:
                states = network.states[parent]
                place = place * len(states) + states.index(row[network.names[parent]])
            chance *= table[place, network.states[node].index(row[network.names[node]])]
        expected.append(np.log2(chance))
    assert model.score(test) == pytest.approx(np.mean(expected), rel=1e-12)
    with pytest.raises(MahcError, match="has not learned yet"):
        kind().score(test)


def test_held_out_rows_are_cut_where_fit_cut_them() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(400, 3))
    numbers[:, 1] += 2 * numbers[:, 0]
    model = HC(discretise="quantile:3").fit(numbers[:300])
    cuts = {note.column: list(note.numbers) for note in mahc.read(numbers[:300], discretise="quantile:3").notes}
    assert model.score(numbers[300:]) == model.score(mahc.read(numbers[300:], discretise=cuts))
    assert model.score(numbers[300:310]) > -20


def test_required_edges_leave_the_direction_to_the_data_everywhere(frame: pd.DataFrame) -> None:
    for pair in (("asia", "xray"), ("xray", "asia")):
        model = HC(required_edges=[pair]).fit(frame)
        assert model.learned_ == mahc.learn(frame, "hc", knowledge=mahc.Knowledge(required_edges=[pair]))
    assert HC(required_arcs=[("xray", "asia")]).fit(frame).adjacency_matrix_[6, 0] == 1
    free = HC().fit(frame).learned_.arcs
    assert ("bronc", "dysp") in free or ("dysp", "bronc") in free
    assert not {("bronc", "dysp"), ("dysp", "bronc")} & set(
        HC(forbidden_edges=[("bronc", "dysp")]).fit(frame).learned_.arcs
    )


def test_parameters_are_left_as_they_were(frame: pd.DataFrame) -> None:
    order = [["asia", "smoke"], ["xray"]]
    required = [("smoke", "lung")]
    model = MAHC(required_arcs=required, tiers=order).fit(frame)
    assert (required, order) == ([("smoke", "lung")], [["asia", "smoke"], ["xray"]])
    assert model.fit(frame).learned_ == model.learned_


def test_knowledge_and_the_familiar_parameters_add_up(frame: pd.DataFrame) -> None:
    model = HC(
        required_arcs=[("asia", "smoke")],
        tiers=[["bronc"], ["smoke"]],
        knowledge=mahc.Knowledge(required_arcs=[("asia", "xray")]),
    ).fit(frame)
    assert {("asia", "smoke"), ("asia", "xray")} <= set(model.learned_.arcs)
    assert ("smoke", "bronc") not in model.learned_.arcs
    assert HC(knowledge={"required_arcs": [["asia", "xray"]]}).fit(frame).adjacency_matrix_[0, 6] == 1


def test_numbers_of_numpy_are_numbers(frame: pd.DataFrame) -> None:
    model = MAHC(search_in_degree=np.int64(2), prune_in_degree=np.int32(1), averaging=np.bool_(False)).fit(frame)
    assert model.learned_ == MAHC(search_in_degree=2, prune_in_degree=1, averaging=False).fit(frame).learned_


def test_before_fit_there_is_no_graph() -> None:
    for attribute in ("causal_graph_", "adjacency_matrix_"):
        with pytest.raises(MahcError, match="has not learned yet: call fit"):
            getattr(MAHC(), attribute)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"objective": 3}, "objective is 3: give one of"),
    ({"objective": "bci"}, "did you mean 'bic'"),
    ({"search_in_degree": 0}, "search_in_degree is 0: give a whole number from 1 to 1,000,000"),
    ({"search_in_degree": "two"}, "search_in_degree is 'two'"),
    ({"search_in_degree": 2.5}, "search_in_degree is 2.5"),
    ({"search_in_degree": True}, "search_in_degree is True"),
    ({"prune_in_degree": 0}, "prune_in_degree is 0"),
    ({"pruning": "no"}, "pruning is 'no': give True or False"),
    ({"averaging": 1}, "averaging is 1: give True or False"),
    ({"required_edges": "ab"}, "required_edges"),
    ({"required_edges": 5}, "required_edges is 5: it must be a list"),
    ({"forbidden_arcs": [("smok", "lung")]}, "did you mean 'smoke'"),
    ({"tiers": 5}, "tiers is 5: it must be a list"),
    ({"tiers": [["smoke"], "lung"]}, "tiers is 'lung': it must be a list"),
    ({"knowledge": 5}, "knowledge is 5: give a Knowledge, a dict, or the path"),
    ({"knowledge": "nowhere.toml"}, "nowhere.toml"),
    ({"ties": None}, 'ties is None: give one of "data", "file-order"'),
    ({"threads": 1.5}, "threads is 1.5"),
    ({"threads": "2"}, "threads is '2'"),
    ({"time_limit": "x"}, "time_limit is 'x'"),
    ({"time_limit": 0}, "time_limit is 0"),
    ({"missing": "x"}, 'missing is \'x\': give one of "error", "state", "drop"'),
]


@pytest.mark.parametrize(("params", "says"), WRONG, ids=str)
def test_a_wrong_parameter_is_refused_by_fit_in_one_sentence(
    params: dict[str, Any], says: str, frame: pd.DataFrame
) -> None:
    model = MAHC(**params)
    with pytest.raises(MahcError) as refused:
        model.fit(frame)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_target_is_not_used_and_a_column_is() -> None:
    data = {"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}
    with_target = mahc.HC().fit(data, [1, 2] * 20)
    assert with_target.learned_ == mahc.HC().fit(data).learned_
    assert "X.assign(target=y)" in str(mahc.HC.fit.__doc__)
    assert mahc.HC().fit({**data, "target": [1, 2] * 20}).n_features_in_ == 3
