"""Pictures of graphs for notebooks and files.

`mahc.drawing` is a higher package, so it cannot be imported here: it registers its functions when one is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal, TypeVar

from mahc.errors import InvalidSettingError, MahcError, SettingError
from mahc.files import to_path, write_atomically
from mahc.plurals import count
from mahc.registry import Registry

Format = Literal["svg", "png", "pdf"]
FORMATS: dict[str, Format] = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
PICTURES: Registry[Callable[..., Any]] = Registry("picture")
PICTURES.expect("sketch", "mahc.drawing.svg")
PICTURES.expect("svg_or_note", "mahc.drawing.svg")
PICTURES.expect("learned", "mahc.drawing.learned_picture")
PICTURES.expect("comparison", "mahc.drawing.comparison_picture")
THINNEST, THICKEST = 1.0, 4.0
Key = TypeVar("Key")


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook displays; `svg` is its text, `save` writes it as SVG, PNG or PDF.

    Examples
    --------
    >>> Picture('<svg xmlns="http://www.w3.org/2000/svg"/>')
    Picture(41 characters of SVG)
    """

    svg: str

    def save(self, path: str | PathLike[str], dpi: float = 300) -> None:
        """Write the picture to a file: SVG, PNG or PDF, as its name ends.

        Parameters
        ----------
        path : str or path
            The file; its name must end in `.svg`, `.png` or `.pdf`. PNG and PDF need the extra `pictures`.
        dpi : float
            The resolution of a PNG in pixels per inch, from 10 to 2,400.

        Raises
        ------
        SettingError
            If the name ends in anything else, or the resolution is out of range.
        MahcError
            If the extra is not installed, or the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Picture("<svg/>").save(f"{folder}/graph.svg")
        """
        kind = check_picture_path(path)
        write_atomically(path, f"{self.svg}\n" if kind == "svg" else _convert(self.svg, kind, dpi))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({count(len(self.svg), 'character')} of SVG)"


def check_picture_path(path: str | PathLike[str]) -> Format:
    """The format that a file name ends in; a SettingError where it is none of them."""
    found = FORMATS.get(to_path(path).suffix.lower())
    if found is None:
        raise SettingError(f"a picture cannot be written to '{path}': end its name in .svg, .png or .pdf")
    return found


# A page as large as the picture. The picture comes as an input, so that no text in it is read as typst code.
_PAGE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg")"""


def _convert(svg: str, kind: Format, dpi: float) -> bytes:
    if not 10 <= dpi <= 2400:
        raise InvalidSettingError("dpi", dpi, "give a number of pixels per inch from 10 to 2400")
    try:
        import typst
    except ImportError:
        raise MahcError(f"{kind.upper()} pictures need the extra 'pictures': pip install 'mahc[pictures]'") from None
    found: bytes = typst.compile(_PAGE, format=kind, ppi=float(dpi), sys_inputs={"svg": svg})
    return found


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
