"""Text fields to integer codes, vectorised: eight bytes of a field are one machine word."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Positions = NDArray[np.intp]

WORD = 8
_MASKS = np.array([(1 << (8 * width)) - 1 for width in range(WORD + 1)], dtype=np.uint64)
# Up to this many keys, comparing with each is faster than a binary search.
_FEW = 10
_FIRST_LOOK = 1 << 10


@dataclass(frozen=True)
class Fields:
    """One column of a block of text: field i is data[starts[i]:ends[i]].

    `words` reads the eight bytes from any position; the data are padded so that this never runs over.

    >>> block = padded(b"yes,no,yes")
    >>> column = Fields(block, word_view(block), np.array([0, 4, 7]), np.array([3, 6, 10]))
    >>> column.text(1)
    b'no'
    """

    data: NDArray[np.uint8]
    words: Words
    starts: Positions
    ends: Positions

    def text(self, row: int) -> bytes:
        """The bytes of one field."""
        return self.data[self.starts[row] : self.ends[row]].tobytes()


def padded(data: bytes) -> NDArray[np.uint8]:
    """The bytes as an array padded by one word."""
    return np.frombuffer(data + bytes(WORD), dtype=np.uint8)


def word_view(data: NDArray[np.uint8]) -> Words:
    """The little-endian word that begins at each byte of a padded array; shares its memory."""
    return np.ndarray(shape=(len(data) - WORD + 1,), dtype="<u8", buffer=data.data, strides=(1,))


@dataclass
class KeyTable:
    """Numbers distinct 64-bit keys in the order in which they occur.

    >>> table = KeyTable(Counter())
    >>> table.find(np.array([7, 7, 3], dtype=np.uint64)).tolist()
    [1, 1, 0]
    >>> table.find(np.array([3, 9], dtype=np.uint64)).tolist()
    [0, 2]
    """

    counter: Counter
    keys: Words = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    numbers: Positions = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def find(self, keys: Words) -> Positions:
        """The number of each key; new keys get new numbers."""
        look = _FIRST_LOOK  # most columns show all their states in the first rows: do not sort a whole block
        if not len(self.keys):
            self._add(keys[:look])
        while True:
            ranks = self._rank(keys)
            unknown = self.keys[ranks] != keys
            if not unknown.any():
                return self.numbers[ranks]
            self._add(keys[unknown][:look])
            look *= 64

    def _rank(self, keys: Words) -> Positions:
        if len(self.keys) > _FEW:
            return np.searchsorted(self.keys[1:], keys, side="right")
        ranks = np.zeros(len(keys), dtype=np.intp)
        for key in self.keys[1:]:
            ranks += keys >= key
        return ranks

    def _add(self, keys: Words) -> None:
        fresh = np.unique(keys)
        first = self.counter.take(len(fresh))
        every = np.concatenate([self.keys, fresh])
        numbers = np.concatenate([self.numbers, np.arange(first, first + len(fresh), dtype=np.intp)])
        order = np.argsort(every, kind="stable")
        self.keys, self.numbers = every[order], numbers[order]


@dataclass
class Counter:
    """Hands out whole numbers, each once."""

    used: int = 0

    def take(self, count: int) -> int:
        """The first of `count` new numbers."""
        first = self.used
        self.used += count
        return first


class FieldCoder:
    """Codes the fields of one column block by block; exact for fields of any length.

    A field is a path in a prefix tree, eight bytes a step. Padding a last word with zeros is unambiguous
    because text holds no zero byte.

    >>> block = padded(b"yes,no,yes")
    >>> column = Fields(block, word_view(block), np.array([0, 4, 7]), np.array([3, 6, 10]))
    >>> coder = FieldCoder()
    >>> coder.code(column).tolist(), coder.labels
    ([1, 0, 1], {0: b'no', 1: b'yes'})
    """

    def __init__(self) -> None:
        self.labels: dict[int, bytes] = {}
        self._nodes = Counter()
        self._roots = KeyTable(self._nodes)
        self._branches = KeyTable(self._nodes)
        self._letters = KeyTable(Counter())

    @property
    def width(self) -> int:
        """One more than the largest code handed out."""
        return self._nodes.used

    def code(self, fields: Fields) -> Positions:
        """A code per field, equal where the bytes are equal; `labels` then knows each code's bytes."""
        lengths = fields.ends - fields.starts
        longest = int(lengths.max())
        heads = fields.words[fields.starts] & _MASKS[np.minimum(lengths, WORD) if longest > WORD else lengths]
        nodes = self._roots.find(heads)
        for depth in range(WORD, longest, WORD):
            rows = np.flatnonzero(lengths > depth)
            words = fields.words[fields.starts[rows] + depth] & _MASKS[np.minimum(lengths[rows] - depth, WORD)]
            letters = self._letters.find(words).astype(np.uint64)
            nodes[rows] = self._branches.find((nodes[rows].astype(np.uint64) << np.uint64(32)) | letters)
        self._label(nodes, fields)
        return nodes

    def _label(self, nodes: Positions, fields: Fields) -> None:
        if len(self.labels) == self.width:
            return
        present = np.flatnonzero(np.bincount(nodes, minlength=self.width))
        if all(node in self.labels for node in present.tolist()):
            return
        present, rows = np.unique(nodes, return_index=True)
        for node, row in zip(present.tolist(), rows.tolist(), strict=True):
            if node not in self.labels:
                self.labels[node] = fields.text(row)
