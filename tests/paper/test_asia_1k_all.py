"""Table B1, Asia, 1,000 rows, clean: what all eight algorithms learn from the paper's own sample, beside its rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_b1 import PAPER, Row, agrees, solutions

import mahc
from mahc.algorithms import ALGORITHMS
from mahc.algorithms.constraint_based.algorithms import PCStable
from mahc.learning.algorithm import Algorithm
from mahc.measures import compare
from mahc.networks import load_network

pytestmark = pytest.mark.shared
PRINTED_AS = {
    "mahc": "MAHC",
    "hc": "HC",
    "tabu": "TABU",
    "exact": "GOBNILP",
    "mmhc": "MMHC",
    "fci": "FCI",
    "pc-stable": "PC-Stable",
    "saiyanh": "SaiyanH",
}
TO_THE_DIGIT = ("mahc", "hc", "tabu", "exact", "mmhc", "fci")


def printed(algorithm: str) -> tuple[float, Row]:
    """The BIC and the measures that the paper prints."""
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[:4] == [PRINTED_AS[algorithm], "Asia", "$10^3$", "Clean"]:
            return float(cells[4]), Row(cells[0], "Asia", "Clean", *map(float, cells[5:]))
    raise LookupError(algorithm)


def comes_out(algorithm: str | Algorithm, name: str, shared: Path) -> bool:
    """Whether the printed BIC and all five measures are those of what we learn, to the digit."""
    bic, row = printed(name)
    learned = mahc.learn(shared / "paper" / "asia-1k.csv", algorithm)
    assert learned.score is not None
    # A CPDAG and a PAG both stand beside the true CPDAG on clean data; the scored DAG is one of its class.
    counts = compare(learned.pattern, load_network("asia").dag, as_="cpdag").counts
    return round(learned.score, 1) == bic and agrees(counts, row)


def test_every_algorithm_has_its_row() -> None:
    not_in_the_paper = {"boss", "boss-pag"}
    assert set(PRINTED_AS) == set(ALGORITHMS) - not_in_the_paper


@pytest.mark.parametrize("algorithm", TO_THE_DIGIT)
def test_the_row_comes_out_to_the_digit(algorithm: str, shared: Path) -> None:
    assert comes_out(algorithm, algorithm, shared)


def test_pc_stable_s_row_is_that_of_the_x2_test(shared: Path) -> None:
    """The paper names G2 for PC-Stable in Table A1, but its row (the same as FCI's) is what X2 gives; G2 does not.

    Found by trying 24 settings after the default had failed: X2 with adjusted degrees of freedom at 0.01 is the one.
    """
    assert printed("pc-stable")[1][3:] == printed("fci")[1][3:]
    assert comes_out(PCStable(test="x2"), "pc-stable", shared)
    assert not any(
        comes_out(PCStable(test="g2", degrees_of_freedom=word), "pc-stable", shared) for word in ("adjusted", "plain")
    )


def test_saiyanh_s_row_does_not_come_out_and_ours_is_the_better_graph(shared: Path) -> None:
    """Of its second phase only an outline is published (docs/explanation/saiyanh.md), and this is where the two part.

    Both are connected graphs of 8 edges; ours is the true one, and scores higher than the printed.
    """
    bic, row = printed("saiyanh")
    learned = mahc.learn(shared / "paper" / "asia-1k.csv", "saiyanh")
    truth = load_network("asia").dag
    assert learned.score is not None
    assert learned.score > bic
    assert compare(learned.pattern, truth, as_="cpdag").counts.measure("shd") == 0
    assert all(c.matched + c.partial + c.extra == 8 for c in solutions(row, 8, 8))
