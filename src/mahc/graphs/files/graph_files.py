"""Reading and writing graph files; the suffix selects the format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mahc.errors import FormatError
from mahc.files import read_bounded, to_path, write_atomically
from mahc.graphs.dag import DAG
from mahc.graphs.files.graph_format import GRAPH_FORMATS, EdgeAttributes, Graph, GraphFormat
from mahc.graphs.taking import take_graph

MAX_BYTES = 2**25


def read_graph(path: str | Path, format: str | None = None, names: Sequence[str] | None = None) -> Graph:
    """Read the graph in a file.

    Parameters
    ----------
    path : str or path
        The file.
    format : str, optional
        The name of the format; the suffix selects it if left out.
    names : list of str, optional
        The variables. Another name in the file is then an error, and unconnected variables need not be in the file.

    Returns
    -------
    DAG or MixedGraph
        A DAG if all edges are arcs.

    Raises
    ------
    FormatError
        If the file is not in its format.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "graph.csv"
    ...     _ = file.write_text("from,to,mark\\na,b,---\\nb,c,---\\n")
    ...     read_graph(file, names=["a", "b", "c", "d"])
    MixedGraph(4 variables, 2 edges: a --- b, b --- c)
    """
    file = to_path(path)
    candidates = [_format_named(format)] if format else _formats_of(file)
    text = _read_text(file)
    if len(candidates) == 1:
        return candidates[0].parse(text, file, names)
    for candidate in candidates:
        if candidate.recognises(text):
            return candidate.parse(text, file, names)
    titles = "; ".join(candidate.title for candidate in candidates)
    raise FormatError(f"the beginning of the file matches none of the {file.suffix} graph formats: {titles}", file, 1)


def read_dag(path: str | Path, format: str | None = None, names: Sequence[str] | None = None) -> DAG:
    """Read the DAG in a file.

    Parameters
    ----------
    path : str or path
        The file.
    format : str, optional
        The name of the format; the suffix selects it if left out.
    names : list of str, optional
        The variables, as in `read_graph`.

    Returns
    -------
    DAG
        The graph.

    Raises
    ------
    FormatError
        If the file is not in its format, or an edge is not an arc.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "graph.csv"
    ...     _ = file.write_text("from,to\\nsmoke,lung\\nsmoke,bronc\\n")
    ...     read_dag(file)
    DAG(3 variables, 2 arcs: smoke -> bronc, smoke -> lung)
    """
    graph = read_graph(path, format, names)
    if isinstance(graph, DAG):
        return graph
    odd = next(edge for edge in graph.edges if edge.mark != "-->")
    raise FormatError(f"a DAG is needed, but the edge {' '.join(odd)} is not an arc", path)


def write_graph(
    graph: Graph, path: str | Path, format: str | None = None, attributes: EdgeAttributes | None = None
) -> None:
    """Write a graph to a file, all of it or nothing.

    Parameters
    ----------
    graph : DAG or MixedGraph
        The graph.
    path : str or path
        The file; an existing one is replaced.
    format : str, optional
        The name of the format; the suffix selects it if left out.
    attributes : dict, optional
        For the two variables of an edge, what is known of it, such as its strength; CSV, DOT and GraphML hold that.
        `Learned.write_graph` gives them.

    Returns
    -------
    None
        The file is written.

    Raises
    ------
    MahcError
        If the format cannot hold a name of the graph, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_graph(DAG(["a", "b"], [("a", "b")]), Path(folder) / "graph.csv")
    ...     (Path(folder) / "graph.csv").read_text()
    'from,to\\na,b\\n'
    """
    graph = take_graph(graph)
    file = to_path(path)
    chosen = _format_named(format) if format else _formats_of(file)[0]
    try:
        text = _render(graph, chosen, attributes or {})
    except FormatError as mistake:
        raise FormatError(str(mistake), file) from None
    write_atomically(file, text)


def format_graph(graph: Graph, format: str, attributes: EdgeAttributes | None = None) -> str:
    """Return the text of a graph in a format.

    Parameters
    ----------
    graph : DAG or MixedGraph
        The graph.
    format : str
        The name of the format, or its suffix without the dot.
    attributes : dict, optional
        For the two variables of an edge, what is known of it, such as its strength.

    Returns
    -------
    str
        The text.

    Raises
    ------
    MahcError
        If there is no such format, or it cannot hold a name of the graph.

    Examples
    --------
    >>> print(format_graph(DAG(["a", "b"], [("a", "b")]), "csv"), end="")
    from,to
    a,b
    >>> known = {frozenset("ab"): {"strength": 12.5, "reversible": True}}
    >>> print(format_graph(DAG(["a", "b"], [("a", "b")]), "csv", known), end="")
    from,to,strength,reversible
    a,b,12.5,true
    """
    graph = take_graph(graph)
    return _render(graph, _format_named(format), attributes or {})


def graph_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the graph formats, sorted.

    Returns
    -------
    tuple of str
        The suffixes, with their dots.

    Examples
    --------
    >>> graph_suffixes()
    ('.csv', '.dagitty', '.dot', '.graphml', '.gv', '.json', '.tetrad', '.txt')
    """
    return tuple(sorted({suffix for name in GRAPH_FORMATS for suffix in GRAPH_FORMATS[name].suffixes}))


def _format_named(name: str) -> GraphFormat:
    owner = next((other for other in GRAPH_FORMATS if f".{name}" in GRAPH_FORMATS[other].suffixes), name)
    return GRAPH_FORMATS[name if name in GRAPH_FORMATS else owner]()


def _formats_of(file: Path) -> list[GraphFormat]:
    # The format that owns the suffix, then others that also use it.
    suffix = file.suffix.lower()
    found = [GRAPH_FORMATS[name]() for name in GRAPH_FORMATS if suffix in GRAPH_FORMATS[name].suffixes]
    found += [GRAPH_FORMATS[name]() for name in GRAPH_FORMATS if suffix in GRAPH_FORMATS[name].also_read]
    if not found:
        shown = f"suffix '{file.suffix}'" if file.suffix else "name without a suffix"
        raise FormatError(f"the {shown} is not a graph format: use one of {', '.join(graph_suffixes())}", file)
    return found


def _render(graph: Graph, chosen: GraphFormat, attributes: EdgeAttributes) -> str:
    seen: dict[str, str] = {}
    for name in graph.names:
        other = seen.setdefault(name.strip(), name)
        if other != name:
            raise FormatError(f"the names {other!r} and {name!r} differ only in spaces around them")
    return chosen.render_with(graph, attributes)


def _read_text(file: Path) -> str:
    try:
        content = read_bounded(file, MAX_BYTES)
    except OSError as problem:
        raise FormatError(f"the file cannot be read: {problem.strerror}", file) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as mistake:
        line = content.count(b"\n", 0, mistake.start) + 1
        raise FormatError("the text is not UTF-8: save it as UTF-8", file, line) from None
