"""Data samples that ship with the package, known by their names."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def sample_names() -> list[str]:
    """The names of the shipped samples.

    >>> "asia" in sample_names()
    True
    """
    return sorted(
        entry.name.removesuffix(".csv")
        for entry in Path(str(files("mahc.data") / "samples")).iterdir()
        if entry.name.endswith(".csv")
    )


def resolve_sample(path: Path) -> Path:
    """The file of a sample where the path is its name and no such file exists; any other path as it is.

    >>> resolve_sample(Path("asia")).name, resolve_sample(Path("mine.csv")).name
    ('asia.csv', 'mine.csv')
    """
    if len(path.parts) != 1 or path.suffix or path.name not in sample_names() or path.exists():
        return path
    return Path(str(files("mahc.data") / "samples" / f"{path.name}.csv"))
