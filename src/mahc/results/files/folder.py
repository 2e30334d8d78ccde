"""A result as a folder of files: the graph as arcs, as DOT, as a picture, and everything about the run."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from mahc.files import write_all
from mahc.graphs.files import format_graph
from mahc.graphs.pictures import PICTURES
from mahc.results.files.confidence_json import confidence_to_dict
from mahc.results.files.learned_json import learned_to_dict
from mahc.results.learned import Learned

FILES = ("graph.csv", "graph.dot", "graph.svg", "result.json")
CONFIDENCE_FILES = ("confidence.csv", "confidence.json")


def write_result(learned: Learned, folder: str | PathLike[str]) -> None:
    """Write all files of a result, or none of them.

    Parameters
    ----------
    learned : Learned
        What `mahc.learn` returned.
    folder : str or path
        The folder, made where absent; files of an earlier result in it are replaced. Where the result has a
        confidence, confidence.csv (the frequencies of all pairs) and confidence.json are written too.

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
    >>> learned = mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_result(learned, folder)
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['graph.csv', 'graph.dot', 'graph.svg', 'result.json']
    """
    texts = (
        format_graph(learned.graph, "csv"),
        format_graph(learned.graph, "dot"),
        f"{PICTURES['svg_or_note'](learned.graph)}\n",
        json.dumps(learned_to_dict(learned), allow_nan=False) + "\n",
    )
    contents = dict(zip(FILES, texts, strict=True))
    if learned.confidence is not None:
        document = confidence_to_dict(learned.confidence)
        contents["confidence.csv"] = learned.confidence.to_frame().write_csv()
        contents["confidence.json"] = json.dumps(document, allow_nan=False) + "\n"
    write_all(Path(folder), contents)
    if learned.confidence is None:
        for name in CONFIDENCE_FILES:  # of an earlier result: they would be taken for this one's
            (Path(folder) / name).unlink(missing_ok=True)
