"""Every example in a docstring runs, whichever way the package was installed."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import mahc

OPTIONAL = (
    "pyscipopt",
    "pyagrum",
    "pgmpy",
    "starlette",
    "uvicorn",
    "anywidget",
    "distributed",
    "pyspark",
    "anyio",
    "mcp",
    "pydantic",
)  # what extras bring
MODULES = ["mahc", *sorted(info.name for info in pkgutil.walk_packages(mahc.__path__, "mahc."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_native", "__main__"))])
def test_examples_in(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in OPTIONAL:
            raise
        pytest.skip(f"{missing.name} is not installed")
    outcome = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert outcome.failed == 0


def test_the_public_classes_have_examples() -> None:
    assert len(MODULES) > 60
    for name in mahc.__all__:
        thing = getattr(mahc, name)
        if isinstance(thing, type) and not issubclass(thing, Exception):
            assert ">>>" in (thing.__doc__ or ""), f"{name} has no example"
