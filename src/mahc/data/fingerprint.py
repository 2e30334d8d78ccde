"""A hash of a whole table that does not depend on the order of its rows, columns or codes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import Column, Hasher, mix, with_length

if TYPE_CHECKING:
    from mahc.data.dataset import Dataset

_BLOCK = 1 << 16
_LANES = 2  # 64 bits each


def fingerprint(data: Dataset) -> str:
    """The sha256 of names, of what columns say of themselves, and of the multiset of rows.

    Each row is hashed to 128 bits from its (name, label) pairs and the hashes are added, each as often as its
    weight says: a sum does not depend on the order, and a row of weight 3 adds the same as three rows. Sorting the
    rows would take a hundred times as long.
    """
    terms = ((name, column.fingerprint_terms()) for name, column in data.hashed_columns)
    return combine_hashes(terms, data.total, sum_row_hashes(data), data.unit)


def combine_hashes(terms: Iterable[tuple[str, bytes]], total: int, sums: Sequence[int], unit: int = 1) -> str:
    """The fingerprint of data whose columns have these terms, of this total weight, with these sums of row hashes."""
    digest = hashlib.sha256()
    for name, own in sorted(terms):
        digest.update(with_length(name))
        digest.update(own)
    digest.update(total.to_bytes(16, "little"))
    for total in sums:
        digest.update(total.to_bytes(8, "little"))
    if unit > 1:
        digest.update(unit.to_bytes(8, "little"))
    return digest.hexdigest()


def sum_row_hashes(data: Dataset, columns: Sequence[tuple[str, Column]] | None = None) -> tuple[int, ...]:
    """The sums of the rows' hashes, each 64 bits; those of parts of the rows add up, modulo 2^64."""
    sums = []
    for lane in range(_LANES):
        hashers = _hashers(data.hashed_columns if columns is None else columns, lane)
        total = 0
        for start in range(0, data.rows, _BLOCK):
            part = slice(start, min(start + _BLOCK, data.rows))
            hashes = _row_hashes(hashers, part, lane)
            if data.weights is not None:
                hashes *= data.weights[part].astype(np.uint64)
            total += int(hashes.sum(dtype=np.uint64))
        sums.append(total % 2**64)
    return tuple(sums)


def _hashers(columns: Sequence[tuple[str, Column]], lane: int) -> list[Hasher]:
    return [column.hasher(name, lane) for name, column in columns]


def _row_hashes(hashers: Sequence[Hasher], part: slice, lane: int) -> NDArray[np.uint64]:
    mixed = np.full(part.stop - part.start, lane, dtype=np.uint64)
    for hasher in hashers:
        mixed += hasher(part)
    # A plain sum over columns and rows would depend on the margins only; mixing between the two sums makes it depend
    # on the joint rows.
    return mix(mixed)
