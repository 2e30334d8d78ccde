"""What a new process loads: `learn` only what it needs, packages their names when they are first used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

LAZY = ("mahc", "mahc.cluster", "mahc.graphs", "mahc.scores")


def loaded_by(statements: str) -> set[str]:
    code = f"import sys\n{statements}\nprint(*(name for name in sys.modules if name.startswith('mahc')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_learning_from_one_table_loads_no_other_algorithm_and_no_inference() -> None:
    found = loaded_by("import mahc; mahc.learn('asia')")
    assert {"mahc.algorithms.score_based.mahc", "mahc.scores.bic"} <= found
    packages = ("inference", "networks", "independence", "drawing", "ui", "cli", "lab", "estimators")
    assert not [name for name in found if name.startswith(tuple(f"mahc.{package}" for package in packages))]
    others = ("algorithms.hybrid", "algorithms.exact", "algorithms.constraint_based", "scores.bdeu", "cluster.opening")
    assert not found & {f"mahc.{name}" for name in others}
    assert len(found) <= 160


@pytest.mark.parametrize("package", LAZY)
def test_every_name_of_a_package_is_there_and_listed(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert name in dir(module)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = module.nothing
