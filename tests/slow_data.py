"""Data on which order search with the most kicks takes hours: every variable copies one of the eight before it."""

from __future__ import annotations

import random

MOST_KICKS = 1_000_000


def slow_csv() -> bytes:
    """3,000 rows of 60 variables, as CSV."""
    generator = random.Random(1)
    lines = [",".join(f"v{i}" for i in range(60))]
    for _ in range(3000):
        row: list[int] = []
        for _ in range(60):
            copied = bool(row) and generator.random() < 0.7
            row.append(generator.choice(row[-8:]) if copied else generator.randrange(4))
        lines.append(",".join(map(str, row)))
    return "\n".join(lines).encode()
