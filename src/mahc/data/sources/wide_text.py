"""Many columns of a text file at once: all their fields are coded together, with one list of texts.

`ColumnReader` does some work per column and block, which takes longer than the fields themselves where there are
thousands of columns. Here the work per column is left to the end. A column must not have more rows than states are
allowed: then none can have too many states.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import code_type
from mahc.data.source_table import MAX_STATES, LabelColumn
from mahc.data.sources.field_codes import FieldCoder, Fields, word_view
from mahc.data.sources.text_blocks import Block
from mahc.data.watching import report, report_column

MIN_COLUMNS = 64
FIELDS_AT_ONCE = 1 << 18
FEW_TEXTS = 1 << 10  # up to this many, counting the texts of a column is faster than sorting them


def suits(columns: int, size: int | None) -> bool:
    """Whether a file of so many columns and bytes is read in this way: a row has at least one byte per column."""
    return columns >= MIN_COLUMNS and size is not None and size // columns <= MAX_STATES


class WideReader:
    """Collects the codes of all columns; `places` are theirs in the file."""

    def __init__(self, places: Sequence[int]) -> None:
        self.rows = 0
        self._places = np.asarray(places, np.intp)
        self._coder = FieldCoder()
        self._parts: list[list[NDArray[np.unsignedinteger]]] = []  # of each group of columns, block by block

    def add(self, block: Block, skip: int) -> None:
        """Add the rows of a block, without its first ones if requested."""
        rows = block.starts.shape[1] - skip
        self.rows += rows
        words = word_view(block.data)
        if not self._parts:
            self._group = max(1, FIELDS_AT_ONCE // rows)
            self._parts = [[] for _ in range(0, len(self._places), self._group)]
        for number, part in enumerate(self._parts):
            if number:
                report(f"reading, column {number * self._group:,} of {len(self._places):,}")
            places = self._places[number * self._group : (number + 1) * self._group]
            fields = Fields(block.data, words, block.starts[places, skip:].ravel(), block.ends[places, skip:].ravel())
            codes = self._coder.code(fields)
            part.append(codes.astype(code_type(self._coder.width)).reshape(len(places), rows))

    def finish(self, texts: Sequence[str]) -> list[LabelColumn]:
        """The columns, where `texts` are those of `labels`; releases the parts."""
        found: list[LabelColumn] = []
        while self._parts:
            for codes in np.concatenate(self._parts.pop(0), axis=1):
                report_column("reading", len(found), len(self._places))
                found.append(_column(codes, texts))
        return found

    @property
    def labels(self) -> list[bytes]:
        """The bytes of each code."""
        return [self._coder.labels.get(node, b"") for node in range(self._coder.width)]


def _column(codes: NDArray[np.unsignedinteger], texts: Sequence[str]) -> LabelColumn:
    if len(texts) <= FEW_TEXTS:
        present = np.flatnonzero(np.bincount(codes, minlength=len(texts)))
        dense = np.zeros(len(texts), code_type(len(present)))
        dense[present] = np.arange(len(present))
        dense_codes = dense[codes]
    else:
        present, inverse = np.unique(codes, return_inverse=True)
        dense_codes = inverse.astype(code_type(len(present)))
    return LabelColumn([texts[node] for node in present.tolist()], dense_codes)
