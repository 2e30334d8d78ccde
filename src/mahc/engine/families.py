"""A batch of families: the one form in which local scores are requested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Families:
    """A batch of families: family i is `children[i]` with parents `parents[offsets[i]:offsets[i + 1]]`.

    Families that follow each other and share the child and all parents but the last are counted together,
    so put the varying parent last.

    Parameters
    ----------
    children : array of int
        The child of each family.
    offsets : array of int
        Where the parents of each family begin, and the end of the last.
    parents : array of int
        The parents of all families.

    Examples
    --------
    >>> batch = Families.of([(0, []), (2, [0, 1])])
    >>> len(batch), list(batch)
    (2, [(0, ()), (2, (0, 1))])
    """

    children: NDArray[np.int32]
    offsets: NDArray[np.int64]
    parents: NDArray[np.int32]

    @classmethod
    def of(cls, families: Iterable[tuple[int, Sequence[int]]]) -> Families:
        """Build a batch from (child, parents) pairs."""
        pairs = list(families)
        offsets = np.zeros(len(pairs) + 1, np.int64)
        np.cumsum([len(parents) for _, parents in pairs], out=offsets[1:])
        children = np.fromiter((child for child, _ in pairs), np.int32, len(pairs))
        flat = np.fromiter(chain.from_iterable(parents for _, parents in pairs), np.int32, int(offsets[-1]))
        return cls(children, offsets, flat)

    @classmethod
    def extending(cls, child: int, base: Sequence[int], lasts: NDArray[np.int32]) -> Families:
        """`child` with `base` and, one after another, each of `lasts`."""
        width = len(base) + 1
        parents = np.empty((len(lasts), width), np.int32)
        parents[:, :-1] = np.asarray(base, np.int32)
        parents[:, -1] = lasts
        offsets = np.arange(0, width * len(lasts) + 1, width, dtype=np.int64)
        return cls(np.full(len(lasts), child, np.int32), offsets, parents.ravel())

    @classmethod
    def of_width(cls, children: NDArray[np.int32], parents: NDArray[np.int32]) -> Families:
        """Families with the same number of parents: row i of `parents` are those of `children[i]`."""
        rows, width = parents.shape
        return cls(
            children, np.arange(0, rows * width + 1, width, dtype=np.int64), np.ascontiguousarray(parents).ravel()
        )

    @classmethod
    def joined(cls, batches: Sequence[Families]) -> Families:
        """Several batches, one after another."""
        if not batches:
            return cls.of([])
        starts = np.cumsum([0] + [batch.offsets[-1] for batch in batches[:-1]])
        offsets = [batch.offsets[:-1] + start for batch, start in zip(batches, starts, strict=True)]
        total = np.array([starts[-1] + batches[-1].offsets[-1]], np.int64)
        return cls(
            np.concatenate([batch.children for batch in batches]),
            np.concatenate([*offsets, total]),
            np.concatenate([batch.parents for batch in batches]),
        )

    def __getitem__(self, part: slice) -> Families:
        """Some families that follow each other."""
        start, stop, _ = part.indices(len(self))
        first, last = self.offsets[start], self.offsets[stop]
        return Families(self.children[part], self.offsets[start : stop + 1] - first, self.parents[first:last])

    def __len__(self) -> int:
        return len(self.children)

    def __iter__(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        for i, child in enumerate(self.children.tolist()):
            yield child, tuple(self.parents[self.offsets[i] : self.offsets[i + 1]].tolist())
