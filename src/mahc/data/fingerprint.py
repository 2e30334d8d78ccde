"""A hash of a whole table that does not depend on the order of its rows, columns or codes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 16
_LANES = 2  # 64 bits each


def fingerprint(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    columns: Sequence[NDArray[np.unsignedinteger]],
    weights: NDArray[np.int64] | None,
    rows: int,
) -> str:
    """The sha256 of names, labels and the multiset of rows.

    Each row is hashed to 128 bits from its (name, label) pairs and the hashes are added, each as often as its
    weight says: a sum does not depend on the order, and a row of weight 3 adds the same as three rows. Sorting the
    rows would take a hundred times as long.
    """
    size = rows if weights is None else int(weights.sum())
    return combine_hashes(names, states, size, sum_row_hashes(names, states, columns, weights, rows))


def combine_hashes(names: Sequence[str], states: Sequence[Sequence[str]], size: int, sums: Sequence[int]) -> str:
    """The fingerprint of data with these names and labels, of this total weight, with these sums of row hashes."""
    digest = hashlib.sha256()
    for name, labels in sorted(zip(names, states, strict=True)):
        digest.update(_with_length(name))
        digest.update(b"".join(sorted(_with_length(label) for label in labels)))
    digest.update(size.to_bytes(16, "little"))
    for total in sums:
        digest.update(total.to_bytes(8, "little"))
    return digest.hexdigest()


def sum_row_hashes(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    columns: Sequence[NDArray[np.unsignedinteger]],
    weights: NDArray[np.int64] | None,
    rows: int,
) -> tuple[int, ...]:
    """The sums of the rows' hashes, each 64 bits; those of parts of the rows add up, modulo 2^64."""
    sums = []
    for lane in range(_LANES):
        tables = [_label_hashes(name, labels, lane) for name, labels in zip(names, states, strict=True)]
        total = 0
        for start in range(0, rows, _BLOCK):
            part = slice(start, start + _BLOCK)
            hashes = _row_hashes(tables, [column[part] for column in columns], lane)
            if weights is not None:
                hashes *= weights[part].astype(np.uint64)
            total += int(hashes.sum(dtype=np.uint64))
        sums.append(total % 2**64)
    return tuple(sums)


def hash_rows(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    columns: Sequence[NDArray[np.unsignedinteger]],
    rows: int,
) -> NDArray[np.uint64]:
    """One number per row, from its (name, label) pairs: equal rows have equal numbers, in any order of columns."""
    tables = [_label_hashes(name, labels, 0) for name, labels in zip(names, states, strict=True)]
    found = np.empty(rows, np.uint64)
    for start in range(0, rows, _BLOCK):
        part = slice(start, start + _BLOCK)
        found[part] = _row_hashes(tables, [column[part] for column in columns], 0)
    return found


@lru_cache(maxsize=4096)
def _with_length(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "little") + data


def _label_hashes(name: str, labels: Sequence[str], lane: int) -> NDArray[np.uint64]:
    prefix = hashlib.sha256(bytes([lane]) + _with_length(name))
    table = np.empty(len(labels), dtype=np.uint64)
    for code, label in enumerate(labels):
        entry = prefix.copy()
        entry.update(_with_length(label))
        table[code] = int.from_bytes(entry.digest()[:8], "little")
    return table


def _row_hashes(
    tables: Sequence[NDArray[np.uint64]], columns: Sequence[NDArray[np.unsignedinteger]], lane: int
) -> NDArray[np.uint64]:
    mixed = np.full(len(columns[0]), lane, dtype=np.uint64)
    for table, column in zip(tables, columns, strict=True):
        mixed += table[column]
    # A plain sum over columns and rows would depend on the margins only; the finaliser of splitmix64 between the
    # two sums makes it depend on the joint rows.
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
