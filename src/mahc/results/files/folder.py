"""A result as a folder of files: the graph as arcs, DOT, GraphML and a picture, and everything about the run."""

from __future__ import annotations

import json
from contextlib import suppress
from os import PathLike

from mahc.errors import FormatError
from mahc.files import to_path, write_all
from mahc.graphs.files import format_graph
from mahc.results.edge_records import edge_attributes
from mahc.results.files.confidence_json import confidence_to_dict
from mahc.results.files.learned_json import learned_to_dict
from mahc.results.learned import Learned

FILES = ("graph.csv", "graph.dot", "graph.graphml", "graph.svg", "result.json")
CONFIDENCE_FILES = ("confidence.csv", "confidence.json")
MAX_EDGES_DRAWN = 20_000  # more cannot be told apart in a picture


def write_result(learned: Learned, folder: str | PathLike[str]) -> None:
    """Write all files of a result, or none of them.

    Parameters
    ----------
    learned : Learned
        What `mahc.learn` returned.
    folder : str or path
        The folder, made where absent; files of an earlier result in it are replaced. Where the result has a
        confidence, confidence.csv (the frequencies of all pairs) and confidence.json are written too.
        graph.graphml is left out where XML cannot hold a name, graph.svg where the graph has more than 20,000 edges.

    Returns
    -------
    None
        The files are in the folder.

    Raises
    ------
    MahcError
        Where the folder cannot be written.

    Examples
    --------
    >>> import mahc, tempfile
    >>> from pathlib import Path
    >>> learned = mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_result(learned, folder)
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['graph.csv', 'graph.dot', 'graph.graphml', 'graph.svg', 'result.json']
    """
    place, known = to_path(folder), edge_attributes(learned)
    contents = {f"graph.{suffix}": format_graph(learned.graph, suffix, known) for suffix in ("csv", "dot")}
    with suppress(FormatError):
        contents["graph.graphml"] = format_graph(learned.graph, "graphml", known)
    if learned.details.edge_number <= MAX_EDGES_DRAWN:
        contents["graph.svg"] = f"{learned.plot().svg}\n"
    contents["result.json"] = json.dumps(learned_to_dict(learned), allow_nan=False) + "\n"
    if learned.confidence is not None:
        document = confidence_to_dict(learned.confidence)
        contents["confidence.csv"] = learned.confidence.to_frame().write_csv()
        contents["confidence.json"] = json.dumps(document, allow_nan=False) + "\n"
    write_all(place, contents)
    for name in (*FILES, *CONFIDENCE_FILES):
        if name not in contents:  # of an earlier result: it would be taken for this one's
            (place / name).unlink(missing_ok=True)
