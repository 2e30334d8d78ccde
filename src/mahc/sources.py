"""Where graphs, data and results come from: a file, a folder that mahc wrote, or the name of something shipped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.documents import from_plain
from mahc.errors import FormatError, GraphError, MahcError, Mention, SettingError, UnknownNameError
from mahc.files import Address, exists, find_address, is_file, is_folder, read_bounded_text

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.data.reading_record import ReadingRecord
    from mahc.engine.counts import TableSource
    from mahc.graphs import DAG, MixedGraph
    from mahc.results.learned import Learned

MAX_BYTES = 2**30  # of a result or a manifest
MAX_HEADER = 1 << 16


def find_data(data: str | Path | Address) -> Path | Address:
    """The file, the address in a store, or the shipped sample where there is no such file and the name is one.

    >>> find_data("asia").name
    'asia.csv'
    """
    address = find_address(data)
    if address is not None:
        return address
    path = Path(data)  # type: ignore[arg-type]
    if exists(path) or path.suffix or len(path.parts) != 1:
        return path
    from mahc.networks import sample_path

    try:
        return sample_path(str(path))
    except UnknownNameError as problem:
        raise SettingError(f"there is no file '{path}', and {problem}") from None


def find_result(result: str | PathLike[str]) -> Learned:
    """A result.json, or the folder that holds one."""
    from mahc.results.learned import Learned

    path = Path(result)
    file = path / "result.json" if is_folder(path) else path
    stamp = _stamp(file)
    if stamp is None:
        return Learned.load(file)  # refuses it
    found = _RESULTS.get(stamp)
    if found is None:
        found = Learned.load(file)
        _RESULTS.clear()
        _RESULTS[stamp] = found
    return found


def find_reading(word: str | Path) -> ReadingRecord | None:
    """How the data of a result were read; None where the word names another graph, or the result does not say."""
    path = Path(word) / "result.json" if is_folder(word) else Path(word)
    if not is_result(path):
        return None
    found = _load_json(path).get("reading")
    if found is None:
        return None
    from mahc.results.files import RESULT
    from mahc.results.records import SavedReading

    with RESULT.refusing_damage(path):
        record: SavedReading = from_plain(found, SavedReading)
        return record


def find_graph(word: str | Path, networks: str | Path | None = None) -> DAG | MixedGraph:
    """Find a graph by a word that names it.

    Parameters
    ----------
    word : str or path
        A graph file, a network file, a result.json, a folder of `mahc learn` or `mahc sample`, or the name of a
        network.
    networks : str or path, optional
        Folder with more networks; otherwise the one in $MAHC_NETWORKS.

    Returns
    -------
    DAG or MixedGraph
        Of a sample's folder the pattern (CPDAG or PAG) that data can show; of a result what was learned.

    Raises
    ------
    MahcError
        Where there is no such file or network, or the file holds no graph.

    Examples
    --------
    >>> len(find_graph("asia").arcs)
    8
    """
    path = Path(word)
    if is_folder(path):
        return _from_folder(path)
    if not exists(path) and not path.suffix and len(path.parts) == 1:
        from mahc.networks import load_network

        try:
            return load_network(str(word), None if networks is None else Path(networks)).dag
        except UnknownNameError as mistake:
            raise SettingError(f"there is no file '{word}', and {mistake}") from None
    return _from_file(path)


def find_directed(word: str) -> tuple[DAG | MixedGraph, str | None]:
    """As `find_graph`; of a result whose graph is a CPDAG or PAG the DAG that fits it, with a note that says so.

    Where the result says that none fits, it is refused with the reason.
    """
    path = Path(word) / "result.json" if is_folder(word) else Path(word)
    content = _load_json(path) if path.suffix == ".json" and is_file(path) else {}
    if content.get("kind") in ("CPDAG", "PAG") and content.get("extension", ()) is None:
        from mahc.results.files import load_learned

        raise GraphError(f"{word}: {load_learned(path).without_dag}")
    if not isinstance(content.get("extension"), list):
        return find_graph(word), None
    note = f"the result is a {content.get('kind')}: taken is a DAG that fits it"
    return _build(path, {"variables": content.get("variables"), "arcs": content["extension"]}), note


def find_names(word: str | Path) -> tuple[str, ...]:
    """The variables of a graph or result."""
    path = Path(word)
    if is_folder(path) or is_result(path):
        return find_result(path).variables
    return find_graph(path).names


def find_model(
    word: str, data: Dataset | TableSource | None, prior: float = 1.0, missing: str = "error"
) -> tuple[Any, str | None]:
    """The model of a network file or name; or of a result or graph, fitted to the data: a `Model` or a `MixedModel`.

    With `missing` "em", expectation-maximisation fills in what is missing in the data. The second value is a note about
    the choice of a DAG, where there was one.
    """
    from mahc.inference import Model
    from mahc.networks.fitting import refuse_bad_prior

    refuse_bad_prior(prior)  # also where a network has its tables
    path = Path(word)
    if is_folder(path) or is_result(path):
        if data is None:
            raise SettingError(f"{word} is a graph without tables: give the data to fit them to with ", Mention("data"))
        learned = find_result(path)
        note = (
            None if learned.kind == "DAG" else f"the result is a {learned.kind}: the tables are those of one DAG of it"
        )
        return learned.fit(data, prior=prior, missing=missing), note
    if _has_tables(path):
        if data is not None:
            raise SettingError(f"{word} is a network with tables: leave out ", Mention("data"))
        return Model.load(word), None
    graph = find_graph(path)
    if data is None:
        raise SettingError(f"{word} is a graph without tables: give the data to fit them to with ", Mention("data"))
    return _fit_graph(graph, data, prior, missing)


def _fit_graph(
    graph: DAG | MixedGraph, data: Dataset | TableSource, prior: float, missing: str
) -> tuple[Any, str | None]:
    from mahc.graphs import DAG, cpdag_to_dag
    from mahc.inference.fitting import fit_model

    if isinstance(graph, DAG):
        return fit_model(graph, data, prior=prior, missing=missing), None
    odd = next((edge for edge in graph.edges if edge.mark not in ("-->", "---")), None)
    if odd is not None:
        raise GraphError(f"the graph has the edge {' '.join(odd)}: tables are fitted to a DAG or a CPDAG only")
    note = "the graph has undirected edges: the tables are those of one DAG of its class"
    return fit_model(cpdag_to_dag(graph), data, prior=prior, pattern=graph, missing=missing), note


def is_result(word: str | PathLike[str]) -> bool:
    """Whether a word names a result.json or the folder of one."""
    path = Path(word)
    if is_folder(path):
        path /= "result.json"
    if path.suffix != ".json" or not is_file(path):
        return False
    content = _load_json(path)
    return "algorithm" in content and isinstance(content.get("variables"), list)


def _has_tables(path: Path) -> bool:
    """Whether a word names a network: a file of a network format, or a name alone."""
    from mahc.graphs.files import graph_suffixes
    from mahc.inference.model_json import MIXED_NAME, MODEL
    from mahc.networks.files import is_network_file, network_suffix

    if not exists(path) and not path.suffix and len(path.parts) == 1:
        return True
    suffix = network_suffix(path)
    if not is_network_file(path):
        return False
    if suffix == ".json" and is_file(path):
        content = _load_json(path)
        if content.get("format") in (MODEL.name, MIXED_NAME):
            return True
        variables = content.get("variables")
        return isinstance(variables, list) and bool(variables) and isinstance(variables[0], dict)
    return suffix.removesuffix(".gz") not in graph_suffixes() or suffix.endswith(".gz")


def find_pair(learned: str, true: str, networks: Path | None) -> tuple[DAG | MixedGraph, DAG | MixedGraph]:
    """Two graphs to compare; what a Bayesys list cannot name, variables without edges, is added from the other."""
    found = find_graph(learned, networks), find_graph(true, networks)
    return (
        _complete(found[0], found[1]) if _omits_lone(learned) else found[0],
        _complete(found[1], found[0]) if _omits_lone(true) else found[1],
    )


def find_scored_truth(word: str, true: DAG | MixedGraph, latent: Sequence[str]) -> DAG | MixedGraph:
    """What a true graph is scored as: where variables are latent its MAG, which cannot be computed from a PAG alone."""
    from mahc.graphs import DAG, dag_to_mag

    manifest = Path(word) / "manifest.json"
    if isinstance(true, DAG):
        return dag_to_mag(true, latent) if latent else true
    if not is_file(manifest) or is_file(manifest.parent / "result.json"):
        return true
    content = _load_json(manifest)
    files, hidden = content.get("files"), content.get("latents")
    if not (isinstance(files, dict) and isinstance(files.get("true_dag"), str) and isinstance(hidden, list)):
        return true
    dag = _from_file(manifest.parent / Path(files["true_dag"]).name)
    return dag_to_mag(dag, [str(name) for name in hidden]) if isinstance(dag, DAG) and hidden else dag


def _omits_lone(word: str) -> bool:
    from mahc.graphs.files import GRAPH_FORMATS

    path = Path(word)
    if path.suffix.lower() != ".csv" or not is_file(path):
        return False
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return GRAPH_FORMATS["bayesys"]().recognises(file.readline(MAX_HEADER))


def _complete(graph: DAG | MixedGraph, other: DAG | MixedGraph) -> DAG | MixedGraph:
    from mahc.graphs import DAG, MixedGraph

    names = [*graph.names, *(name for name in other.names if name not in graph.names)]
    return DAG(names, graph.arcs) if isinstance(graph, DAG) else MixedGraph(names, graph.edges)


def _from_folder(folder: Path) -> DAG | MixedGraph:
    if is_file(folder / "result.json"):
        return _from_file(folder / "result.json")
    manifest = folder / "manifest.json"
    if is_file(manifest):
        files = _load_json(manifest).get("files")
        for kind in ("true_pag", "true_cpdag"):
            if isinstance(files, dict) and isinstance(files.get(kind), str):
                return _from_file(folder / Path(files[kind]).name)
        raise FormatError("the manifest names no true graph: sample again", manifest)
    raise SettingError(f"the folder '{folder}' holds neither the result.json of a run nor a sample's manifest.json")


def _from_file(path: Path) -> DAG | MixedGraph:
    from mahc.graphs.files import graph_suffixes, read_graph
    from mahc.networks.files import is_network_file, network_suffix, read_network

    suffix = network_suffix(path).removesuffix(".gz")
    if is_network_file(path) and suffix not in graph_suffixes():
        return read_network(path).dag
    if suffix == ".json":
        if network_suffix(path).endswith(".gz"):
            return read_network(path).dag
        variables = _load_json(path).get("variables")
        if isinstance(variables, list) and variables and isinstance(variables[0], dict):
            return read_network(path).dag
        if isinstance(variables, list):
            return _build(path, _load_json(path))
    return read_graph(path)


def _build(path: Path, content: dict[str, Any]) -> DAG | MixedGraph:
    """The graph of a result."""
    from mahc.graphs import DAG, MixedGraph

    try:
        if isinstance(content.get("edges"), list):
            return MixedGraph(content["variables"], [tuple(edge) for edge in content["edges"]])
        if isinstance(content.get("arcs"), list):
            return DAG(content["variables"], [tuple(arc) for arc in content["arcs"]])
    except (MahcError, TypeError, ValueError) as mistake:
        raise FormatError(f"this result holds no graph: {mistake}", path) from None
    raise FormatError('this result has neither "arcs" nor "edges"', path)


# The last file that was read, in both forms: one command asks several questions about the same result.
_RESULTS: dict[tuple[object, ...], Learned] = {}
_DOCUMENTS: dict[tuple[object, ...], dict[str, Any]] = {}


def _stamp(path: Path) -> tuple[object, ...] | None:
    """What changes when a file does; None where it cannot be looked at."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return str(path.absolute()), found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _load_json(path: Path) -> dict[str, Any]:
    stamp = _stamp(path)
    if stamp is None:
        return _parse_json(path)  # refuses it
    found = _DOCUMENTS.get(stamp)
    if found is None:
        found = _parse_json(path)
        _DOCUMENTS.clear()
        _DOCUMENTS[stamp] = found
    return found


def _parse_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_bounded_text(path, MAX_BYTES))
    except OSError as mistake:
        raise FormatError(f"the file cannot be read: {mistake.strerror or mistake}", path) from None
    except json.JSONDecodeError as mistake:
        raise FormatError(f"this is not JSON: {mistake.msg}", path, mistake.lineno) from None
    except (RecursionError, ValueError):
        raise FormatError("this is not JSON that holds a graph", path) from None
    return content if isinstance(content, dict) else {}
