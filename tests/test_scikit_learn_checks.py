"""scikit-learn's own checks of estimators, and what is raised in the cases whose check does not apply."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.errors import DataError, MahcError, NotFittedError
from mahc.estimators import estimator_for

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "estimators.md"
# The page says of each why it does not apply.
FIRST, SECOND = PAGE.read_text(encoding="utf-8").split("## Classifier and selector")
ROW = re.compile(r"^\| `(check_\w+)` \| (.+) \|$", re.M)
EXPECTED_FAILURES = dict(ROW.findall(FIRST))
OF_TARGETS = {name: why for name, why in EXPECTED_FAILURES.items() if name != "check_n_features_in_after_fitting"}
OF_TARGETS |= dict(ROW.findall(SECOND))
BINARY = np.array([[0, 1], [1, 0]] * 10)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_the_checks_that_apply_pass(name: str) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    done = checks.check_estimator(
        estimator_for(name)(), expected_failed_checks=EXPECTED_FAILURES, on_fail=None, on_skip=None
    )
    assert not [(each["check_name"], str(each["exception"])) for each in done if each["status"] == "failed"]
    assert {each["check_name"] for each in done if each["status"] == "xfail"} == set(EXPECTED_FAILURES)
    assert sum(each["status"] == "passed" for each in done) >= 30


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [mahc.BayesianNetworkClassifier, mahc.MarkovBlanketSelector])
def test_the_checks_of_a_target_that_apply_pass(kind: type) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    done = checks.check_estimator(kind(), expected_failed_checks=OF_TARGETS, on_fail=None, on_skip=None)
    assert not [(each["check_name"], str(each["exception"])) for each in done if each["status"] == "failed"]
    assert {each["check_name"] for each in done if each["status"] == "xfail"} <= set(OF_TARGETS)
    assert sum(each["status"] == "passed" for each in done) >= 41


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (BINARY * 1j, "column 'x0' holds values of type nested or unknown"),
        (np.empty((12, 0)), re.escape("shape (12, 0) has no data")),
        (np.array([[0, np.nan], [1, 2]]), "values are missing in 1 of 2 columns: 'x1'"),
        (np.array([[0, np.inf], [1, 2]]), "infinite"),
        (BINARY[:1], "one row only"),
        (BINARY[0], "dimension"),
    ],
)
def test_unusable_data_are_a_value_error(data: np.ndarray, says: str) -> None:
    with pytest.raises(DataError, match=says) as problem:
        mahc.MAHC().fit(data)
    assert isinstance(problem.value, ValueError)


def test_sparse_matrices_are_refused_by_name() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(DataError, match="sparse matrices are not supported: pass X"):
        mahc.MAHC().fit(sparse.csr_matrix(BINARY))


def test_fewer_columns_than_in_fit_are_refused_by_name() -> None:
    with pytest.raises(MahcError, match="x1"):
        mahc.HC().fit(BINARY).score(BINARY[:, :1])


def test_before_fit_the_error_is_the_one_that_programs_catch() -> None:
    for kind in (NotFittedError, MahcError, ValueError, AttributeError):
        with pytest.raises(kind, match="call fit"):
            mahc.MAHC().score(BINARY)
    assert not hasattr(mahc.MAHC(), "network_")
