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

from make_python_pages import own_members  # noqa: E402
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
    if inspect.isfunction(thing) and thing.__annotations__.get("return") != "None":
        assert "Returns" in document.sections, f"{name} does not say what it returns"


# Classes that most programs use. Their methods are documented like functions; those of the others in a sentence.
METHODS = {
    f"{name}.{member}": value
    for package, name, thing in public_names()
    if inspect.isclass(thing) and not issubclass(thing, mahc.estimators.StructureEstimator)
    for member, value in own_members(thing)
    if not isinstance(value, property)
}
MAIN = {name for package, name, thing in public_names() if package == "mahc" and inspect.isclass(thing)}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_documented(name: str) -> None:
    method = METHODS[name]
    function = method.__func__ if isinstance(method, classmethod | staticmethod) else method
    document = parse(inspect.getdoc(function))
    assert document.text, f"{name} does not say what it does"
    if name.partition(".")[0] not in MAIN:
        return
    assert document.has_example, f"{name} has no example"
    given = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
    missing = [each for each in given if each not in document.documented()]
    assert not missing, f"{name} does not document {missing}"


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
