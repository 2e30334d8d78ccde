"""Infer the BIC of the true graphs, which the paper does not print, from its Tables B.1 and 6.

    python tools/infer_true_scores.py > tests/lab/true_scores.csv

Table 6 normalises within an experiment, the true graph included. A true score between the algorithms' changes only its
own percentage; below or above all of them it changes the scale, and every percentage is linear in (range without it) /
(range with it). So for each placement of the true scores of a sample size (below, between or above, in each case) the
nine printed means are linear equations, solved here by bounded least squares; the best placement is chosen. True
scores between the others are determined by their sum alone, the rest one by one.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from mahc.lab.outline import TRUTH
from mahc.lab.paper.numbers import CASES, DATA, SIZES, normalised_scores, raw_rows

ALGORITHMS = ("GOBNILP", "TABU", "HC", "MAHC", "MMHC", "SaiyanH", "PC-Stable", "FCI")
PRINT = 0.00006  # half a unit of the last printed digit, plus a margin for scores printed to a tenth
Array = NDArray[np.float64]


def main() -> None:
    """Write a line for each case, with the place of its true score and the largest error of its sample size."""
    out = sys.stdout
    out.write("data,rows,case,place,score,largest_error\n")
    for data in DATA:
        # The paper did not score the noisy Pathfinder's true graph; Table 6 is reproduced only without that case.
        cases = CASES if data == "clean" else CASES[:-1]
        for size in SIZES:
            scores = _scores(data, size, cases)
            printed = np.array([normalised_scores()[data, size, name] for name in (*ALGORITHMS, TRUTH)]) / 100
            error, places, shares = min(
                (
                    _solve(scores, printed, places)
                    for places in product(("below", "between", "above"), repeat=len(cases))
                ),
                # Of the placements that reproduce the printed digits, the one that changes the fewest scales.
                key=lambda found: (max(found[0], PRINT), sum(place != "between" for place in found[1]), found[0]),
            )
            low, high = np.nanmin(scores, axis=0), np.nanmax(scores, axis=0)
            for k, case in enumerate(cases):
                span = high[k] - low[k]
                true = {
                    "below": high[k] - span / max(shares[k], 1e-9),
                    "between": low[k] + span * shares[k],
                    "above": low[k] + span / max(shares[k], 1e-9),
                }[places[k]]
                out.write(f"{data},{size},{case},{places[k]},{true:.3f},{100 * error:.3f}\n")


def _scores(data: str, size: int, cases: tuple[str, ...]) -> Array:
    known = {(row.contestant, row.case): row.score for row in raw_rows() if (row.data, row.rows) == (data, size)}
    return np.array([[known[name, case] for case in cases] for name in ALGORITHMS], dtype=float)


def _solve(scores: Array, printed: Array, places: tuple[str, ...]) -> tuple[float, tuple[str, ...], Array]:
    low, high = np.nanmin(scores, axis=0), np.nanmax(scores, axis=0)
    height = (scores - low) / (high - low)
    counts = np.sum(~np.isnan(scores), axis=1)
    matrix, goal = np.zeros((len(printed), len(places))), printed.copy()
    for k, place in enumerate(places):
        column = np.nan_to_num(height[:, k])
        there = ~np.isnan(height[:, k])
        if place == "below":
            goal[:-1] -= there / counts
            matrix[:-1, k] = -np.where(there, 1 - column, 0) / counts
        elif place == "above":
            matrix[:-1, k] = column / counts
            goal[-1] -= 1 / len(places)
        else:
            goal[:-1] -= column / counts
            matrix[-1, k] = 1 / len(places)
    shares = lsq_linear(matrix, goal, bounds=(0, 1)).x
    return float(np.abs(matrix @ shares - goal).max()), places, shares


if __name__ == "__main__":
    main()
