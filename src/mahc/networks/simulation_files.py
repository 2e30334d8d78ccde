"""Data as a CSV or Parquet file; a simulation as a folder with data, true graph and manifest, written atomically."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from mahc._version import __version__
from mahc.data.dataset import Dataset
from mahc.errors import DataError, SettingError, UnknownNameError
from mahc.files import exists, is_folder, temporary_folder, to_path
from mahc.networks.simulation import Simulation

CHUNK = 65_536
EXPERIMENT_COLUMN = "experiment"


def to_frame(data: Dataset) -> pl.DataFrame:
    """The data as a polars frame: ordinal variables as Enum, the others as Categorical.

    Where rows come from experiments, the last column, `experiment`, has the names of the variables that were set.

    >>> from mahc.networks import load_network, sample
    >>> to_frame(sample(load_network("asia"), 2, 1)).columns[:3]
    ['asia', 'tub', 'smoke']
    """
    if data.weights is not None:
        raise DataError("weighted data cannot be written: repeat each row as often as its weight")
    columns = {}
    for name, column, codes in zip(data.names, data.discrete, data.codes, strict=True):
        kind = pl.Enum(column.labels) if column.ordered else pl.Categorical()
        # Polars 1 casts codes to an Enum and polars 2 refuses to: gathering the labels works in both.
        columns[name] = pl.Series(name, column.labels, dtype=kind).gather(codes)
    if data.interventions is not None:
        name = EXPERIMENT_COLUMN
        while name in columns:
            name += "_"
        texts = ["|".join(sorted(names)) for names in data.interventions.targets]
        columns[name] = pl.Series(name, texts, dtype=pl.Categorical()).gather(data.interventions.codes)
    return pl.DataFrame(columns)


def _write_csv(data: Dataset, path: Path) -> None:
    to_frame(data).write_csv(path, batch_size=CHUNK)


def _write_parquet(data: Dataset, path: Path) -> None:
    to_frame(data).write_parquet(path, row_group_size=CHUNK)


WRITERS: dict[str, Callable[[Dataset, Path], None]] = {"csv": _write_csv, "parquet": _write_parquet}


def check_table_kind(kind: str) -> str:
    """Return the kind of file; raise UnknownNameError if there is no writer for it."""
    if kind not in WRITERS:
        raise UnknownNameError("data format", kind, WRITERS)
    return kind


def write_table(data: Dataset, path: str | Path, kind: str = "csv") -> None:
    """Write the data as `csv` or `parquet`; the caller makes the write atomic."""
    WRITERS[check_table_kind(kind)](data, Path(path))


@dataclass(frozen=True)
class SimulationRequest:
    """The request, as recorded in the manifest.

    >>> SimulationRequest("asia", rows=100, seed=1, noise="cMISL").kind
    'csv'
    """

    network: str
    rows: int
    seed: int
    noise: str | None = None
    kind: str = "csv"
    experiments: tuple[str, ...] = ()


def check_folder(folder: str | Path) -> Path:
    """Return the folder to write; raise SettingError if it is a file or not empty."""
    target = to_path(folder)
    if exists(target) and (not is_folder(target) or any(target.iterdir())):
        what = "is a folder with files in it" if is_folder(target) else "is a file"
        raise SettingError(f"'{target}' {what}: name a new folder, nothing is overwritten")
    return target


def write_simulation(simulation: Simulation, request: SimulationRequest, folder: str | Path) -> dict[str, Any]:
    """Write the folder under a temporary name, then rename it; return the manifest."""
    target = check_folder(folder)
    check_table_kind(request.kind)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = temporary_folder(target)
        try:
            manifest = _write_into(temporary, simulation, request)
            if target.exists():
                target.rmdir()  # it is empty; Windows cannot rename onto a folder
            os.replace(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except (OSError, pl.exceptions.PolarsError) as mistake:
        reason = getattr(mistake, "strerror", None) or mistake
        raise SettingError(f"'{target}' cannot be written: {reason}") from None
    return manifest


def _write_into(folder: Path, simulation: Simulation, request: SimulationRequest) -> dict[str, Any]:
    from mahc.graphs.files import write_graph

    data = f"data.{request.kind}"
    truth = f"true_{simulation.truth_kind}.csv"
    write_table(simulation.data, folder / data, request.kind)
    write_graph(simulation.network.dag, folder / "true_dag.csv", "arcs")
    write_graph(simulation.truth(), folder / truth, "arcs")
    files = {"data": data, "true_dag": "true_dag.csv", f"true_{simulation.truth_kind}": truth}
    manifest = {
        "mahc": __version__,
        "network": request.network,
        "origin": simulation.network.origin,
        "rows": request.rows,
        "seed": request.seed,
        "noise": request.noise,
        "experiments": list(request.experiments),
        "outcomes": [outcome.to_dict() for outcome in simulation.outcomes],
        "latents": list(simulation.latents),
        "variables": list(simulation.data.names),
        "files": files,
        "sha256": {file: _digest(folder / file) for file in files.values()},
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    return manifest


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
