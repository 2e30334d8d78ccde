"""The estimators within scikit-learn: clones, cross-validation, grid search, pipelines."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mahc
from mahc.networks import sample_path

pytest.importorskip("sklearn")

from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_html_repr, get_tags


def frame() -> pd.DataFrame:
    return pd.read_csv(sample_path("asia"), dtype=str)


def test_cross_validation_and_grid_search_use_the_held_out_score() -> None:
    scores = cross_val_score(mahc.HC(), frame(), cv=3)
    data = frame()
    first = mahc.HC().fit(data.iloc[334:]).score(data.iloc[:334])
    assert scores[0] == pytest.approx(first)
    assert np.isfinite(scores).all()
    search = GridSearchCV(mahc.HC(), {"objective": ["bic", "aic"], "search_in_degree": [1, 3]}, cv=2).fit(frame())
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    assert search.best_estimator_.learned_.arcs


def test_a_pipeline_fits_and_is_displayed() -> None:
    steps = Pipeline([("same", FunctionTransformer()), ("graph", mahc.MAHC())]).fit(frame())
    assert steps.score(frame()) < 0
    assert "MAHC" in estimator_html_repr(steps)
    tags = get_tags(mahc.MAHC(missing="state"))
    assert (tags.input_tags.categorical, tags.input_tags.allow_nan, tags.target_tags.required) == (True, True, False)
