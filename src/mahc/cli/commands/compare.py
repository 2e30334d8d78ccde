"""`mahc compare`: a learned graph against the true one, in numbers and edge by edge."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.algorithm_options import ScoreOption, ScoreOptions
from mahc.cli.options.groups import DATA, JSON, NETWORKS, OUTPUT, argument, flag, option
from mahc.cli.options.reading_options import ReadingOptions, find_input, load_dataset
from mahc.cli.printing import say, say_json
from mahc.data import ReadSettings
from mahc.errors import SettingError
from mahc.graphs.pictures import check_picture_path
from mahc.measures import compare, compare_scores
from mahc.plurals import count
from mahc.scores import BIC
from mahc.sources import find_pair, find_scored_truth

if TYPE_CHECKING:
    from mahc.measures import Comparison, InterventionDistances, ScoreComparison


SOURCES = "a graph file, a result.json, a folder of `mahc learn` or `mahc sample`, a network file or name"
SVG_HELP = "Draw both graphs in one picture, with missing, extra and reversed edges marked: .svg, .png or .pdf."
DATA_HELP = "Data (or the sample asia) on which both graphs are scored, and their free parameters counted."
DISTANCES_HELP = (
    "Count the effects that the learned graph gets wrong: structural intervention distances (needs gadjid)."
)
MAX_ROWS = 200
DISTANCES = {"parent": "parents (SID)", "ancestor": "ancestors", "optimal": "the optimal set"}
SHOWN = (("f1", "F1"), ("precision", "precision"), ("recall", "recall"), ("shd", "SHD"), ("bsf", "BSF"))


def command(
    learned: Annotated[str, argument("LEARNED", f"The learned graph: {SOURCES}.")],
    true: Annotated[str, argument("TRUE", "The true graph, from the same places.")],
    /,
    *,
    as_: Annotated[
        str | None, option("--as", "KIND", "cpdag, pag or dag; what the true graph is if left out.", OUTPUT)
    ] = None,
    latent: Annotated[
        list[str] | None,
        option("--latent", "VARIABLE", "Variable of a true DAG that the data lacked; may be repeated.", DATA),
    ] = None,
    data: Annotated[Path | None, option("--data", "FILE", DATA_HELP, DATA)] = None,
    score: ScoreOption = "bic",
    score_settings: ScoreOptions = ScoreOptions(),
    distances: Annotated[bool, flag("--distances", DISTANCES_HELP, OUTPUT)] = False,
    svg: Annotated[Path | None, option("--svg", "FILE", SVG_HELP, OUTPUT)] = None,
    as_json: Annotated[bool, JSON] = False,
    networks: Annotated[Path | None, NETWORKS] = None,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Compare a learned graph with the true one: F1, SHD, BSF, every differing edge and, on data, the scores."""
    settings, chosen = reading.settings(), score_settings.make(score)
    if data is None and (chosen != BIC() or settings != ReadSettings()):
        raise SettingError("the options of a score and of reading need data: add --data FILE")
    if svg is not None:
        check_picture_path(svg)
    graphs = find_pair(learned, true, networks)
    result = compare(*graphs, as_, tuple(latent or ()))
    effects = result.distances() if distances else None
    scores = None
    if data is not None:
        truth = find_scored_truth(true, graphs[1], tuple(latent or ()))
        scores = compare_scores(graphs[0], truth, load_dataset(find_input(data), settings), chosen)
    if svg is not None:
        result.plot(f"{learned} against {true}, as {result.compared_as}").save(svg)
    if as_json:
        say_json(to_document(result, scores, effects), indent=2)
    else:
        say(*render_text(learned, true, result, scores, effects))


def render_text(
    learned: str,
    true: str,
    result: Comparison,
    scores: ScoreComparison | None,
    effects: InterventionDistances | None = None,
) -> list[str]:
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
    if effects is not None:
        lines += ["", *_effects(effects)]
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


def _effects(effects: InterventionDistances) -> list[str]:
    lines = [
        f"  Effects that the learned graph gets wrong, of {count(effects.pairs, 'ordered pair')}, by adjusting for"
    ]
    for name, words in DISTANCES.items():
        lines.append(f"    {words:<24} {getattr(effects, name):>6,}  ({effects.share(name):.1%})")
    return lines


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


def to_document(
    result: Comparison, scores: ScoreComparison | None, effects: InterventionDistances | None = None
) -> dict[str, object]:
    """For JSON, numbers in full; `scores` is there when data were given, `distances` when they were asked for."""
    document: dict[str, object] = {
        "compared_as": result.compared_as,
        "convention": result.convention,
        "measures": result.measures,
        "counts": asdict(result.counts),
        "differing": [{**asdict(edge), "kind": edge.kind, "difference": edge.difference} for edge in result.differing],
    }
    if effects is not None:
        document["distances"] = asdict(effects)
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
