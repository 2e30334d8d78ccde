"""`mahc fit`: tables for a learnt graph, and the whole network as a file for other programs."""

from __future__ import annotations

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
from mahc.networks.files import check_writable, network_suffixes, write_network

if TYPE_CHECKING:
    from mahc.graphs import DAG, MixedGraph
    from mahc.networks.safe_names import Renamed


def command(
    result: Annotated[
        str,
        typer.Argument(metavar="RESULT", help="A graph file, result.json, or the folder of `mahc learn --out`."),
    ],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Data file, or the name of a shipped sample: asia.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"Network file: {', '.join(network_suffixes(writable=True))} (each may end in .gz).",
            show_default=False,
        ),
    ],
    ess: Annotated[
        float, typer.Option(help="Equivalent sample size of a Dirichlet prior; 0 is maximum likelihood.")
    ] = 0.0,
    safe_names: Annotated[
        bool, typer.Option("--safe-names", help="Replace names that the format cannot hold, and say which.")
    ] = False,
    missing: MissingOption = "error",
    missing_token: MissingTokenOption = None,
    weights: WeightsOption = None,
    discretise: DiscretiseOption = None,
    delimiter: DelimiterOption = None,
    quote: QuoteOption = None,
    drop: DropOption = None,
    keep_unused_states: KeepUnusedOption = False,
) -> None:
    """Fit the probability tables of a graph to data and write the network for inference elsewhere."""
    from mahc.cli.graph_sources import find_fitted
    from mahc.cli.options import load_dataset, read_settings
    from mahc.cli.sources import find_data
    from mahc.networks import fit
    from mahc.networks.safe_names import with_safe_names

    check_writable(out)
    dag = _directed(find_fitted(result))
    settings = read_settings(missing, missing_token, weights, discretise, delimiter, quote, drop, keep_unused_states)
    dataset = load_dataset(find_data(data), settings)
    network = fit(dag, dataset, ess, name=out.name.partition(".")[0])
    _tell_left_out([name for name in dataset.names if name not in dag.names])
    if safe_names:
        renamed = with_safe_names(network)
        network = renamed.network
        _tell(renamed)
    write_network(network, out)
    size = f"{len(network.names)} variables, {len(network.arcs)} arcs"
    print(f"{size}, {network.free_parameters:,} free parameters")
    print(f"Tables {network.origin}")
    print(f"Written to {out}")


def _directed(graph: DAG | MixedGraph) -> DAG:
    from mahc.errors import GraphError
    from mahc.graphs import DAG, cpdag_to_dag

    if isinstance(graph, DAG):
        return graph
    odd = next((edge for edge in graph.edges if edge.mark not in ("-->", "---")), None)
    if odd is not None:
        raise GraphError(f"the graph has the edge {' '.join(odd)}: tables are fitted to a DAG or a CPDAG only")
    dag = cpdag_to_dag(graph)
    print("mahc: the graph has undirected edges: the tables are those of one DAG of its class", file=sys.stderr)
    return dag


def _tell_left_out(names: list[str]) -> None:
    if names:
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
        print(f"mahc: columns that the graph does not have are no part of the network: {shown}", file=sys.stderr)


def _tell(renamed: Renamed) -> None:
    for old, new in renamed.variables:
        print(f"mahc: the variable '{old}' is written as {new}", file=sys.stderr)
    for variable, old, new in renamed.states:
        print(f"mahc: the state '{old}' of '{variable}' is written as {new}", file=sys.stderr)
