"""Every public name is documented: what it is, its parameters, what it returns, and an example."""

from __future__ import annotations

import enum
import inspect
import sys
from pathlib import Path

import pytest

import mahc

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from numpydoc_text import parse  # noqa: E402
from public_names import PUBLIC, public_names  # noqa: E402

CALLABLE = {f"{package}.{name}": thing for package, name, thing in public_names() if callable(thing)}


def parameters_of(thing: object) -> list[str]:
    """The parameters that a caller can give; protocols and enumerations have none."""
    if getattr(thing, "_is_protocol", False) or (inspect.isclass(thing) and issubclass(thing, enum.Enum)):
        return []
    try:
        return list(inspect.signature(thing).parameters)  # type: ignore[arg-type]
    except ValueError:  # a class of the compiled core
        return []


@pytest.mark.parametrize("name", CALLABLE)
def test_documented(name: str) -> None:
    thing = CALLABLE[name]
    document = parse(inspect.getdoc(thing))
    assert document.text, f"{name} does not say what it is"
    assert document.has_example, f"{name} has no example"
    missing = [each for each in parameters_of(thing) if each not in document.documented()]
    assert not missing, f"{name} does not document {missing}"
    if inspect.isfunction(thing):
        assert "Returns" in document.sections, f"{name} does not say what it returns"


def test_no_parameter_is_documented_that_does_not_exist() -> None:
    for name, thing in CALLABLE.items():
        given = parse(inspect.getdoc(thing)).entries("Parameters")
        documented = {each.lstrip("*") for entry in given for each in entry.names}
        known = set(parameters_of(thing))
        if not known or any(p.kind is p.VAR_KEYWORD for p in inspect.signature(thing).parameters.values()):
            continue
        assert documented <= known, f"{name} documents {documented - known}"


def test_learn_documents_the_settings_of_every_algorithm_and_score() -> None:
    from mahc.learning.algorithm import ALGORITHMS
    from mahc.scores import SCORES
    from mahc.settings import declarations

    text = mahc.learn.__doc__ or ""
    for kind in [*(ALGORITHMS[name] for name in ALGORITHMS), *(SCORES[name] for name in SCORES)]:
        for name in declarations(kind):
            assert f"{name} : " in text, f"help(mahc.learn) does not document {name}"


def test_every_public_package_is_listed_in_the_navigation() -> None:
    from make_python_pages import page_name

    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for package in PUBLIC:
        assert f"reference/python/{page_name(package)}.md" in navigation, package
