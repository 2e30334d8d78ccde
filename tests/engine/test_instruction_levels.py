"""The core uses the kernels that the processor can run: those whose instructions Linux lists."""

import platform
from pathlib import Path

import pytest

from mahc.engine import instruction_levels

CPUINFO = Path("/proc/cpuinfo")
NEEDED = {
    "avx2": {"avx2", "popcnt", "bmi1", "bmi2"},
    "avx512": {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512_vpopcntdq"},
}


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not CPUINFO.exists(), reason="needs Linux on x86_64, which lists the instructions"
)
def test_the_levels_are_those_whose_instructions_linux_lists():
    flags = set(next(line for line in CPUINFO.read_text().splitlines() if line.startswith("flags")).split())
    expected = ["scalar"]
    for level, needed in NEEDED.items():
        if not needed <= flags:
            break
        expected.append(level)
    assert list(instruction_levels()) == expected
