"""The memory of a container bounds what is taken by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from mahc import machine
from mahc.learning.memory import MemoryLimit


def test_the_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    whole, left = machine.total_bytes(), machine.available_bytes()
    (tmp_path / "memory.max").write_text("1000000000\n")
    (tmp_path / "memory.current").write_text("400000000\n")
    assert machine.total_bytes() == min(whole, 10**9)
    assert machine.available_bytes() == min(left or 10**18, 6 * 10**8)
    assert MemoryLimit().bytes == int(0.75 * min(whole, 10**9))
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.total_bytes() == whole
