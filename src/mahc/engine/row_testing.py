"""Tests of independence on rows in this process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mahc.engine import _native
from mahc.engine.control import RunControl
from mahc.engine.families import Families
from mahc.engine.rows import EngineRows


class RowTester:
    """Tests counted from rows; `CountTester` is its equal for other count sources."""

    def __init__(self, rows: EngineRows) -> None:
        self._native = _native.IndependenceTester(rows.native)

    def test_families(
        self, questions: Families, pearson: bool, adjusted: bool, control: RunControl | None = None
    ) -> tuple[NDArray[np.float64], ...] | None:
        """Statistics, degrees of freedom and log p-values; None when the control stops the run."""
        return self._native.test_families(
            questions.children, questions.offsets, questions.parents, pearson, adjusted, control
        )
