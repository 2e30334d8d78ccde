"""Do the kernels of other processors give the same bits? Run under an emulator with the processor to try.

usage: qemu-x86_64 -cpu Haswell python tools/emulated_kernels.py   (AVX2; from the Debian package qemu-user)
       qemu-x86_64 -cpu Nehalem python tools/emulated_kernels.py   (neither AVX nor AVX2: the portable kernels)

The core chooses its kernels by what the processor reports. This prints those it can use and a checksum of the scores
and counts of random families, so that two runs can be compared; `--expect SUM` makes another checksum an error.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256

import numpy as np

from mahc.data import Dataset
from mahc.engine import EngineRows, Families, RowScorer, _native
from mahc.scores import BIC


def checksum(seed: int) -> str:
    """A hash of the counts and scores of random families, on tables of 2 to 40 states and 1 to 1,500 rows."""
    rng = np.random.default_rng(seed)
    found = sha256()
    for rows in (1, 63, 64, 65, 500, 1500):
        sizes = [*rng.integers(2, 6, 7).tolist(), 40]
        states = tuple(tuple(str(state) for state in range(size)) for size in sizes)
        columns = tuple(rng.integers(0, size, rows).astype(np.uint32) for size in sizes)
        source = EngineRows(Dataset.coded(tuple("abcdefgh"), states, columns), threads=1)
        families = []
        for _ in range(60):
            order = rng.permutation(8).tolist()
            families.append((order[0], sorted(order[1 : 1 + rng.integers(0, 4)])))
        batch = Families.of(families)
        found.update(source.count_families(batch).cells.astype("<i8").tobytes())
        found.update(RowScorer(source, BIC(), None).score_families(batch).astype("<f8").tobytes())
    return found.hexdigest()[:16]


def main() -> int:
    """Print the kernels and the checksum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--expect", help="the checksum of another processor")
    words = parser.parse_args()
    found = checksum(words.seed)
    print(", ".join(_native.levels()), found)
    return 1 if words.expect not in (None, found) else 0


if __name__ == "__main__":
    sys.exit(main())
