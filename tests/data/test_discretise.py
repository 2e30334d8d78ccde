"""A discretisation rule is one file and one line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from mahc.data import read
from mahc.data.prepare.discretise import RULES
from mahc.errors import MahcError


@dataclass(frozen=True)
class MedianOnly:
    """A rule that only this test registers: one cut point at the median."""

    bins: int

    def __str__(self) -> str:
        return f"median:{self.bins}"

    def cut_points(self, numbers: NDArray[np.float64], weights: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.array([np.median(numbers)])


def test_a_registered_rule_is_applied_and_named_in_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES._entries, "median", MedianOnly)
    data = read({"x": [0.5, 1.5, 2.5]}, discretise="median:2")
    assert data.labels == (("<= 1.5", "> 1.5"),)
    with pytest.raises(MahcError, match="median:5"):
        read({"x": [0.5, 1.5]}, discretise="nonsense")
