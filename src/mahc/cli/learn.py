"""`mahc learn`: from data to a graph, shown and written."""

from __future__ import annotations

import json
import sys
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
    from mahc.search.knowledge import Knowledge
    from mahc.search.learned import Learned

PairsOption = list[str] | None


def command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A data file, or the name of a shipped sample: asia.")],
    algorithm: Annotated[str, typer.Option(help="mahc, hc or tabu.")] = "mahc",
    score: Annotated[str, typer.Option(help="bic, aic, bdeu, fnml, qnml or loglik.")] = "bic",
    base: Annotated[str, typer.Option(help="Base of the score's logarithms: 2, e, 10 or a number above 1.")] = "2",
    ess: Annotated[float | None, typer.Option(help="Equivalent sample size of bdeu.", show_default=False)] = None,
    prune_in_degree: Annotated[
        int | None, typer.Option(help="Levels of pruning (M_P) [default: 3].", show_default=False)
    ] = None,
    search_in_degree: Annotated[
        int | None, typer.Option(help="Most parents of a variable (M_S) [default: 8].", show_default=False)
    ] = None,
    pruning: Annotated[
        bool | None, typer.Option("--pruning/--no-pruning", help="MAHC's pruning.", show_default=False)
    ] = None,
    averaging: Annotated[
        bool | None, typer.Option("--averaging/--no-averaging", help="MAHC's averaging.", show_default=False)
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
    threads: Annotated[int | None, typer.Option(help="Threads [default: all processors].", show_default=False)] = None,
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
    from mahc.cli.progress import progress_line
    from mahc.cli.sources import find_data, parse_base, read_start
    from mahc.search.learn import learn

    if out is not None:
        _check_out(out)
    wish = _gather(require, require_edge, forbid, forbid_edge, knowledge)
    began = time.perf_counter()
    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    table = load_dataset(find_data(data), settings)
    load_seconds = time.perf_counter() - began
    with progress_line() as report:
        learned = learn(
            table,
            algorithm,
            score=score,
            base=parse_base(base),
            equivalent_sample_size=ess,
            prune_in_degree=prune_in_degree,
            search_in_degree=search_in_degree,
            pruning=pruning,
            averaging=averaging,
            knowledge=wish,
            start=read_start(start, table.names),
            ties=ties,
            time_limit=time_limit,
            step_limit=step_limit,
            threads=threads,
            memory_mebibytes=memory,
            progress=report,
        )
    if out is not None:
        _write(learned, out)
    if as_json:
        _print_json(learned, load_seconds)
    else:
        _show(learned, data, out)


def _gather(
    require: PairsOption,
    require_edge: PairsOption,
    forbid: PairsOption,
    forbid_edge: PairsOption,
    files: list[Path] | None,
) -> Knowledge:
    from mahc.search.knowledge import Knowledge
    from mahc.search.knowledge_files import read_knowledge
    from mahc.search.wording import parse_pair

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


def _check_out(out: Path) -> None:
    from mahc.errors import SettingError

    if out.exists() and not out.is_dir():
        raise SettingError(f"--out {out} is a file: give a folder, it is made where absent")


def _write(learned: Learned, out: Path) -> None:
    from mahc.formats import format_graph
    from mahc.formats.atomic import write_all
    from mahc.report.svg import svg
    from mahc.search.learned_json import learned_to_dict

    write_all(
        out,
        {
            "graph.csv": format_graph(learned.dag, "csv"),
            "graph.dot": format_graph(learned.dag, "dot"),
            "graph.svg": svg(learned.dag),
            "result.json": json.dumps(learned_to_dict(learned), allow_nan=False) + "\n",
        },
    )


def _print_json(learned: Learned, load_seconds: float) -> None:
    from mahc.search.learned_json import summary_to_dict

    found = summary_to_dict(learned)
    found["load_seconds"] = load_seconds
    found["peak_memory_mb"] = peak_memory()
    print(json.dumps(found, allow_nan=False))


def peak_memory() -> float | None:
    """The most memory this process has held, in MB; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)


def _show(learned: Learned, data: Path, out: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from mahc.report.summary import facts, learned_table

    console = Console()
    console.print(f"[bold]{learned.algorithm.upper()}[/bold] learnt from {data}", highlight=False)
    grid = Table.grid(padding=(0, 2))
    for label, text in facts(learned):
        grid.add_row(f"[dim]{label}[/dim]", text)
    console.print(grid, highlight=False)
    console.print()
    if learned.arcs:
        console.print(learned_table(learned), highlight=False)
    else:
        console.print("No arc improves the score: the variables look independent.")
    console.print()
    if out is None:
        console.print(
            f"Next: mahc learn {data} --out DIR   writes graph.csv, graph.dot, graph.svg, result.json",
            highlight=False,
        )
        return
    console.print(f"Written to {out}: graph.csv, graph.dot, graph.svg, result.json", highlight=False)
    tail, head = (
        learned.arcs[0] if learned.arcs else learned.variables[:2] if len(learned.variables) > 1 else ("A", "B")
    )
    console.print(f"Next: mahc explain {out} {head} {tail}   says why an arc is in or out", highlight=False)
    console.print(f"      mahc replay {out} {data}   learns it again and compares", highlight=False)
