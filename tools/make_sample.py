"""Draw the sample that ships with mahc: asia, 1,000 rows, seed 1.

python tools/make_sample.py
"""

from __future__ import annotations

from pathlib import Path

from mahc.networks import load_network
from mahc.networks.sampling import sample_codes

TARGET = Path(__file__).resolve().parents[1] / "src" / "mahc" / "data" / "samples" / "asia.csv"
ROWS, SEED = 1_000, 1


def draw() -> str:
    """The sample as CSV text."""
    network = load_network("asia")
    columns = [
        [states[code] for code in column]
        for states, column in zip(network.states, sample_codes(network, ROWS, SEED), strict=True)
    ]
    return "\n".join([",".join(network.names), *map(",".join, zip(*columns, strict=True))]) + "\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(draw(), encoding="utf-8", newline="\n")
    print(TARGET)
