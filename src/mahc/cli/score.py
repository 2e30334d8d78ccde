"""`mahc score`: how well a given graph explains the data, in total and family by family."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from mahc.cli.options import (
    DataArgument,
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
    from mahc.data import Dataset
    from mahc.scores import Score

SOURCES = "an arc list (CSV), JSON or other graph file, a result folder, a network file or name"


def command(
    data: DataArgument,
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help=f"The graph: {SOURCES}.", show_default=False)],
    score: Annotated[str, typer.Option(help="bic, aic, bdeu, fnml, qnml or loglik.")] = "bic",
    base: Annotated[str, typer.Option(help="Base of the logarithms: 2, e, 10 or a number above 1.")] = "2",
    ess: Annotated[float | None, typer.Option(help="Equivalent sample size of bdeu.", show_default=False)] = None,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Score GRAPH on DATA: the total, and the local score of each variable given its parents."""
    from mahc.cli.options import load_dataset, read_settings
    from mahc.cli.sources import find_data, parse_base
    from mahc.scores import make_score

    chosen = make_score(score, base=parse_base(base), equivalent_sample_size=ess)
    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    dataset = load_dataset(find_data(data), settings)
    parents = read_parents(graph, dataset)
    local = score_families(dataset, parents, chosen)
    render = render_json if as_json else render_text
    print(render(dataset, parents, local, chosen))


def read_parents(graph: str, dataset: Dataset) -> list[list[int]]:
    """The parents of each variable of the data; one that the graph does not name has none."""
    from mahc.cli.graph_sources import find_fitted
    from mahc.errors import GraphError
    from mahc.graphs import DAG

    found = find_fitted(graph)
    if not isinstance(found, DAG):
        odd = next(edge for edge in found.edges if edge.mark != "-->")
        raise GraphError(f"{graph}: a score needs a DAG, and the edge {' '.join(odd)} is no arc")
    positions = [dataset.index(name) for name in found.names]
    parents: list[list[int]] = [[] for _ in dataset.names]
    for v, chosen in zip(positions, found.parent_sets, strict=True):
        parents[v] = sorted((positions[p] for p in chosen), key=lambda p: dataset.names[p])
    return parents


def score_families(dataset: Dataset, parents: list[list[int]], score: Score) -> list[float]:
    """The local score of every variable, in the order of the data."""
    from mahc.engine import EngineRows, Families, RowScorer

    scorer = RowScorer(EngineRows(dataset), score)
    return [float(x) for x in scorer.score_families(Families.of(enumerate(parents)))]


def render_json(dataset: Dataset, parents: list[list[int]], local: list[float], score: Score) -> str:
    """One JSON object, numbers in full."""
    families = [
        {"variable": name, "parents": [dataset.names[p] for p in chosen], "local_score": value}
        for name, chosen, value in zip(dataset.names, parents, local, strict=True)
    ]
    document = {
        "score": score.name,
        **asdict(score),
        "size": dataset.size,
        "total": math.fsum(local),
        "families": families,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def render_text(dataset: Dataset, parents: list[list[int]], local: list[float], score: Score) -> str:
    """The total, then a line per variable."""
    # fsum rounds once, so the total does not depend on the order of the columns.
    total = f"total {math.fsum(local):.4f}  {score.describe()}"
    sizes = ((len(local), "variable"), (sum(map(len, parents)), "arc"), (dataset.size, "row"))
    shown = ", ".join(f"{n} {word}" + "s" * (n != 1) for n, word in sizes)
    width = max(map(len, dataset.names))
    lines = []
    for name, chosen, value in zip(dataset.names, parents, local, strict=True):
        given = " | " + ", ".join(dataset.names[p] for p in chosen) if chosen else ""
        lines.append(f"  {value:>16.4f}  {name.ljust(width) if chosen else name}{given}")
    return "\n".join([f"{total}; {shown}", "", *lines])
