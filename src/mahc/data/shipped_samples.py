"""Data samples that ship with the package, known by their names."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).with_name("samples")


def sample_names() -> list[str]:
    """The names of the shipped samples.

    >>> "asia" in sample_names()
    True
    """
    return sorted(path.stem for path in FOLDER.glob("*.csv"))


def resolve_sample(path: Path) -> Path:
    """The file of a sample where the path is its name and no such file exists; any other path as it is.

    >>> resolve_sample(Path("asia")).name, resolve_sample(Path("mine.csv")).name
    ('asia.csv', 'mine.csv')
    """
    if len(path.parts) != 1 or path.suffix or path.name not in sample_names() or path.exists():
        return path
    return FOLDER / f"{path.name}.csv"
