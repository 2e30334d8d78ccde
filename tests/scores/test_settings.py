"""Scores refuse settings that make no sense, in one sentence, and say what they are."""

from __future__ import annotations

import math

import pytest

from mahc.errors import SettingError, UnknownNameError
from mahc.scores import SCORES, BDeu, make_score


@pytest.mark.parametrize("name", SCORES.names())
@pytest.mark.parametrize("base", [1.0, 0.5, 0.0, -2.0, math.nan, math.inf])
def test_a_base_must_be_above_one(name: str, base: float) -> None:
    with pytest.raises(SettingError, match=r"base is .*: give a number above 1"):
        make_score(name, base=base)


@pytest.mark.parametrize("size", [0.0, -1.0, math.nan, math.inf])
def test_an_equivalent_sample_size_must_be_positive(size: float) -> None:
    with pytest.raises(SettingError, match="equivalent_sample_size is"):
        BDeu(equivalent_sample_size=size)


@pytest.mark.parametrize("name", [name for name in SCORES.names() if name != "bdeu"])
def test_a_score_without_a_prior_refuses_one(name: str) -> None:
    with pytest.raises(SettingError, match=f"score '{name}' has no setting equivalent_sample_size"):
        make_score(name, equivalent_sample_size=1.0)


def test_an_unknown_score_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'bdeu'"):
        make_score("bdue")


@pytest.mark.parametrize("name", SCORES.names())
def test_a_score_says_its_name_and_base(name: str) -> None:
    assert make_score(name, base=math.e).describe().startswith(f"{name}, log base e")
    assert make_score(name).name == name
