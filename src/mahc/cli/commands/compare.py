"""`mahc compare`: a learned graph against the true one, in numbers and edge by edge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.compare_view import render_text, to_document
from mahc.cli.options.groups import DATA, JSON, NETWORKS, OUTPUT, argument, option
from mahc.cli.options.reading_options import ReadingOptions, find_input, load_dataset
from mahc.cli.options.score_options import ScoreOption, ScoreOptions
from mahc.cli.printing import say, say_json
from mahc.data import ReadSettings
from mahc.errors import SettingError
from mahc.graphs.pictures import check_svg_path
from mahc.measures import compare, compare_scores
from mahc.scores import BIC
from mahc.sources import find_pair, find_scored_truth

SOURCES = "a graph file, a result.json, a folder of `mahc learn` or `mahc sample`, a network file or name"
SVG_HELP = "Draw both graphs in one picture, with missing, extra and reversed edges marked."
DATA_HELP = "Data (or the sample asia) on which both graphs are scored, and their free parameters counted."


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
        check_svg_path(svg)
    graphs = find_pair(learned, true, networks)
    result = compare(*graphs, as_, tuple(latent or ()))
    scores = None
    if data is not None:
        truth = find_scored_truth(true, graphs[1], tuple(latent or ()))
        scores = compare_scores(graphs[0], truth, load_dataset(find_input(data), settings), chosen)
    if svg is not None:
        result.plot(f"{learned} against {true}, as {result.compared_as}").save(svg)
    if as_json:
        say_json(to_document(result, scores), indent=2)
    else:
        say(*render_text(learned, true, result, scores))
