"""The columns of files in pieces, which all files must have with the same types."""

from __future__ import annotations

from collections.abc import Sequence

from mahc.cluster.pieces import Piece
from mahc.data.settings import ReadSettings
from mahc.errors import DataError


def column_names(pieces: Sequence[Piece], settings: ReadSettings) -> list[str]:
    """The columns to use; a file that lacks one, or has it with another type, is named."""
    first = pieces[0].column_types()
    kept = settings.kept(list(first))
    checked = {pieces[0].name}
    for piece in pieces[1:]:
        if piece.name in checked:
            continue
        checked.add(piece.name)
        types = piece.column_types()
        for name in kept:
            if name not in types:
                raise DataError(f"{piece.name} has no column '{name}', which {pieces[0].name} has: add it, or drop it")
            if types[name] != first[name]:
                raise DataError(
                    f"column '{name}' is {first[name]} in {pieces[0].name} and {types[name]} in {piece.name}: "
                    "write the files with one type"
                )
    return kept
