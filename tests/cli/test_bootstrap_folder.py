"""`mahc bootstrap --out` keeps a result that the folder holds, as `mahc learn --out` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from mahc.cli import main


def bootstrap(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main.run(["bootstrap", "asia", "--algorithm", "hc", "--resamples", "2", *map(str, words)])
    return int(end.value.code or 0)


def test_a_folder_with_a_result_is_refused_unless_overwrite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sure"
    assert bootstrap("--out", out) == 0
    before = (out / "confidence.json").read_bytes()
    capsys.readouterr()
    assert bootstrap("--out", out, "--seed", 5) == 2
    assert capsys.readouterr().err == (
        f"mahc: --out {out} holds a result: give another folder, or add --overwrite to replace it\n"
    )
    assert (out / "confidence.json").read_bytes() == before
    assert bootstrap("--out", out, "--seed", 5, "--overwrite") == 0
    assert (out / "confidence.json").read_bytes() != before


@pytest.mark.parametrize("saved", ["sure", "sure/confidence.json"])
def test_adding_resamples_to_the_same_folder_needs_no_overwrite(tmp_path: Path, saved: str) -> None:
    out, other = tmp_path / "sure", tmp_path / "other"
    assert bootstrap("--out", out) == 0
    assert bootstrap("--resume", tmp_path / saved, "--out", out) == 0
    assert bootstrap("--out", other) == 0
    assert bootstrap("--resume", tmp_path / saved, "--out", other) == 2
