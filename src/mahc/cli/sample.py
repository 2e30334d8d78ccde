"""`mahc sample`: data drawn from a network, spoilt if wished, with the truth beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    network: Annotated[str, typer.Argument(metavar="NAME", help="A network of `mahc networks`, or a network file.")],
    rows: Annotated[int, typer.Option(metavar="N", help="How many rows to draw.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for the files.", show_default=False)],
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 1,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="NOISE",
            help="cMISL, or missing, incorrect, merged, latent joined by +; with a rate: missing:0.1.",
            show_default=False,
        ),
    ] = None,
    latent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIABLE",
            help="Remove this variable, not a random one; may be repeated.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="csv or parquet.")] = "csv",
    networks: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with more networks; otherwise the one in $MAHC_NETWORKS.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Draw data from a network and write them with the true graph and a manifest."""
    from mahc.errors import SettingError
    from mahc.networks import find_network, simulate
    from mahc.networks.noise import parse_noise
    from mahc.networks.simulation_files import SimulationRequest, check_folder, write_simulation
    from mahc.networks.table_file import check_table_kind

    check_folder(out)
    check_table_kind(kind)
    if latent and noise is None:
        raise SettingError("--latent needs a noise that removes variables: add --noise latent or --noise cMISL")
    spoil = None if noise is None else parse_noise(noise, tuple(latent or ()))
    simulation = simulate(find_network(network, networks), rows, seed, spoil)
    request = SimulationRequest(network, rows, seed, noise, kind)
    manifest = write_simulation(simulation, request, out)
    print(f"{rows:,} rows of {network}, {len(simulation.data.names)} variables, seed {seed}")
    for outcome in simulation.outcomes:
        print(f"  {outcome.describe(rows)}")
    print(f"Written to {out}: {', '.join([*manifest['files'].values(), 'manifest.json'])}")
