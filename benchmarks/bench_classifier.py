"""Log-loss and accuracy of the classifier in five folds, beside logistic regression and pyAgrum's classifier.

usage: python benchmarks/bench_classifier.py   (needs the extra `peers`)
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mahc

DATA = {"iris": datasets.load_iris, "wine": datasets.load_wine, "breast cancer": datasets.load_breast_cancer}


def make_contestants() -> dict[str, Any]:
    """Fresh estimators by name."""
    import pyagrum.skbn as skbn
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor

    cutting = DiscreteTypeProcessor("quantile", 4)
    return {
        "mahc, boss": mahc.BayesianNetworkClassifier(),
        "mahc, hc": mahc.BayesianNetworkClassifier(algorithm="hc"),
        "pyAgrum BNClassifier": skbn.BNClassifier(
            type_processor=cutting, learningMethod="GHC", scoringType="BIC", prior="Smoothing", priorWeight=1
        ),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    }


def measure(name: str, X: Any, y: Any) -> tuple[float, float]:
    """Mean log-loss in nats and accuracy over the folds."""
    losses, hits = [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
        estimator = make_contestants()[name]
        estimator.fit(X[train], y[train])
        shares = np.asarray(estimator.predict_proba(X[test]))
        losses.append(log_loss(y[test], shares, labels=np.unique(y)))
        hits.append(accuracy_score(y[test], np.unique(y)[shares.argmax(axis=1)]))
    return float(np.mean(losses)), float(np.mean(hits))


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    print("| data | " + " | ".join(make_contestants()) + " |")
    print("|---" * (len(make_contestants()) + 1) + "|")
    for title, load in DATA.items():
        X, y = load(return_X_y=True)
        found = [measure(name, X, y) for name in make_contestants()]
        print(f"| {title} | " + " | ".join(f"{loss:.3f} / {hit:.3f}" for loss, hit in found) + " |")


if __name__ == "__main__":
    main()
