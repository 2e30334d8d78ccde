"""`mahc adjust`: the variables that must be held fixed to see the effect of one variable on another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import DATA, JSON, NETWORKS, OUTPUT, argument, flag, option
from mahc.cli.printing import say, say_json
from mahc.graphs import DAG
from mahc.graphs.adjustment.sets import LISTED, find_adjustment_sets
from mahc.sources import find_graph, find_result, is_result


def command(
    graph: Annotated[str, argument("GRAPH", "A graph or network file, a result folder, or a network's name.", DATA)],
    cause: Annotated[str, argument("CAUSE", "The variable that is set.", DATA)],
    target: Annotated[str, argument("TARGET", "The variable on which the effect is.", DATA)],
    /,
    *,
    unmeasured: Annotated[
        list[str] | None,
        option("--unmeasured", "VARIABLE", "Variable of the graph that was not measured; may be repeated.", DATA),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        option("--exclude", "VARIABLE", "Measured variable that is not to be used; may be repeated.", DATA),
    ] = None,
    hidden: Annotated[
        bool, flag("--hidden", "A graph of arcs alone is a MAG: hidden common causes are possible.", DATA)
    ] = False,
    limit: Annotated[int, option("--limit", "N", "The most sets that are listed.", OUTPUT)] = LISTED,
    networks: Annotated[Path | None, NETWORKS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """List the sets of variables to adjust for, so that data show the effect of CAUSE on TARGET, or say why none is.

    A set is valid in every DAG that GRAPH stands for: of a result, all DAGs that the data cannot distinguish from the
    learned one, given the knowledge; of a PAG, all MAGs. Front-door sets and instruments are for DAGs.
    """
    found = find_result(graph).pattern if is_result(graph) else find_graph(graph, networks)
    mixed = found.to_mixed() if isinstance(found, DAG) else found
    answer = find_adjustment_sets(
        mixed, cause, target, unmeasured or (), exclude or (), limit, hidden=True if hidden else None
    )
    if as_json:
        say_json(answer.to_dict(), indent=2)
    else:
        say(*answer.lines())
