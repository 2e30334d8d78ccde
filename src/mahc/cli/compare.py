"""`mahc compare`: a learnt graph against the true one, in numbers and edge by edge."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mahc.measures import Comparison

SOURCES = "a graph file, a result.json, a folder of `mahc learn` or `mahc sample`, a network file or name"
SHOWN = (("f1", "F1"), ("precision", "precision"), ("recall", "recall"), ("shd", "SHD"), ("bsf", "BSF"))


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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    networks: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with more networks; otherwise the one in $MAHC_NETWORKS.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Compare a learnt graph with the true one: precision, recall, F1, SHD, BSF and every differing edge."""
    from mahc.cli.graph_sources import find_pair
    from mahc.measures import compare

    result = compare(*find_pair(learnt, true, networks), as_, tuple(latent or ()))
    if as_json:
        print(json.dumps(_document(result), indent=2, ensure_ascii=False))
        return
    counts = result.counts
    print(f"{learnt} ({counts.learnt} edges) against {true} ({counts.present} edges), as {result.compared_as}")
    print()
    for name, title in SHOWN:
        value = result[name]
        print(f"  {title:<10} {value:g}" if name == "shd" else f"  {title:<10} {value:.3f}")
    print()
    print(
        f"  {counts.matched} matched, {counts.partial} with other marks, {counts.missing} missing, {counts.extra} extra"
    )
    width = shutil.get_terminal_size().columns
    print(textwrap.fill(result.convention, width, initial_indent="  ", subsequent_indent="  "))
    if result.differing:
        print()
        print(_edges(result))


def _edges(result: Comparison) -> str:
    rows = [("true", "learnt", "rule", "penalty")]
    for edge in result.differing:
        rows.append((edge.true or "no edge", edge.learnt or "no edge", str(edge.rule), f"{edge.penalty:g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        left = "  ".join(cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True))
        lines.append(f"  {left}  {row[2].rjust(widths[2])}  {row[3].rjust(widths[3])}")
    return "\n".join(lines)


def _document(result: Comparison) -> dict[str, object]:
    return {
        "compared_as": result.compared_as,
        "convention": result.convention,
        "measures": result.measures,
        "counts": asdict(result.counts),
        "differing": [{**asdict(edge), "kind": edge.kind} for edge in result.differing],
    }
