"""How `mahc compare` shows a comparison: for a person, or as JSON."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.measures import Comparison, ScoreComparison

MAX_ROWS = 200
SHOWN = (("f1", "F1"), ("precision", "precision"), ("recall", "recall"), ("shd", "SHD"), ("bsf", "BSF"))


def render_text(learned: str, true: str, result: Comparison, scores: ScoreComparison | None) -> list[str]:
    """Lines: the numbers with their convention, the scores if data were given, and the differing edges."""
    counts, different = result.counts, Counter(edge.difference for edge in result.edges)
    ours, theirs = count(counts.learned, "edge"), count(counts.present, "edge")
    lines = [
        f"{learned} ({ours}) against {true} ({theirs}), as {result.compared_as}",
        "",
        *(f"  {title:<10} {result[name]:{'g' if name == 'shd' else '.3f'}}" for name, title in SHOWN),
        "",
        f"  {counts.matched} matched, {different['reversed']} reversed, {different['marks']} with other marks, "
        f"{counts.missing} missing, {counts.extra} extra",
        *_wrap(result.convention),
    ]
    if scores is not None:
        lines += ["", *_scores(scores)]
    if result.differing:
        lines += ["", *_edges(result)]
    return lines


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, shutil.get_terminal_size().columns, initial_indent="  ", subsequent_indent="  ")


def _scores(scores: ScoreComparison) -> list[str]:
    lines = []
    for role, found in (("learned", scores.learned), ("true", scores.true)):
        if found.value is None:
            lines += _wrap(f"{role:<10} {found.taken_from}")
            continue
        free = "" if found.free_parameters is None else f"; {count(found.free_parameters, 'free parameter')}"
        lines += _wrap(f"{role:<10} {found.value:.4f}  {found.taken_from}{free}")
    if scores.difference is not None:
        percent = "" if scores.percent is None else f"  {scores.percent:+.3f}% of the true score, negative is worse"
        lines += _wrap(f"{'difference':<10} {scores.difference:+.4f}{percent}")
    return [f"  Score on the data: {scores.score.describe()}", *lines]


def _edges(result: Comparison) -> list[str]:
    rows = [("true", "learned", "rule", "penalty")]
    for edge in result.differing[:MAX_ROWS]:
        rows.append((edge.true or "no edge", edge.learned or "no edge", str(edge.rule), f"{edge.penalty:g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        left = "  ".join(cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True))
        lines.append(f"  {left}  {row[2].rjust(widths[2])}  {row[3].rjust(widths[3])}")
    if len(result.differing) > MAX_ROWS:
        lines.append(f"  and {len(result.differing) - MAX_ROWS:,} more; --json lists all")
    return lines


def to_document(result: Comparison, scores: ScoreComparison | None) -> dict[str, object]:
    """For JSON, numbers in full; `scores` is there when data were given."""
    document: dict[str, object] = {
        "compared_as": result.compared_as,
        "convention": result.convention,
        "measures": result.measures,
        "counts": asdict(result.counts),
        "differing": [{**asdict(edge), "kind": edge.kind, "difference": edge.difference} for edge in result.differing],
    }
    if scores is not None:
        document["scores"] = {
            "score": scores.score.name,
            **asdict(scores.score),
            "learned": asdict(scores.learned),
            "true": asdict(scores.true),
            "difference": scores.difference,
            "percent": scores.percent,
        }
    return document
