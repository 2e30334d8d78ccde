"""From counts of right and wrong pairs to calibration errors, a correction and a reliability diagram."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

KINDS = ("edge", "direction", "compelled")
BINS = 10
Correct = Callable[[float], float]


class Row(NamedTuple):
    """`pairs` pairs came back in `times` of `resamples` resamples, and `right` of them are in the true graph."""

    network: str
    role: str
    noise: str
    rows: int
    algorithm: str
    kind: str
    times: int
    resamples: int
    pairs: int
    right: int


def read_rows(path: Path) -> list[Row]:
    """The rows that `calibrate_confidence.py count` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(r[0], r[1], r[2], int(r[3]), r[4], r[5], *map(int, r[6:])) for r in list(csv.reader(file))[1:]]


def smoothed_logit(count: int, resamples: int) -> float:
    """The logarithm of the odds, finite for 0 and for all resamples."""
    return math.log((count + 0.5) / (resamples - count + 0.5))


def fit_logistic(rows: Sequence[Row]) -> tuple[float, float]:
    """Intercept and slope of a logistic regression on the logit of the frequency, by Newton's method."""
    x = np.array([smoothed_logit(r.times, r.resamples) for r in rows])
    pairs = np.array([r.pairs for r in rows], float)
    right = np.array([r.right for r in rows], float)
    design = np.stack([np.ones_like(x), x], axis=1)
    found = np.array([0.0, 1.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (right - pairs * p)
        hessian = design.T @ (design * (pairs * p * (1 - p))[:, None])
        step = np.linalg.solve(hessian, gradient)
        found += step
        if abs(step).max() < 1e-10:
            break
    return float(found[0]), float(found[1])


def shown(rows: Sequence[Row]) -> list[Row]:
    """The pairs that came back at least once: the others are shown to nobody, and nearly all are rightly absent."""
    return [r for r in rows if r.times]


def errors(rows: Sequence[Row], correct: Correct | None = None) -> tuple[float, float, float, int]:
    """Expected calibration error in ten bins, Brier score, mean of predicted less observed, number of pairs."""
    bins = np.zeros((BINS, 3))
    brier = total = 0.0
    for r in rows:
        p = r.times / r.resamples
        if correct is not None:
            p = correct(smoothed_logit(r.times, r.resamples))
        bins[min(BINS - 1, int(p * BINS))] += (r.pairs, r.pairs * p, r.right)
        brier += r.right * (1 - p) ** 2 + (r.pairs - r.right) * p**2
        total += r.pairs
    gap = np.abs(bins[:, 1] - bins[:, 2]).sum() / total
    return float(gap), brier / total, float((bins[:, 1] - bins[:, 2]).sum() / total), int(total)


def reliability(rows: Sequence[Row], correct: Correct | None = None) -> list[tuple[float, float, int]]:
    """For each bin that holds pairs: mean prediction, share of right pairs, number of pairs."""
    bins = np.zeros((BINS, 3))
    for r in rows:
        p = r.times / r.resamples if correct is None else correct(smoothed_logit(r.times, r.resamples))
        bins[min(BINS - 1, int(p * BINS))] += (r.pairs, r.pairs * p, r.right)
    return [(s / n, right / n, int(n)) for n, s, right in bins if n]


def make_correction(intercept: float, slope: float) -> Correct:
    """The logistic curve."""
    return lambda x: 1 / (1 + math.exp(-intercept - slope * x))


def report(path: Path, figure: Path) -> None:
    """Print the tables, and write the reliability diagram of the held-out networks."""
    rows = read_rows(path)
    print("| algorithm | kind | data | pairs | ECE | Brier | too high by | ECE corrected | Brier corrected |")
    print("|---|---|---|---|---|---|---|---|---|")
    panels, numbers = [], {}
    for algorithm in sorted({r.algorithm for r in rows}, reverse=True):
        for kind in KINDS:
            ours = shown([r for r in rows if (r.algorithm, r.kind) == (algorithm, kind)])
            numbers[algorithm, kind] = fit_logistic([r for r in ours if r.role == "fitted"])
            correct = make_correction(*numbers[algorithm, kind])
            held = [r for r in ours if r.role == "held out"]
            for noise in ("clean", "noisy"):
                part = [r for r in held if r.noise == noise]
                raw, mended = errors(part), errors(part, correct)
                print(
                    f"| {algorithm} | {kind} | {noise} | {raw[3]:,} | {raw[0]:.3f} | {raw[1]:.3f} | {raw[2]:+.3f} | "
                    f"{mended[0]:.3f} | {mended[1]:.3f} |"
                )
            panels.append((f"{algorithm}: {kind}", reliability(held), reliability(held, correct)))
    print("\nBy network (raw edges, held out):")
    for network in sorted({r.network for r in rows if r.role == "held out"}):
        part = shown([r for r in rows if r.network == network and r.kind == "edge"])
        print(f"  {network}: ECE {errors(part)[0]:.3f}, Brier {errors(part)[1]:.3f}, {errors(part)[3]:,} pairs")
    print("\nCORRECTIONS = {")
    for (algorithm, kind), (intercept, slope) in numbers.items():
        print(f'    ("{algorithm}", "{kind}"): ({intercept:.4f}, {slope:.4f}),')
    print("}")
    figure.write_text(draw(panels), encoding="utf-8")


def draw(panels: Sequence[tuple[str, Sequence[tuple[float, float, int]], Sequence[tuple[float, float, int]]]]) -> str:
    """One square per panel: predicted against observed, before (line) and after the correction (dashed)."""
    side, gap, columns = 200, 50, 3
    height = (len(panels) + columns - 1) // columns * (side + gap) + 30
    parts = []
    for number, (title, raw, mended) in enumerate(panels):
        x0, y0 = gap + number % columns * (side + gap), 30 + number // columns * (side + gap)
        parts.append(f'<rect x="{x0}" y="{y0}" width="{side}" height="{side}" fill="none" stroke="#bbb"/>')
        parts.append(f'<path d="M{x0} {y0 + side}L{x0 + side} {y0}" stroke="#bbb"/>')
        parts.append(f'<text x="{x0 + side / 2}" y="{y0 - 8}" text-anchor="middle" font-weight="bold">{title}</text>')
        for share in (0, 0.5, 1):
            parts.append(f'<text x="{x0 + share * side}" y="{y0 + side + 14}" text-anchor="middle">{share:g}</text>')
            parts.append(f'<text x="{x0 - 6}" y="{y0 + side - share * side + 4}" text-anchor="end">{share:g}</text>')
        for points, colour, dash in ((raw, "#1b6ca8", ""), (mended, "#c8553d", ' stroke-dasharray="5 3"')):
            places = [(x0 + p * side, y0 + side - right * side, n) for p, right, n in points]
            way = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
            parts.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{1.5 + math.log10(n):.1f}" fill="{colour}" fill-opacity="0.7"/>'
                for x, y, n in places
            ]
    width = gap + columns * (side + gap)
    legend = (
        f'<text x="{gap}" y="{height - 8}" fill="#1b6ca8">frequency</text>'
        f'<text x="{gap + 80}" y="{height - 8}" fill="#c8553d">after the correction (dashed)</text>'
        f'<text x="{gap + 270}" y="{height - 8}">across: predicted; up: share that is right</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + f"\n{legend}\n</svg>\n"
    )
