"""`mahc compare`: a learnt graph against the true one, in numbers and edge by edge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mahc.cli.options import (
    DelimiterOption,
    DiscretiseOption,
    DropOption,
    KeepUnusedOption,
    MissingOption,
    MissingTokenOption,
    QuoteOption,
    WeightsOption,
)

SOURCES = "a graph file, a result.json, a folder of `mahc learn` or `mahc sample`, a network file or name"


def command(
    learnt: Annotated[str, typer.Argument(metavar="LEARNT", help=f"The learnt graph: {SOURCES}.")],
    true: Annotated[str, typer.Argument(metavar="TRUE", help="The true graph, from the same places.")],
    as_: Annotated[
        str | None,
        typer.Option("--as", help="cpdag, pag or dag; left out, what the true graph is.", show_default=False),
    ] = None,
    latent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIABLE",
            help="Variable of a true DAG that the data lacked; may be repeated.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Data (or the sample asia) on which both graphs are scored, and their free parameters counted.",
            show_default=False,
        ),
    ] = None,
    score: Annotated[str, typer.Option(help="With --data: bic, aic, bdeu, fnml, qnml or loglik.")] = "bic",
    base: Annotated[str, typer.Option(help="Base of the score's logarithms: 2, e, 10 or a number above 1.")] = "2",
    ess: Annotated[float | None, typer.Option(help="Equivalent sample size of bdeu.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    networks: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with more networks; otherwise the one in $MAHC_NETWORKS.",
            show_default=False,
        ),
    ] = None,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
) -> None:
    """Compare a learnt graph with the true one: F1, SHD, BSF, every differing edge and, on data, the scores."""
    from mahc.cli.compare_view import render_json, render_text
    from mahc.cli.graph_sources import find_pair, find_scored_truth
    from mahc.cli.options import load_dataset, read_settings
    from mahc.cli.sources import find_data, parse_base
    from mahc.errors import SettingError
    from mahc.measures import compare, compare_scores
    from mahc.scores import make_score

    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    chosen = make_score(score, base=parse_base(base), equivalent_sample_size=ess)
    if data is None and (chosen != make_score("bic") or settings != read_settings()):
        raise SettingError("the options of a score and of reading need data: add --data FILE")
    graphs = find_pair(learnt, true, networks)
    result = compare(*graphs, as_, tuple(latent or ()))
    scores = None
    if data is not None:
        truth = find_scored_truth(true, graphs[1], tuple(latent or ()))
        scores = compare_scores(graphs[0], truth, load_dataset(find_data(data), settings), chosen)
    print(render_json(result, scores) if as_json else render_text(learnt, true, result, scores))
