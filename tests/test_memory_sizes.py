"""Sizes with units wherever a memory limit is taken: Python, the command line, plan files."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cli.main import run
from mahc.errors import InvalidSettingError
from mahc.learning.algorithm import make_algorithm
from mahc.setting_checks import SIZE_UNITS, Memory

BAD = ["4G", "4 G B", "-4GB", "GB", "", "1e3MB", "4GB4", "0", "100KB", "\u0664GB", "4,000MB", "1.5", "9999999TB"]


@given(st.integers(0, 10**9), st.integers(0, 999), st.sampled_from(sorted(SIZE_UNITS)), st.booleans(), st.booleans())
def test_a_text_is_its_number_of_bytes_in_whole_mebibytes(
    whole: int, thousandths: int, unit: str, blank: bool, upper: bool
) -> None:
    text = f"{whole}.{thousandths:03}{' ' * blank}{unit.upper() if upper else unit}"
    factor = (1024 if "i" in unit else 1000) ** (1 + "kmgt".index(unit[0]))
    exact = Decimal(f"{whole}.{thousandths:03}") * factor
    assert Memory(0, 10**18).convert(text) == int(exact // 2**20)


def test_a_bare_number_is_mebibytes() -> None:
    for value in (64, "64", "64MiB", " 64 mib "):
        assert make_algorithm("mahc", memory_mebibytes=value) == make_algorithm("mahc", memory_mebibytes=64)
    assert mahc.MAHC(memory_mebibytes="1GiB").fit({"a": ["x", "y"] * 9, "b": ["u", "v"] * 9})


@pytest.mark.parametrize("bad", [*BAD, 0, -1, 1.5, True, float("nan")])
def test_other_values_are_refused_in_one_sentence(bad: object) -> None:
    with pytest.raises(InvalidSettingError, match="or a size such as 4GB or 512MiB, or leave it out"):
        make_algorithm("hc", memory_mebibytes=bad)


@pytest.mark.parametrize("bad", BAD)
def test_the_command_line(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        run(["learn", "asia", "--memory", bad])
    shown = capsys.readouterr()
    assert ending.value.code == 2
    assert "--memory" in shown.err
    assert "such as 4GB or 512MiB" in shown.err
    assert not shown.out


def test_the_command_line_takes_units(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        run(["learn", "asia", "--memory", "4GB", "--json"])
    assert ending.value.code == 0
    assert '"memory_mebibytes": 3814' in capsys.readouterr().out
