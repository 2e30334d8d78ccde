"""`mahc average`: one graph from many graph files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.consensus_view import deliver_consensus
from mahc.cli.options.algorithm_options import LeastOption, ThresholdOption, parse_threshold
from mahc.cli.options.groups import JSON, KNOWLEDGE, NETWORKS, OUTPUT, argument, option
from mahc.confidence import average
from mahc.errors import SettingError
from mahc.sources import find_graph

SOURCES = "Graphs over the same variables: graph files, result folders, network files or names; two or more."


def command(
    *graphs: Annotated[str, argument("GRAPH", SOURCES)],
    least: LeastOption = None,
    threshold: ThresholdOption = None,
    knowledge: Annotated[
        Path | None, option("--knowledge", "FILE", "Constraints that the consensus obeys.", KNOWLEDGE)
    ] = None,
    networks: Annotated[Path | None, NETWORKS] = None,
    out: Annotated[
        Path | None, option("--out", "FILE", "Write the graph there; the suffix selects the format.", OUTPUT)
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Make one graph of the edges that enough graphs have, with the directions that most of them have."""
    if len(graphs) < 2:
        raise SettingError("an average needs two graphs or more: name their files")
    found = [find_graph(word, networks) for word in graphs]
    made = average(found, least=least, threshold=parse_threshold(threshold), knowledge=knowledge)
    deliver_consensus(made, out, as_json, {})
