"""`mahc average`: one graph from many graph files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.consensus_view import deliver_consensus
from mahc.cli.options.algorithm_options import LeastOption, RuleOption, ThresholdOption, parse_threshold
from mahc.cli.options.groups import JSON, KNOWLEDGE, NETWORKS, OUTPUT, argument, option
from mahc.confidence import average
from mahc.errors import SettingError
from mahc.results.graph_sample import FILE, GraphSample
from mahc.sources import find_graph

SOURCES = (
    "Graphs over the same variables: graph files, result folders, network files or names; two or more. Or one folder "
    "of mahc posterior or mahc bootstrap, whose graphs are taken."
)


def command(
    *graphs: Annotated[str, argument("GRAPH", SOURCES)],
    least: LeastOption = None,
    threshold: ThresholdOption = None,
    rule: RuleOption = None,
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
    sample = _find_sample(graphs)
    if sample is None and len(graphs) < 2:
        raise SettingError("an average needs two graphs or more: name their files, or a folder of mahc posterior")
    found = [find_graph(word, networks) for word in graphs] if sample is None else sample
    made = average(found, least=least, threshold=parse_threshold(threshold), rule=rule, knowledge=knowledge)
    deliver_consensus(made, out, as_json, {})


def _find_sample(graphs: tuple[str, ...]) -> GraphSample | None:
    """The sample in the one folder or file that is named; None where there is none."""
    if len(graphs) != 1:
        return None
    path = Path(graphs[0])
    file = path / FILE if path.is_dir() else path
    return GraphSample.load(file) if file.name == FILE and file.exists() else None
