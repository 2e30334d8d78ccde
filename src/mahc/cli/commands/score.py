"""`mahc score`: how well a given graph explains the data, in total and family by family."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from mahc.cli.options.algorithm_options import ScoreOption, ScoreOptions
from mahc.cli.options.groups import JSON, argument
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, PiecesArgument, find_pieces_or_file, load_rows
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.data.dataset import describe_size
from mahc.errors import MahcError, SettingError
from mahc.files import exists
from mahc.graphs import DAG
from mahc.measures import ScoredGraph, score_graph
from mahc.measures.graph_score import require_dag
from mahc.opening import closing_opened
from mahc.plurals import count
from mahc.sources import find_directed, find_reading

SOURCES = "an arc list (CSV), JSON or other graph file, a result folder, a network file or name"
MAX_ROWS = 2000


def command(
    data: PiecesArgument,
    graph: Annotated[str, argument("GRAPH", f"The graph: {SOURCES}.")],
    /,
    *,
    score: ScoreOption = "bic",
    score_settings: ScoreOptions = ScoreOptions(),
    memory: MemoryOption = None,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Score GRAPH on DATA: the total, and the local score of each variable given its parents."""
    chosen = score_settings.make(score)
    dag, note = _find_dag(graph, data)
    if note is not None:
        tell(f"note: {note}")
    file = find_pieces_or_file(data, on)
    settings = reading.settings_like(find_reading(graph), file, dag.names)
    table = load_rows(file, settings, on, None, parse_memory(memory), kinds=chosen.columns, counts_only=True)
    with closing_opened(table):
        scored = score_graph(dag, table, chosen)
    if as_json:
        say_json(to_document(scored), indent=2)
    else:
        say(*render_text(scored))


def _find_dag(graph: str, data: Path) -> tuple[DAG, str | None]:
    """The graph; where the data are a graph instead, the refusal says in which order they are given."""
    try:
        found, note = find_directed(graph)
        return require_dag(found, graph), note
    except MahcError as mistake:
        try:
            swapped = exists(data) and exists(graph) and bool(find_directed(str(data)))
        except MahcError:
            swapped = False
        if not swapped:
            raise mistake from None
        raise SettingError(f"'{data}' is a graph: give the data first, mahc score DATA GRAPH") from None


def to_document(scored: ScoredGraph) -> dict[str, object]:
    """For JSON, numbers in full."""
    return {
        "score": scored.score.name,
        **asdict(scored.score),
        "size": scored.size,
        "total": scored.total,
        "families": [{**asdict(family), "parents": list(family.parents)} for family in scored.families],
    }


def render_text(scored: ScoredGraph) -> list[str]:
    """Lines: the total, then a line per variable, for at most `MAX_ROWS` of them."""
    families = scored.families
    total = f"total {scored.total:.4f}  {scored.score.describe()}"
    arcs = sum(len(family.parents) for family in families)
    sizes = (count(len(families), "variable"), count(arcs, "arc"), describe_size(scored.size, scored.unit))
    shown = ", ".join(sizes)
    listed = families[:MAX_ROWS]
    width = max(len(family.variable) for family in listed)
    lines = []
    for family in listed:
        given = " | " + ", ".join(family.parents) if family.parents else ""
        name = family.variable.ljust(width) if given else family.variable
        lines.append(f"  {family.local_score:>16.4f}  {name}{given}")
    if len(families) > MAX_ROWS:
        lines.append(f"  and {count(len(families) - MAX_ROWS, 'more variable')}; --json lists all")
    return [f"{total}; {shown}", "", *lines]
