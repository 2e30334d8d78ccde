"""A run as a file to save: report, picture, result folder, graph and network formats."""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mahc.data import Dataset
from mahc.errors import MahcError, UnknownNameError
from mahc.files import write_atomically
from mahc.graphs.files import GRAPH_FORMATS, format_graph
from mahc.graphs.pictures import PICTURES
from mahc.networks.files import NETWORK_FORMATS, format_network
from mahc.networks.network import Network
from mahc.networks.safe_names import with_safe_names
from mahc.results.files import write_result
from mahc.results.learned import Learned
from mahc.ui.report import report_html
from mahc.ui.reproduce import Source


def list_formats() -> list[dict[str, str]]:
    """The formats that `export` knows, with their titles."""
    found = [{"format": "report", "title": "Report (one HTML file)", "group": "Report"}]
    found.append({"format": "svg", "title": "Picture (SVG)", "group": "Picture"})
    if find_spec("typst") is not None:
        found.append({"format": "pdf", "title": "Picture (PDF)", "group": "Picture"})
    found.append({"format": "folder", "title": "Result folder (ZIP)", "group": "Result"})
    for name in GRAPH_FORMATS:
        found.append({"format": f"graph-{name}", "title": GRAPH_FORMATS[name].title, "group": "Graph"})
    for name in NETWORK_FORMATS:
        if NETWORK_FORMATS[name].writable:
            title = NETWORK_FORMATS[name].title
            found.append({"format": f"network-{name}", "title": title, "group": "Network with tables"})
    return found


def export(learned: Learned, data: Dataset, source: Source, wanted: str, folder: Path) -> dict[str, Any]:
    """Write the file into the folder; returns its path and the name under which to save it."""
    if wanted not in {each["format"] for each in list_formats()}:
        raise UnknownNameError("export format", wanted, [each["format"] for each in list_formats()])
    kind, _, name = wanted.partition("-")
    if wanted == "report":
        return _text(folder, "report.html", report_html(learned, data, source))
    if wanted == "svg":
        return _text(folder, "graph.svg", f"{PICTURES['svg_or_note'](learned.graph)}\n")
    if wanted == "pdf":
        learned.plot().save(folder / "graph.pdf")
        return {"path": str(folder / "graph.pdf"), "name": "graph.pdf"}
    if wanted == "folder":
        return _zip(learned, folder)
    if kind == "graph":
        ending = next(iter(GRAPH_FORMATS[name].suffixes), ".csv")
        return _text(folder, f"graph{ending}", format_graph(learned.graph, name))
    if learned.without_dag is not None:
        raise MahcError(f"{learned.without_dag}: a network needs a DAG")
    fitted = learned.fit(data, prior=0).network
    if not isinstance(fitted, Network):
        raise MahcError(
            "formats of networks hold tables of states, and this network has regressions of numbers: cut the columns "
            "of numbers, or use mahc fit, which writes JSON"
        )
    network = replace(fitted, name="network")
    try:
        text = format_network(network, name)
    except MahcError:  # the format cannot hold some of the names
        text = format_network(with_safe_names(network).network, name)
    return _text(folder, f"network{NETWORK_FORMATS[name].suffixes[0]}", text)


def _text(folder: Path, name: str, text: str) -> dict[str, Any]:
    write_atomically(folder / name, text)
    return {"path": str(folder / name), "name": name}


def _zip(learned: Learned, folder: Path) -> dict[str, Any]:
    path = folder / "result.zip"
    with tempfile.TemporaryDirectory(dir=folder) as place:
        write_result(learned, Path(place) / "result")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted((Path(place) / "result").iterdir()):
                archive.write(file, f"result/{file.name}")
    return {"path": str(path), "name": "result.zip"}
