"""Rows that are made on the fly, piece by piece, from a network and a seed: data of any size without a disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from mahc.cluster.piece_column import PieceColumn
from mahc.data import Dataset
from mahc.networks import load_network, sample

if TYPE_CHECKING:
    import polars as pl

ROWS_PER_PIECE = 1_000_000


@dataclass(frozen=True)
class GeneratedPiece:
    """Rows of a network that depend only on the seed; another process makes the same ones."""

    network: str
    rows: int
    seed: int

    @property
    def name(self) -> str:
        """What errors call it."""
        return f"{self.network} with seed {self.seed}"

    @property
    def size(self) -> int:
        """One byte per value."""
        return self.rows * len(load_network(self.network).names)

    def column_types(self) -> dict[str, pl.DataType]:
        """All columns are text."""
        import polars as pl

        return {name: pl.String() for name in load_network(self.network).names}

    def columns(self, names: Sequence[str]) -> Iterator[PieceColumn]:
        """The columns in the order of the names."""
        import polars as pl

        data = _sample(self.network, self.rows, self.seed)
        for name in names:
            v = data.names.index(name)
            yield PieceColumn(pl.Series(name, data.labels[v], pl.String), data.codes[v])


@lru_cache(maxsize=1)
def _sample(network: str, rows: int, seed: int) -> Dataset:
    return sample(load_network(network), rows, seed=seed, unseen_states=True)


def generate(network: str, rows: int) -> Iterator[GeneratedPiece]:
    """The pieces of so many rows."""
    for seed, start in enumerate(range(0, rows, ROWS_PER_PIECE), 1):
        yield GeneratedPiece(network, min(ROWS_PER_PIECE, rows - start), seed)
