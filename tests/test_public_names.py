"""Every name that a package says it has can be imported; packages that load names late are no exception."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import mahc

PACKAGES = ["mahc", *(p.name for p in pkgutil.walk_packages(mahc.__path__, "mahc.") if p.ispkg)]


@pytest.mark.parametrize("package", PACKAGES)
def test_all_names_of(package: str) -> None:
    module = importlib.import_module(package)
    for name in getattr(module, "__all__", ()):
        assert getattr(module, name) is not None, f"{package}.{name}"
