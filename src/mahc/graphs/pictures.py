"""Pictures of graphs for notebooks and files.

`mahc.drawing` is a higher package, so it cannot be imported here: it registers its functions when one is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypeVar

from mahc.errors import SettingError
from mahc.files import to_path, write_atomically
from mahc.plurals import count
from mahc.registry import Registry

PICTURES: Registry[Callable[..., Any]] = Registry("picture")
PICTURES.expect("sketch", "mahc.drawing.svg")
PICTURES.expect("svg_or_note", "mahc.drawing.svg")
PICTURES.expect("learned", "mahc.drawing.learned_picture")
PICTURES.expect("comparison", "mahc.drawing.comparison_picture")
THINNEST, THICKEST = 1.0, 4.0
Key = TypeVar("Key")


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook displays; `svg` is its text, `save` writes it to a file.

    Examples
    --------
    >>> Picture('<svg xmlns="http://www.w3.org/2000/svg"/>')
    Picture(41 characters of SVG)
    """

    svg: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to an SVG file.

        Parameters
        ----------
        path : str or path
            The file; its name must end in `.svg`.

        Raises
        ------
        SettingError
            If the name ends in anything else.
        MahcError
            If the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Picture("<svg/>").save(f"{folder}/graph.svg")
        """
        check_svg_path(path)
        write_atomically(path, f"{self.svg}\n")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({count(len(self.svg), 'character')} of SVG)"


def check_svg_path(path: str | PathLike[str]) -> None:
    """Refuse a file name that does not end in `.svg`."""
    if to_path(path).suffix.lower() != ".svg":
        raise SettingError(f"the picture is written as SVG, but the file is named '{path}': end its name in .svg")


def rank_widths(strengths: Mapping[Key, float]) -> dict[Key, float]:
    """From 1 px for the weakest to 4 px for the strongest, evenly by rank; equal strengths have equal widths.

    >>> rank_widths({"ab": 3.0, "bc": 900.0, "cd": 12.0})
    {'ab': 1.0, 'bc': 4.0, 'cd': 2.5}
    """
    ranks = {value: rank for rank, value in enumerate(sorted(set(strengths.values())))}
    if len(ranks) == 1:
        return dict.fromkeys(strengths, (THINNEST + THICKEST) / 2)
    step = (THICKEST - THINNEST) / max(1, len(ranks) - 1)
    return {key: THINNEST + step * ranks[value] for key, value in strengths.items()}
