"""`mahc replay`: do a saved run again on the same data and compare."""

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


def command(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="result.json, or the folder of `mahc learn --out`.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The data it was learnt from.")],
    threads: Annotated[int | None, typer.Option(help="Threads.", show_default="all processors")] = None,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
) -> None:
    """Learn again with the settings of a saved result and check that the graph is the same."""
    from mahc.cli.options import load_dataset, read_settings
    from mahc.cli.printing import say_sentence
    from mahc.cli.progress import progress_line
    from mahc.cli.sources import find_data, find_result
    from mahc.learning.settings import RunSettings
    from mahc.replay import replay
    from mahc.results.facts import count_edges, score_line

    saved = find_result(result)
    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    RunSettings(threads=threads)
    table = load_dataset(find_data(data), settings)
    with progress_line() as report:
        again = replay(saved, table, threads=threads, progress=report)
    say_sentence(f"The same graph: {count_edges(again)}, {score_line(again)}, in {again.seconds:.3g} s.")
