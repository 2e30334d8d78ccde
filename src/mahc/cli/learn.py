"""`mahc learn`: from data to a graph, shown and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from mahc.knowledge.knowledge import Knowledge

PairsOption = list[str] | None


def command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A data file, or the name of a shipped sample: asia.")],
    algorithm: Annotated[str, typer.Option(help="mahc, hc, tabu, mmhc, saiyanh, exact, pc-stable or fci.")] = "mahc",
    score: Annotated[str, typer.Option(help="bic, aic, bdeu, fnml, qnml or loglik.")] = "bic",
    base: Annotated[str, typer.Option(help="Base of the score's logarithms: 2, e, 10 or a number above 1.")] = "2",
    ess: Annotated[float | None, typer.Option(help="Equivalent sample size of bdeu.", show_default=False)] = None,
    prune_in_degree: Annotated[int | None, typer.Option(help="Levels of pruning (M_P).", show_default="3")] = None,
    search_in_degree: Annotated[
        int | None, typer.Option(help="Most parents of a variable (M_S).", show_default="8; exact 3")
    ] = None,
    pruning: Annotated[
        bool | None, typer.Option("--pruning/--no-pruning", help="MAHC's pruning.", show_default=False)
    ] = None,
    averaging: Annotated[
        bool | None, typer.Option("--averaging/--no-averaging", help="MAHC's averaging.", show_default=False)
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Significance level of tests.", show_default="0.01; mmhc 0.05")
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(help="Test of pc-stable and fci: g2, x2 or mi.", show_default="pc-stable g2, fci x2"),
    ] = None,
    degrees_of_freedom: Annotated[
        str | None,
        typer.Option(
            help="Degrees of freedom of tests: adjusted (for empty cells) or plain.",
            show_default="adjusted; mmhc plain",
        ),
    ] = None,
    min_rows_per_df: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="Rows per degree of freedom without which pc-stable and fci call a pair independent.",
            show_default="0",
        ),
    ] = None,
    max_conditions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Most conditions of a test (anytime FCI).", show_default="any"),
    ] = None,
    require: Annotated[
        PairsOption,
        typer.Option(metavar="A,B", help="The arc A -> B must be there; may be repeated.", show_default=False),
    ] = None,
    require_edge: Annotated[
        PairsOption,
        typer.Option(metavar="A,B", help="A and B must be joined, the data say which way.", show_default=False),
    ] = None,
    forbid: Annotated[
        PairsOption, typer.Option(metavar="A,B", help="The arc A -> B must not be there.", show_default=False)
    ] = None,
    forbid_edge: Annotated[
        PairsOption, typer.Option(metavar="A,B", help="A and B must not be joined.", show_default=False)
    ] = None,
    knowledge: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Constraints: TOML, JSON, or Bayesys CSV; may be repeated.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(metavar="GRAPH", help="Start from this graph instead of the empty one.", show_default=False),
    ] = None,
    ties: Annotated[
        str, typer.Option(help="Order that breaks ties: data, or file-order to imitate other tools.")
    ] = "data",
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", help="Stop after S seconds with the best graph so far.", show_default=False),
    ] = None,
    step_limit: Annotated[int | None, typer.Option(help="Stop after so many steps.", show_default=False)] = None,
    threads: Annotated[int | None, typer.Option(help="Threads.", show_default="all processors")] = None,
    memory: Annotated[
        int | None, typer.Option(metavar="MIB", help="Memory that the search may use.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write graph.csv, graph.dot, graph.svg, result.json there.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
) -> None:
    """Learn a graph from data and show it, with the strength of every arc."""
    import time

    from mahc.cli.options import load_dataset, read_settings
    from mahc.cli.output import check_out, deliver
    from mahc.cli.progress import progress_line
    from mahc.cli.sources import find_data, parse_base, read_start, reading_words
    from mahc.learn import learn
    from mahc.learning.settings import RunSettings, check_use, choose

    # All that can be refused is refused before the data, which may be large, are read.
    given = {
        "prune_in_degree": prune_in_degree,
        "search_in_degree": search_in_degree,
        "pruning": pruning,
        "averaging": averaging,
        "alpha": alpha,
        "test": test,
        "degrees_of_freedom": degrees_of_freedom,
        "min_rows_per_df": min_rows_per_df,
        "max_conditions": max_conditions,
        "step_limit": step_limit,
        "memory_mebibytes": memory,
        "base": None if base == "2" else parse_base(base),
        "equivalent_sample_size": ess,
    }
    chosen, counted = choose(algorithm, score, {k: v for k, v in given.items() if v is not None})
    RunSettings(ties=ties, threads=threads, time_limit=time_limit)
    check_out(out)
    wish = _gather(require, require_edge, forbid, forbid_edge, knowledge)
    check_use(chosen, wish, start is not None)
    began = time.perf_counter()
    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    table = load_dataset(find_data(data), settings)
    load_seconds = time.perf_counter() - began
    with progress_line() as report:
        learned = learn(
            table,
            chosen,
            score=counted,
            knowledge=wish,
            start=read_start(start, table.names),
            ties=ties,
            time_limit=time_limit,
            threads=threads,
            progress=report,
        )
    reading = reading_words(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    deliver(learned, data, reading, out, load_seconds if as_json else None)


def _gather(
    require: PairsOption,
    require_edge: PairsOption,
    forbid: PairsOption,
    forbid_edge: PairsOption,
    files: list[Path] | None,
) -> Knowledge:
    from mahc.knowledge.knowledge import Knowledge
    from mahc.knowledge.knowledge_files import read_knowledge
    from mahc.knowledge.parsing import parse_pair

    def pairs(texts: PairsOption) -> tuple[tuple[str, str], ...]:
        return tuple(parse_pair(text) for text in texts or ())

    wish = Knowledge(
        required_arcs=pairs(require),
        required_edges=pairs(require_edge),
        forbidden_arcs=pairs(forbid),
        forbidden_edges=pairs(forbid_edge),
    )
    for file in files or ():
        wish = wish.merged(read_knowledge(file))
    return wish
