"""The classifier and the selector: classes keep their type, new values, the same answer as the model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mahc
from mahc.errors import DataError, MahcError, NotFittedError
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import to_frame


def rows(size: int = 400) -> pd.DataFrame:
    return to_frame(sample(load_network("asia"), size, 3)).to_pandas()


@pytest.mark.parametrize("classes", [(0, 1), (False, True), ("no", "yes"), (2.0, 7.0)])
def test_classes_keep_their_type_and_the_model_is_the_one_of_the_joined_table(classes: tuple[object, object]) -> None:
    frame = rows()
    X, y = frame.drop(columns="dysp"), np.array([classes[value == "yes"] for value in frame["dysp"]])
    classifier = mahc.BayesianNetworkClassifier("dysp", algorithm="hc").fit(X, y)
    model = mahc.learn(frame, "hc").fit(frame)
    assert classifier.classes_.tolist() == list(classes)
    assert sorted(classifier.learned_.arcs) == sorted(mahc.learn(frame, "hc").arcs)
    order = [model.states("dysp").index(state) for state in ("no", "yes")]
    np.testing.assert_allclose(classifier.predict_proba(X), model.predict_proba(X, "dysp")[:, order], rtol=1e-12)
    predicted = classifier.predict(X)
    assert type(predicted[0]) is type(y[0])
    assert classifier.score(X, y) == np.mean(predicted == y) > 0.7


def test_one_row_has_one_answer_and_new_values_are_not_observed() -> None:
    frame = rows()
    X, y = frame.drop(columns="dysp"), frame["dysp"]
    classifier = mahc.BayesianNetworkClassifier("dysp", algorithm="hc").fit(X, y)
    together = classifier.predict_proba(X[:20])
    for place in range(20):
        np.testing.assert_array_equal(classifier.predict_proba(X[place : place + 1])[0], together[place])
    strange = X[:1].assign(bronc="never seen")
    np.testing.assert_array_equal(
        classifier.predict_proba(strange), classifier.predict_proba(X[:1].drop(columns="bronc"))
    )


def test_numbers_are_cut_where_fit_cut_them() -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(300, 3))
    y = (X[:, 0] > 0).astype(int)
    classifier = mahc.BayesianNetworkClassifier(algorithm="hc").fit(X, y)
    assert classifier.score(X, y) > 0.95
    np.testing.assert_array_equal(classifier.predict(X[:1]), classifier.predict(X)[:1])


def test_the_selector_keeps_the_markov_blanket_in_the_form_of_the_data() -> None:
    frame = rows(3000)
    X, y = frame.drop(columns="dysp"), frame["dysp"]
    selector = mahc.MarkovBlanketSelector("dysp", algorithm="hc")
    assert selector.fit_transform(X, y).columns.tolist() == ["bronc", "either"]
    assert selector.transform(pl.from_pandas(X)).columns == ["bronc", "either"]
    assert selector.get_support().tolist() == [name in ("bronc", "either") for name in X.columns]
    assert X.columns[selector.get_support(indices=True)].tolist() == ["bronc", "either"]
    array = mahc.MarkovBlanketSelector(algorithm="hc").fit(X.to_numpy(), y).transform(X.to_numpy())
    np.testing.assert_array_equal(array, X[["bronc", "either"]].to_numpy())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"y": [0, 1]}, "X has 400 rows and y has 2: give a class for each row"),
        ({"y": [0.5, 1.25] * 200}, "y holds real numbers, and a classifier needs classes"),
        ({"y": ["a", 1] * 200}, None),
        ({"y": ["a", None] * 200}, "y has missing values"),
        ({"target": "lung"}, "X has a column 'lung', which is the name of the target: give another target"),
        ({"target": 3}, "target is 3: give the name of the target, a text"),
        ({"algorithm": "none"}, "unknown algorithm 'none'"),
        ({"missing": "impute"}, 'missing is \'impute\': give "error", "state" or "drop"'),
    ],
)
def test_mistakes_are_one_sentence(given: dict[str, object], says: str | None) -> None:
    X, y = rows().drop(columns="dysp"), given.pop("y", ["a", "b"] * 200)
    classifier = mahc.BayesianNetworkClassifier(**{"algorithm": "hc", **given})  # type: ignore[arg-type]
    if says is None:
        classifier.fit(X, y)  # numpy makes one type of both
        return
    with pytest.raises(MahcError, match=says):
        classifier.fit(X, y)


def test_before_fit_and_with_other_columns_it_is_refused() -> None:
    with pytest.raises(NotFittedError, match=r"call fit\(X, y\) first"):
        mahc.BayesianNetworkClassifier().predict([[1, 2]])
    X, y = rows().drop(columns="dysp"), rows()["dysp"]
    selector = mahc.MarkovBlanketSelector(algorithm="hc").fit(X, y)
    with pytest.raises(DataError, match="X lacks the column 'asia', which it had in fit"):
        selector.transform(X.drop(columns="asia"))


def test_parameters_are_read_changed_and_printed() -> None:
    classifier = mahc.BayesianNetworkClassifier("y", prior=2.0)
    assert repr(classifier) == "BayesianNetworkClassifier(target='y', prior=2.0)"
    assert classifier.set_params(algorithm="hc").get_params()["algorithm"] == "hc"
    with pytest.raises(MahcError, match="nothing"):
        classifier.set_params(nothing=1)


def test_a_second_fit_forgets_the_columns_of_the_first() -> None:
    generator = np.random.default_rng(1)
    classifier, y = mahc.BayesianNetworkClassifier(algorithm="hc"), generator.integers(0, 2, 60)
    for width in (3, 2):
        assert classifier.fit(generator.normal(size=(60, width)), y).n_features_in_ == width
