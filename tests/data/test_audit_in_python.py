"""`mahc.audit`: the settings of `mahc.read`, and a report that can be printed."""

from __future__ import annotations

import pytest

import mahc
from mahc.data import ReadSettings
from mahc.errors import UnknownSettingError

MESSY = {"age": [1.5, 2.5, 3.5], "when": ["now", None, "then"]}


def test_it_takes_the_settings_of_reading() -> None:
    found = mahc.audit(MESSY, missing="state", discretise="quantile:2")
    assert not found.problems
    assert mahc.audit(MESSY, ReadSettings(missing="state"), discretise="quantile:2") == found
    with pytest.raises(UnknownSettingError, match="missin"):
        mahc.audit(MESSY, missin="state")


def test_it_prints_problems_and_fixes_in_python() -> None:
    lines = str(mahc.audit(MESSY)).splitlines()
    assert lines[0] == "the dict: 3 rows, 2 columns: cannot be used"
    assert any("values are missing" in line for line in lines)
    assert any('missing="state"' in line for line in lines if line.startswith("  fix: "))


def test_names_cannot_write_to_the_terminal() -> None:
    assert "\x1b" not in str(mahc.audit({"a\x1b[31m": [1.5, 2.5], "b\x1b": ["x", None]}))
