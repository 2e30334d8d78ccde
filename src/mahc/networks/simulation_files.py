"""A simulation as a folder: data, truth and a manifest, all of them or none."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from mahc._version import __version__
from mahc.errors import SettingError
from mahc.networks.noise import Outcome
from mahc.networks.simulation import Simulation
from mahc.networks.table_file import check_table_kind, write_table


@dataclass(frozen=True)
class SimulationRequest:
    """What was asked for, as the manifest repeats it.

    >>> SimulationRequest("asia", rows=100, seed=1, noise="cMISL").kind
    'csv'
    """

    network: str
    rows: int
    seed: int
    noise: str | None = None
    kind: str = "csv"


def check_folder(folder: str | Path) -> Path:
    """The folder to write, refused where something stands there already."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        what = "is a folder with files in it" if place.is_dir() else "is a file"
        raise SettingError(f"'{place}' {what}: name a new folder, nothing is overwritten")
    return place


def write_simulation(simulation: Simulation, request: SimulationRequest, folder: str | Path) -> dict[str, Any]:
    """Write the folder beside its place, then rename it; the manifest is handed back."""
    place = check_folder(folder)
    check_table_kind(request.kind)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        waiting = Path(tempfile.mkdtemp(prefix=f".{place.name}.", suffix=".part", dir=place.parent))
        try:
            manifest = _write_into(waiting, simulation, request)
            waiting.chmod(0o777 & ~_mask())  # mkdtemp makes private folders
            if place.exists():
                place.rmdir()  # empty, as checked; Windows renames onto nothing else
            os.replace(waiting, place)
        finally:
            shutil.rmtree(waiting, ignore_errors=True)
    except (OSError, pl.exceptions.PolarsError) as mistake:
        reason = getattr(mistake, "strerror", None) or mistake
        raise SettingError(f"'{place}' cannot be written: {reason}") from None
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
        "outcomes": [describe(outcome) for outcome in simulation.outcomes],
        "latents": list(simulation.latents),
        "variables": list(simulation.data.names),
        "files": files,
        "sha256": {file: _digest(folder / file) for file in files.values()},
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    return manifest


def describe(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON: only what this noise does."""
    found: dict[str, Any] = {"noise": outcome.noise, "rate": outcome.rate}
    if outcome.changed:
        found["changed_values"] = dict(outcome.changed)
    if outcome.noise == "merged":
        found["merged_states"] = [
            {"variable": m.variable, "states": [m.first, m.second], "into": m.into} for m in outcome.merged
        ]
    if outcome.noise == "latent":
        found["removed_variables"] = list(outcome.removed)
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
